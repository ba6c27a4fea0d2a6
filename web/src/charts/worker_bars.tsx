import type { PlanTimeline } from '../api';
import { percent, shortened, time } from '../core/format';
import { linear, useWidth } from './measure';

const LEFT = 74,
  ROW = 30,
  GAP = 8,
  BOTTOM = 26,
  TONES = 5;

type Span = PlanTimeline['spans'][number];

/// Time that a step takes of all its workers.
const busyOf = (span: Span) => (span.end_ms - span.start_ms) * span.workers.length;

/// What each worker runs when. A step of a team stands in the rows of all its workers.
export function WorkerBars({
  plan,
  chosen,
  onChoose,
}: {
  plan: PlanTimeline;
  chosen: number | null;
  onChoose: (span: number) => void;
}) {
  const { box, width } = useWidth<HTMLDivElement>();
  const wide = Math.max(width, 560);
  const end = Math.max(plan.makespan_ms, 1e-9);
  const x = linear(0, end, LEFT, wide - 16, Math.max(2, Math.floor(wide / 140)));
  const tones = tonesOf(plan);
  const height = plan.workers * (ROW + GAP) + BOTTOM;
  return (
    <div class="chart" ref={box}>
      {width > 0 && (
        <div class="scroll" tabIndex={0} aria-label="Workers and their steps">
          <svg
            width={wide}
            height={height}
            role="group"
            aria-label={`${plan.spans.length} steps on ${plan.workers} workers, ${time(plan.makespan_ms)}`}>
            {x.ticks.map((tick) => (
              <>
                <line class="grid-line" x1={x(tick)} x2={x(tick)} y1={0} y2={height - BOTTOM} />
                <text x={x(tick)} y={height - 8} text-anchor={tick === 0 ? 'start' : 'middle'}>
                  {time(tick)}
                </text>
              </>
            ))}
            {Array.from({ length: plan.workers }, (_, worker) => (
              <>
                <rect
                  x={LEFT}
                  y={worker * (ROW + GAP)}
                  width={wide - 16 - LEFT}
                  height={ROW}
                  fill="none"
                  stroke="var(--grid)"
                />
                <text x={0} y={worker * (ROW + GAP) + 19}>
                  {plan.cpus[worker] === undefined ? `worker ${worker}` : `CPU ${plan.cpus[worker]}`}
                </text>
              </>
            ))}
            {plan.spans.map((span, index) =>
              span.workers.map((worker) => (
                <Bar
                  span={span}
                  x={x(span.start_ms)}
                  width={x(span.end_ms) - x(span.start_ms)}
                  y={worker * (ROW + GAP)}
                  tone={tones.get(span.operator) ?? 0}
                  isChosen={index === chosen}
                  onChoose={() => onChoose(index)}
                />
              )),
            )}
          </svg>
        </div>
      )}
      <Key plan={plan} tones={tones} />
    </div>
  );
}

/// The operators by their time, all workers together; those that share the last tone are one.
function Key({ plan, tones }: { plan: PlanTimeline; tones: Map<string, number> }) {
  const sums = Array.from({ length: TONES }, () => 0);
  const names: string[][] = Array.from({ length: TONES }, () => []);
  let whole = 0;
  for (const span of plan.spans) {
    const tone = tones.get(span.operator) ?? 0;
    sums[tone] += busyOf(span);
    whole += busyOf(span);
    if (!names[tone].includes(span.operator)) names[tone].push(span.operator);
  }
  return (
    <div class="legend">
      {names.map((list, tone) =>
        list.length === 0 ? null : (
          <span title={list.join(', ')}>
            <i class={`span-key span-tone-${tone}`} />
            {list.length > 1 ? `${list.length} other operators` : shortened(list[0], 40)},{' '}
            {percent((100 * sums[tone]) / whole, 0)}
          </span>
        ),
      )}
    </div>
  );
}

function Bar(props: {
  span: Span;
  x: number;
  y: number;
  width: number;
  tone: number;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { span, x, y, width } = props;
  const shown = width > 46 ? shortened(span.operator, Math.floor(width / 7) - 1) : '';
  const label = `${span.operator}, ${span.name}: ${time(span.end_ms - span.start_ms)} from ${time(span.start_ms)} on${
    span.workers.length > 1 ? `, ${span.workers.length} workers together` : ''
  }`;
  return (
    <g
      class="node"
      tabIndex={0}
      role="button"
      aria-label={label}
      onClick={props.onChoose}
      onKeyDown={(event) => event.key === 'Enter' && props.onChoose()}>
      <title>{label}</title>
      <rect x={x} y={y} width={Math.max(1, width)} height={ROW} fill="var(--panel)" />
      <rect
        class={`span-tone-${props.tone}`}
        x={x}
        y={y}
        width={Math.max(1, width)}
        height={ROW}
        stroke={props.isChosen ? 'var(--accent)' : 'var(--panel)'}
        stroke-width={props.isChosen ? 3 : 1}
        stroke-dasharray={span.workers.length > 1 && !props.isChosen ? '4 3' : undefined}
      />
      {shown && (
        <text class="strong" x={x + 5} y={y + 19}>
          {shown}
        </text>
      )}
    </g>
  );
}

/// The operators that take most time have a tone of their own; all others share the last one.
function tonesOf(plan: PlanTimeline): Map<string, number> {
  const sums = new Map<string, number>();
  for (const span of plan.spans) sums.set(span.operator, (sums.get(span.operator) ?? 0) + busyOf(span));
  const order = [...sums].sort((a, b) => b[1] - a[1]).map(([operator]) => operator);
  return new Map(order.map((operator, index) => [operator, Math.min(index, TONES - 1)]));
}
