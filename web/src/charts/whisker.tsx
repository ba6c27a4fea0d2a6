import { change } from '../core/format';

/// A change with its interval beside the margin inside which rows count as the same. The middle is no change; left is faster.
export function Whisker(props: {
  change_pct: number;
  low: number | null;
  high: number | null;
  margin: number;
  most: number;
  tone: string;
}) {
  const width = 132,
    height = 18,
    middle = width / 2;
  const x = (value: number) => middle + Math.max(-1, Math.min(1, value / props.most)) * (middle - 6);
  const words = `${change(props.change_pct)}${props.low !== null && props.high !== null ? `, interval ${change(props.low)} to ${change(props.high)}` : ''}`;
  return (
    <svg class="whisker" width={width} height={height} role="img" aria-label={words}>
      <title>{words}</title>
      <rect
        x={x(-props.margin)}
        y="2"
        width={Math.max(1, x(props.margin) - x(-props.margin))}
        height={height - 4}
        rx="2"
        fill="var(--same-ground)"
      />
      <line x1={middle} x2={middle} y1="1" y2={height - 1} stroke="var(--line-strong)" />
      {props.low !== null && props.high !== null && (
        <line
          x1={x(props.low)}
          x2={x(props.high)}
          y1={height / 2}
          y2={height / 2}
          stroke={`var(--${props.tone})`}
          stroke-width="2"
        />
      )}
      <circle cx={x(props.change_pct)} cy={height / 2} r="3.6" fill={`var(--${props.tone})`} />
    </svg>
  );
}
