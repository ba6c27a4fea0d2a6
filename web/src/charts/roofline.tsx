import { number, scaled, shortened, time } from '../core/format';
import { logarithmic, useWidth } from './measure';

export interface RoofDot {
  name: string;
  intensity: number; // FLOP a byte
  gflops_per_s: number;
  share_pct: number | null;
  total_ms: number | null;
}

interface Ceilings {
  peak_gflops: number | null;
  memory_gbytes_per_s: number | null;
}

const LEFT = 64,
  BOTTOM = 40,
  TOP = 18,
  RIGHT = 24;

/// Units by what they compute a byte and a second, below the ceilings that were measured beside the run.
export function Roofline(props: {
  dots: RoofDot[];
  ceilings: Ceilings;
  chosen?: string;
  onChoose?: (name: string) => void;
}) {
  const { box, width } = useWidth<HTMLDivElement>();
  const height = Math.min(420, Math.max(260, Math.round(width * 0.5)));
  const dots = props.dots.filter((dot) => dot.intensity > 0 && dot.gflops_per_s > 0);
  return (
    <div class="chart" ref={box}>
      {dots.length === 0 && <p class="muted">No unit has both FLOPs and bytes.</p>}
      {dots.length > 0 && width > 0 && <Paper {...props} dots={dots} width={width} height={height} />}
    </div>
  );
}

function bounds(values: number[]): [number, number] {
  return [
    10 ** (Math.floor(Math.log10(Math.min(...values)) * 2) / 2),
    10 ** (Math.ceil(Math.log10(Math.max(...values)) * 2 + 0.1) / 2),
  ];
}

function Paper(props: {
  dots: RoofDot[];
  ceilings: Ceilings;
  chosen?: string;
  onChoose?: (name: string) => void;
  width: number;
  height: number;
}) {
  const { dots, width, height } = props;
  const { peak_gflops: peak, memory_gbytes_per_s: memory } = props.ceilings;
  const ridge = peak && memory ? peak / memory : null;
  const [xLow, xHigh] = bounds([...dots.map((dot) => dot.intensity), ...(ridge ? [ridge] : [])]);
  const [yLow, yHigh] = bounds([...dots.map((dot) => dot.gflops_per_s), ...(peak ? [peak * 1.1] : [])]);
  const x = logarithmic(xLow, xHigh, LEFT, width - RIGHT);
  const y = logarithmic(yLow, yHigh, height - BOTTOM, TOP);
  const named = [...dots].sort((a, b) => (b.share_pct ?? 0) - (a.share_pct ?? 0)).slice(0, width > 600 ? 5 : 2);
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={`Roofline of ${dots.length} units; the table below has the same numbers`}>
      {x.ticks.map((tick) => (
        <>
          <line class="grid-line" x1={x(tick)} x2={x(tick)} y1={TOP} y2={height - BOTTOM} />
          <text x={x(tick)} y={height - BOTTOM + 15} text-anchor="middle">
            {number(tick, 1)}
          </text>
        </>
      ))}
      {y.ticks.map((tick) => (
        <>
          <line class="grid-line" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
            {scaled(tick * 1e9, '')}
          </text>
        </>
      ))}
      <text x={width - RIGHT} y={height - 6} text-anchor="end">
        FLOP a byte
      </text>
      <text x={0} y={11}>
        FLOP/s
      </text>
      <Roof x={x} y={y} peak={peak} memory={memory} xLow={xLow} xHigh={xHigh} yLow={yLow} />
      {dots.map((dot) => (
        <Dot dot={dot} x={x} y={y} isChosen={dot.name === props.chosen} onChoose={props.onChoose} />
      ))}
      <Names dots={named} x={x} y={y} width={width} />
    </svg>
  );
}

type At = (value: number) => number;

function Roof({
  x,
  y,
  peak,
  memory,
  xLow,
  xHigh,
  yLow,
}: {
  x: At;
  y: At;
  peak: number | null;
  memory: number | null;
  xLow: number;
  xHigh: number;
  yLow: number;
}) {
  const from = memory ? Math.max(xLow, yLow / memory) : xLow;
  const ridge = peak && memory ? peak / memory : null;
  return (
    <g>
      {memory && (
        <line
          class="roof"
          x1={x(from)}
          y1={y(from * memory)}
          x2={x(ridge ?? xHigh)}
          y2={y((ridge ?? xHigh) * memory)}
        />
      )}
      {peak && <line class="roof" x1={x(ridge ?? xLow)} y1={y(peak)} x2={x(xHigh)} y2={y(peak)} />}
      {peak && <text x={x(xHigh)} y={y(peak) - 6} text-anchor="end">{`peak ${scaled(peak * 1e9, 'FLOP/s')}`}</text>}
      {memory && (
        <text
          x={x(from) + 8}
          y={Math.min(y(from * memory) - 2, y(yLow) - 8)}
          text-anchor="start">{`memory ${scaled(memory * 1e9, 'B/s')}`}</text>
      )}
    </g>
  );
}

function Dot({
  dot,
  x,
  y,
  isChosen,
  onChoose,
}: {
  dot: RoofDot;
  x: At;
  y: At;
  isChosen: boolean;
  onChoose?: (name: string) => void;
}) {
  const radius = 3.5 + Math.sqrt(Math.max(0, dot.share_pct ?? 0)) * 1.6;
  const choose = () => onChoose?.(dot.name);
  return (
    <circle
      class="dot"
      cx={x(dot.intensity)}
      cy={y(dot.gflops_per_s)}
      r={radius}
      fill={isChosen ? 'var(--two)' : 'var(--one)'}
      fill-opacity="0.68"
      stroke="var(--panel)"
      tabIndex={0}
      role="button"
      onClick={choose}
      aria-label={wordsOf(dot)}
      onKeyDown={(event) => event.key === 'Enter' && choose()}>
      <title>{wordsOf(dot)}</title>
    </circle>
  );
}

function wordsOf(dot: RoofDot): string {
  return `${dot.name}: ${scaled(dot.gflops_per_s * 1e9, 'FLOP/s')}, ${number(dot.intensity)} FLOP a byte, ${time(dot.total_ms)}`;
}

// The names of the largest units; a name that would lie on another one is left out.
function Names({ dots, x, y, width }: { dots: RoofDot[]; x: At; y: At; width: number }) {
  const taken: { left: number; right: number; y: number }[] = [];
  return (
    <g>
      {dots.map((dot) => {
        const text = shortened(dot.name, 30);
        const wide = text.length * 6.2;
        const isLate = x(dot.intensity) + wide + 16 > width - RIGHT;
        const left = isLate ? x(dot.intensity) - wide - 12 : x(dot.intensity) + 12;
        const at = y(dot.gflops_per_s) + 4;
        if (left < LEFT || taken.some((one) => Math.abs(one.y - at) < 15 && left < one.right && left + wide > one.left))
          return null;
        taken.push({ left, right: left + wide, y: at });
        return (
          <text
            class="strong halo"
            x={isLate ? x(dot.intensity) - 12 : left}
            y={at}
            text-anchor={isLate ? 'end' : 'start'}>
            {text}
          </text>
        );
      })}
    </g>
  );
}
