import { count, time } from '../core/format';
import { linear, logarithmic, useWidth } from './measure';

const LEFT = 70,
  BOTTOM = 26,
  TOP = 12,
  HEIGHT = 240;

/// The best time so far after each trial, over the trials' own times.
export function Progress({ trial, ms, best }: { trial: number[]; ms: number[]; best: number[] }) {
  const { box, width } = useWidth<HTMLDivElement>();
  const known = ms.filter((one) => one > 0);
  return (
    <div class="chart" ref={box}>
      {width > 0 && known.length > 0 && <Paper trial={trial} ms={ms} best={best} width={width} known={known} />}
      {known.length === 0 && <p class="muted">No trial was timed.</p>}
    </div>
  );
}

function Paper({
  trial,
  ms,
  best,
  width,
  known,
}: {
  trial: number[];
  ms: number[];
  best: number[];
  width: number;
  known: number[];
}) {
  const x = linear(trial[0], trial[trial.length - 1], LEFT, width - 12, Math.max(2, Math.floor(width / 130)));
  const sorted = [...known].sort((a, b) => a - b);
  const low = sorted[0],
    high = sorted[Math.floor((sorted.length - 1) * 0.97)];
  const y = logarithmic(low * 0.93, Math.max(high, low * 1.5) * 1.07, HEIGHT - BOTTOM, TOP);
  const ticks = [low, Math.sqrt(low * Math.max(high, low * 1.5)), Math.max(high, low * 1.5)];
  let line = '';
  trial.forEach((at, index) => {
    if (best[index] > 0) line += `${line ? `H${x(at)}V` : `M${x(at)} `}${Math.max(TOP, y(best[index]))}`;
  });
  return (
    <svg
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={`Best ${time(low)} of ${count(trial.length)} trials shown`}>
      {ticks.map((tick) => (
        <>
          <line class="grid-line" x1={LEFT} x2={width - 12} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
            {time(tick)}
          </text>
        </>
      ))}
      {x.ticks.map((tick) => (
        <text x={x(tick)} y={HEIGHT - 8} text-anchor="middle">
          {count(tick)}
        </text>
      ))}
      {ms.map(
        (value, index) =>
          value > 0 && (
            <circle cx={x(trial[index])} cy={Math.max(TOP, y(value))} r="2" fill="var(--one)" fill-opacity="0.4" />
          ),
      )}
      <path class="curve" d={line} stroke="var(--two)" stroke-width="2" />
    </svg>
  );
}
