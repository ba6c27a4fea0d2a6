import { useState } from 'preact/hooks';
import type { PlanTimeline } from '../api';
import { WorkerBars } from '../charts/worker_bars';
import { percent, plural, time, times } from '../core/format';
import { formatHash } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Command, Notes, Panel, Tile } from '../parts/basics';

/// One plan: its gain, beside what any plan could gain, and what each worker runs when.
export function TimelineView({ id }: { id: string }) {
  const answer = useAnswer<PlanTimeline>('api/plans/timeline', { id });
  return <Answered answer={answer}>{(plan) => <Plan plan={plan} />}</Answered>;
}

function Plan({ plan }: { plan: PlanTimeline }) {
  const [chosen, choose] = useState<number | null>(null);
  const { measured } = plan;
  return (
    <div class="spaced">
      <div class="tiles">
        <Tile
          name="Measured"
          value={measured ? times(measured.speedup) : 'not run'}
          note={
            measured
              ? `${measured.verdict}; ${times(measured.low)} to ${times(measured.high)} as fast as in sequence`
              : 'opbench plan without --simulate runs it'
          }
        />
        <Tile
          name="Predicted"
          value={times(plan.sequential_ms / plan.predicted_ms)}
          note={`${time(plan.predicted_ms)} against ${time(plan.sequential_ms)} in sequence`}
        />
        <Tile name="Ceiling" value={times(plan.ceiling)} note="the most that any plan can gain" />
        <Tile
          name="Workers busy"
          value={percent(plan.busy_pct, 0)}
          note={plural(plan.workers, 'worker')}
        />
      </div>
      <Notes lines={[measured?.reason, plan.reason].filter((one): one is string => Boolean(one))} />
      <Panel
        title="Timeline"
        note={`simulated with times ${plan.times}; dashed: workers together on one step`}>
        <WorkerBars plan={plan} chosen={chosen} onChoose={(span) => choose(span === chosen ? null : span)} />
        {chosen !== null && plan.spans[chosen] && <Span span={plan.spans[chosen]} cpus={plan.cpus} />}
      </Panel>
      {plan.command && <Command title="Run this plan" text={plan.command} />}
    </div>
  );
}

function Span({ span, cpus }: { span: PlanTimeline['spans'][number]; cpus: number[] }) {
  return (
    <div class="notice point">
      <div class="point-head">
        <strong>{time(span.end_ms - span.start_ms)}</strong>
        <span>{span.operator}</span>
        <span class="muted">{span.name}</span>
        <span class="muted">
          from {time(span.start_ms)} on, CPU {span.workers.map((worker) => cpus[worker] ?? worker).join(', ')}
        </span>
        {span.workload && (
          <a href={formatHash({ page: 'workload', state: { workload: span.workload } })}>its workload</a>
        )}
      </div>
    </div>
  );
}
