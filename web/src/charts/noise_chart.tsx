import { date, percent } from '../core/format';
import { linear, useWidth } from './measure';

const LEFT = 52,
  BOTTOM = 26,
  TOP = 10,
  HEIGHT = 180;

/// A value by day, in percent, from 0 on.
export function NoiseChart({ at, values, label }: { at: number[]; values: number[]; label: string }) {
  const { box, width } = useWidth<HTMLDivElement>();
  if (at.length === 0) return <p class="muted">No day has results with samples.</p>;
  const y = linear(0, Math.max(1, ...values) * 1.1, HEIGHT - BOTTOM, TOP, 4);
  const x = linear(
    at[0],
    at[at.length - 1] === at[0] ? at[0] + 1 : at[at.length - 1],
    LEFT,
    Math.max(LEFT + 1, width - 14),
  );
  const labels = pick(at, Math.max(2, Math.floor(width / 120)));
  return (
    <div class="chart" ref={box}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`${label}: ${at.length} days, last ${percent(values.at(-1))}`}>
          {y.ticks.map((tick) => (
            <>
              <line class="grid-line" x1={LEFT} x2={width - 14} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
                {percent(tick, tick < 3 && tick % 1 ? 1 : 0)}
              </text>
            </>
          ))}
          {labels.map((one, index) => (
            <text
              x={x(one)}
              y={HEIGHT - 8}
              text-anchor={index === 0 ? 'start' : index === labels.length - 1 ? 'end' : 'middle'}>
              {date(one)}
            </text>
          ))}
          <path
            class="curve"
            stroke="var(--one)"
            d={`M${at.map((one, index) => `${x(one)} ${y(values[index])}`).join('L')}`}
          />
          {at.length < 120 &&
            at.map((one, index) => (
              <circle cx={x(one)} cy={y(values[index])} r="2.6" fill="var(--one)">
                <title>{`${date(one)}: ${percent(values[index])}`}</title>
              </circle>
            ))}
        </svg>
      )}
    </div>
  );
}

function pick(at: number[], most: number): number[] {
  const wanted = Math.min(most, at.length);
  return wanted < 2
    ? at.slice(0, 1)
    : Array.from({ length: wanted }, (_, index) => at[Math.round((index * (at.length - 1)) / (wanted - 1))]);
}
