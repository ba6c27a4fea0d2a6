import type { Samples } from '../api';
import { plural, time } from '../core/format';
import { linear, median, useWidth } from './measure';

export interface Lane {
  name: string;
  samples: Samples;
  low_ms: number | null;
  high_ms: number | null;
  tone: string; // name of a colour
}

const LANE = 54;
const LEFT = 76;

/// Every sample as a dot, a lane a side, on one axis. Samples that do not count are crosses.
export function StripPlot({ lanes, label }: { lanes: Lane[]; label: string }) {
  const { box, width } = useWidth<HTMLDivElement>();
  const all = lanes.flatMap((lane) => lane.samples.ms);
  const height = lanes.length * LANE + 28;
  return (
    <div class="chart" ref={box}>
      {width > 0 && all.length > 0 && (
        <svg width={width} height={height} role="img" aria-label={`${label}: ${lanes.map(wordsOf).join('; ')}`}>
          <Axis all={all} width={width} height={height} />
          {lanes.map((lane, index) => (
            <Dots lane={lane} top={index * LANE} width={width} all={all} />
          ))}
        </svg>
      )}
      {all.length === 0 && <p class="muted">No samples were kept.</p>}
    </div>
  );
}

function wordsOf(lane: Lane): string {
  const { ms, total } = lane.samples;
  return ms.length
    ? `${lane.name}: ${plural(total, 'sample')}, median ${time(median(ms))}`
    : `${lane.name}: no samples`;
}

// The slowest hundredth would press the others together: it stands at the edge.
function scaleOf(all: number[], width: number) {
  const sorted = [...all].sort((a, b) => a - b);
  const low = sorted[0];
  const high = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.985))];
  const room = (high - low) * 0.05 || low * 0.02 || 1e-9;
  return linear(low - room, high + room, LEFT, width - 14, Math.max(2, Math.floor(width / 150)));
}

function Axis({ all, width, height }: { all: number[]; width: number; height: number }) {
  const x = scaleOf(all, width);
  const bottom = height - 22;
  return (
    <g>
      {x.ticks.map((tick) => (
        <>
          <line class="grid-line" x1={x(tick)} x2={x(tick)} y1={0} y2={bottom} />
          <text x={x(tick)} y={bottom + 16} text-anchor="middle">
            {time(tick)}
          </text>
        </>
      ))}
    </g>
  );
}

function Dots({ lane, top, width, all }: { lane: Lane; top: number; width: number; all: number[] }) {
  const x = scaleOf(all, width);
  const { ms, flags } = lane.samples;
  const counted = ms.filter((_, index) => !flags[index]);
  const place = (value: number) => Math.min(x(value), width - 8);
  return (
    <g>
      <text class="strong" x={0} y={top + 24}>
        {lane.name}
      </text>
      <text x={0} y={top + 39}>
        {plural(lane.samples.total, 'sample')}
      </text>
      {lane.low_ms !== null && lane.high_ms !== null && (
        <rect
          x={place(lane.low_ms)}
          y={top + 6}
          width={Math.max(1, place(lane.high_ms) - place(lane.low_ms))}
          height={LANE - 14}
          fill={`var(--${lane.tone})`}
          opacity="0.14"
        />
      )}
      {ms.map((value, index) => {
        const y = top + 12 + ((index * 7919) % 27);
        if (!flags[index])
          return <circle cx={place(value)} cy={y} r="2.6" fill={`var(--${lane.tone})`} fill-opacity="0.62" />;
        const a = place(value);
        return (
          <path d={`M${a - 3} ${y - 3}l6 6m0 -6l-6 6`} stroke="var(--muted)" fill="none">
            <title>{`${time(value)}, left out: ${flags[index]}`}</title>
          </path>
        );
      })}
      {counted.length > 0 && (
        <line
          x1={place(median(counted))}
          x2={place(median(counted))}
          y1={top + 4}
          y2={top + LANE - 6}
          stroke="var(--text)"
          stroke-width="2"
        />
      )}
    </g>
  );
}
