// Plans that the store keeps with their timelines, how units disturb each other, and runs of plans.

import type { Plans } from '../api';
import type { PageProps } from '../app';
import { count, moment, time, times } from '../core/format';
import { change, formatHash, go, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Empty, Panel } from '../parts/basics';
import { PageHead } from '../parts/page_head';
import { Table, TableEnd, type Column } from '../parts/table';
import { MatrixView } from './interference_matrix';
import { TimelineView } from './plan_timeline';

type Plan = Plans['plans'][number];
type Interference = Plans['interference'][number];

export function PlansPage({ state }: PageProps) {
  const query = { offset: state.offset };
  const answer = useAnswer<Plans>('api/plans', query);
  return (
    <>
      <PageHead
        title="Plans"
        text="Which unit runs when on which worker, what that gains, and how units disturb each other."
        path="api/plans"
        query={query}
      />
      <Answered answer={answer}>
        {(value) => (
          <div class="spaced">
            <KeptPlans value={value} state={state} />
            <KeptInterference value={value} state={state} />
            <Runs value={value} />
          </div>
        )}
      </Answered>
    </>
  );
}

function KeptPlans({ value, state }: { value: Plans; state: State }) {
  const open = state.plan ?? value.plans.find((row) => row.fault === null)?.id;
  return (
    <Panel bare title="Plans" note="newest first; Enter opens the timeline">
      {value.plans.length === 0 ? (
        <Empty
          title="The store keeps no plan"
          text="Every plan that is made is kept here."
          command="opbench plan MODEL --threads 2"
        />
      ) : (
        <Table
          label="Plans"
          columns={planColumns}
          rows={value.plans}
          keyOf={(row) => row.id}
          open={open}
          onOpen={(id) => change({ plan: id === open ? 'none' : id })}
          detail={(row) => (row.fault === null ? <TimelineView id={row.id} /> : <p class="muted">{row.fault}</p>)}
        />
      )}
    </Panel>
  );
}

function KeptInterference({ value, state }: { value: Plans; state: State }) {
  const open = state.matrix ?? value.interference.find((row) => row.fault === null)?.id;
  return (
    <Panel bare title="Interference" note="how much longer units take side by side; Enter opens the matrix">
      {value.interference.length === 0 ? (
        <Empty
          title="No interference was measured"
          text="A plan that knows it keeps units apart that slow each other down."
          command="opbench interference MODEL"
        />
      ) : (
        <Table
          label="Interference"
          columns={interferenceColumns}
          rows={value.interference}
          keyOf={(row) => row.id}
          open={open}
          onOpen={(id) => change({ matrix: id === open ? 'none' : id })}
          detail={(row) => (row.fault === null ? <MatrixView id={row.id} /> : <p class="muted">{row.fault}</p>)}
        />
      )}
    </Panel>
  );
}

function Runs({ value }: { value: Plans }) {
  return (
    <Panel bare title="Runs of plans" note="Enter opens the units of a run">
      {value.rows.length === 0 ? (
        <Empty
          title="No plan was run yet"
          text={value.why_none ?? undefined}
          command="opbench profile MODEL --plan FILE"
        />
      ) : (
        <Table
          label="Runs of plans"
          columns={columns}
          rows={value.rows}
          keyOf={(row) => row.run}
          onOpen={(run) => go('model', { run })}
        />
      )}
      <TableEnd offset={value.offset} limit={value.limit} shown={value.rows.length} total={value.total} what="runs" />
    </Panel>
  );
}

const planColumns: Column<Plan>[] = [
  {
    key: 'model',
    title: 'Model',
    class: 'name',
    cell: (row) =>
      row.fault !== null ? (
        <span class="text-slower">cannot be read</span>
      ) : (
        <>
          {row.model}
          <span class="small muted">{row.planner}</span>
        </>
      ),
  },
  { key: 'workers', title: 'Workers', isRight: true, cell: (row) => (row.fault === null ? row.workers : '') },
  { key: 'units', title: 'Units', isRight: true, cell: (row) => (row.fault === null ? count(row.units) : '') },
  {
    key: 'predicted',
    title: 'Predicted',
    isRight: true,
    cell: (row) => (row.fault === null ? time(row.predicted_ms) : ''),
  },
  {
    key: 'gain',
    title: 'Gain',
    isRight: true,
    help: 'Predicted, against all units in sequence',
    cell: (row) => (row.fault === null ? times(row.sequential_ms / row.predicted_ms) : ''),
  },
  {
    key: 'measured',
    title: 'Measured',
    isRight: true,
    class: 'strong',
    cell: (row) => (row.fault === null && row.measured ? times(row.measured.speedup) : '–'),
  },
  { key: 'at', title: 'Made', isRight: true, cell: (row) => moment(row.at) },
];

const interferenceColumns: Column<Interference>[] = [
  {
    key: 'target',
    title: 'Target',
    class: 'name',
    cell: (row) => (row.fault === null ? row.target : <span class="text-slower">cannot be read</span>),
  },
  { key: 'units', title: 'Units', isRight: true, cell: (row) => (row.fault === null ? count(row.units) : '') },
  { key: 'pairs', title: 'Pairs', isRight: true, cell: (row) => (row.fault === null ? count(row.pairs) : '') },
  {
    key: 'worst',
    title: 'Worst',
    class: 'strong',
    cell: (row) => (row.fault === null && row.worst !== null ? `${times(row.worst)}, ${row.worst_pair}` : '–'),
  },
  { key: 'at', title: 'Measured', isRight: true, cell: (row) => moment(row.at) },
];

const columns: Column<Plans['rows'][number]>[] = [
  {
    key: 'label',
    title: 'Plan',
    class: 'name',
    cell: (row) => <a href={formatHash({ page: 'model', state: { run: row.run } })}>{row.label}</a>,
  },
  { key: 'ms', title: 'Whole model', isRight: true, class: 'strong', cell: (row) => time(row.end_to_end_ms) },
  { key: 'engine', title: 'Engine', cell: (row) => row.engine },
  { key: 'threads', title: 'Threads', isRight: true, cell: (row) => row.threads },
  { key: 'at', title: 'Run', isRight: true, cell: (row) => moment(row.at) },
];
