import { number, shortened } from '../core/format';
import { linear, useWidth } from './measure';

const LEFT = 64,
  BOTTOM = 40,
  TOP = 22,
  HEIGHT = 320;
const BARS = 60; // words that get a bar each

/// Numbers over numbers as dots; numbers over words as bars.
export function PlotXy(props: {
  labels: (number | string | null)[];
  values: (number | null)[];
  xName: string;
  yName: string;
}) {
  const { box, width } = useWidth<HTMLDivElement>();
  const isNumeric = props.labels.every((label) => typeof label === 'number' || label === null);
  return (
    <div class="chart" ref={box}>
      {width > 0 && (isNumeric ? <Dots {...props} width={width} /> : <Bars {...props} />)}
    </div>
  );
}

function Dots(props: {
  labels: (number | string | null)[];
  values: (number | null)[];
  xName: string;
  yName: string;
  width: number;
}) {
  const points = props.values.flatMap((value, index) =>
    typeof value === 'number' && typeof props.labels[index] === 'number'
      ? [[props.labels[index] as number, value]]
      : [],
  );
  if (points.length === 0) return <p class="muted">No row has both numbers.</p>;
  const xs = points.map(([x]) => x),
    ys = points.map(([, y]) => y);
  const x = linear(
    Math.min(...xs),
    Math.max(...xs),
    LEFT,
    props.width - 16,
    Math.max(2, Math.floor(props.width / 120)),
  );
  const y = linear(Math.min(0, ...ys), Math.max(...ys), HEIGHT - BOTTOM, TOP, 5);
  return (
    <svg
      width={props.width}
      height={HEIGHT}
      role="img"
      aria-label={`${props.yName} over ${props.xName}, ${points.length} points`}>
      {y.ticks.map((tick) => (
        <>
          <line class="grid-line" x1={LEFT} x2={props.width - 16} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
            {number(tick)}
          </text>
        </>
      ))}
      {x.ticks.map((tick) => (
        <text x={x(tick)} y={HEIGHT - 22} text-anchor="middle">
          {number(tick)}
        </text>
      ))}
      <text class="strong" x={0} y={11}>
        {shortened(props.yName, 40)}
      </text>
      <text class="strong" x={props.width - 16} y={HEIGHT - 4} text-anchor="end">
        {shortened(props.xName, 40)}
      </text>
      {points.map(([a, b]) => (
        <circle cx={x(a)} cy={y(b)} r="3" fill="var(--one)" fill-opacity="0.6">
          <title>{`${a}, ${b}`}</title>
        </circle>
      ))}
    </svg>
  );
}

function Bars(props: { labels: (number | string | null)[]; values: (number | null)[]; xName: string; yName: string }) {
  const rows = props.values
    .slice(0, BARS)
    .map((value, index) => ({ label: String(props.labels[index] ?? 'null'), value }));
  const most = Math.max(1e-12, ...rows.map((row) => Math.abs(row.value ?? 0)));
  return (
    <div class="scroll" tabIndex={0} aria-label={`${props.yName} by ${props.xName}`}>
      <table>
        <tbody>
          {rows.map((row) => (
            <tr>
              <td class="name">{row.label}</td>
              <td class="right">{number(row.value)}</td>
              <td class="wide">
                <span class="bar" style={{ width: `${Math.max(1, (Math.abs(row.value ?? 0) / most) * 320)}px` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {props.values.length > BARS && <p class="small muted">The first {BARS} rows.</p>}
    </div>
  );
}
