// Tuning tasks: the best so far, configs over their knobs, which knobs matter.

import type { Tuning, TuningTask } from '../api';
import type { PageProps } from '../app';
import { Parallel } from '../charts/parallel';
import { Progress } from '../charts/progress';
import { count, date, percent, time } from '../core/format';
import { change, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Command, Empty, Panel, Tile } from '../parts/basics';
import { Choice, PageHead, Search } from '../parts/page_head';
import { Table, TableEnd, type Column } from '../parts/table';

type Row = Tuning['rows'][number];

export function TuningPage({ state }: PageProps) {
  const query = { q: state.q, target: state.target, sort: state.sort, order: state.order, offset: state.offset };
  const answer = useAnswer<Tuning>('api/tuning', query);
  return (
    <>
      <PageHead
        title="Tuning"
        text="Tasks and their trials: how the best time fell, which configs were tried, which knobs matter."
        path="api/tuning"
        query={query}
      />
      <div class="filters">
        <Search value={state.q ?? ''} label="Search" />
        <Choice
          label="Target"
          value={state.target ?? ''}
          options={[['', 'all targets'], ...(answer.value?.targets ?? []).map((one): [string, string] => [one, one])]}
          onChange={(target) => change({ target, offset: '' })}
        />
      </div>
      <Answered answer={answer}>{(value) => <Tasks value={value} state={state} />}</Answered>
    </>
  );
}

const columns: Column<Row>[] = [
  {
    key: 'task',
    title: 'Task',
    sort: 'name',
    first: 'asc',
    class: 'name',
    cell: (row) => (
      <>
        {row.task}
        <span class="small muted">{row.args}</span>
      </>
    ),
  },
  {
    key: 'best',
    title: 'Best',
    sort: 'best',
    first: 'asc',
    isRight: true,
    class: 'strong',
    cell: (row) => time(row.best_ms),
  },
  {
    key: 'first',
    title: 'First',
    isRight: true,
    help: 'The first trial that was timed',
    cell: (row) => time(row.first_ms),
  },
  {
    key: 'gain',
    title: 'Gained',
    isRight: true,
    cell: (row) => (row.first_ms && row.best_ms ? `${(row.first_ms / row.best_ms).toFixed(2)} ×` : '–'),
  },
  { key: 'trials', title: 'Trials', sort: 'trials', isRight: true, cell: (row) => count(row.trials) },
  { key: 'failed', title: 'Failed', isRight: true, cell: (row) => count(row.failed) },
  { key: 'target', title: 'Target', class: 'name', cell: (row) => row.target },
  { key: 'last', title: 'Last trial', sort: 'last', isRight: true, cell: (row) => date(row.last_at) },
];

function Tasks({ value, state }: { value: Tuning; state: State }) {
  return (
    <section class="panel gap-above">
      {value.rows.length === 0 ? (
        <Empty title="No task passes these filters" />
      ) : (
        <Table
          label="Tuning tasks"
          columns={columns}
          rows={value.rows}
          keyOf={(row) => row.key}
          sort={state.sort ?? 'trials'}
          order={state.order ?? 'desc'}
          onSort={(sort, order) => change({ sort, order, offset: '' })}
          open={state.task}
          onOpen={(key) => change({ task: key === state.task ? '' : key })}
          detail={(row) => <TaskDetail taskKey={row.key} />}
        />
      )}
      <TableEnd offset={value.offset} limit={value.limit} shown={value.rows.length} total={value.total} what="tasks" />
    </section>
  );
}

function TaskDetail({ taskKey }: { taskKey: string }) {
  const answer = useAnswer<TuningTask>('api/tuning/task', { key: taskKey });
  return <Answered answer={answer}>{(task) => <Task task={task} />}</Answered>;
}

function Task({ task }: { task: TuningTask }) {
  const { trial, ms, best_ms, best_at_trial } = task.best_so_far;
  const knobs = [...task.knobs].sort((a, b) => (b.explained_pct ?? -1) - (a.explained_pct ?? -1));
  return (
    <div class="spaced">
      <div class="tiles">
        <Tile
          name="Best"
          value={time(best_ms.at(-1))}
          note={best_at_trial === null ? undefined : `at trial ${count(best_at_trial)} of ${count(task.trials)}`}
        />
        <Tile
          name="Failed"
          value={count(task.failed)}
          note={task.errors.map((one) => `${count(one.count)} ${one.error}`).join(', ') || 'none'}
        />
        <Tile
          name="Knob that matters most"
          value={knobs[0]?.name ?? '–'}
          note={
            knobs[0] && knobs[0].explained_pct !== null
              ? `explains ${percent(knobs[0].explained_pct, 0)} of the variance`
              : undefined
          }
        />
      </div>
      <Panel title="Best so far" note="dots: trials; line: the best time until then">
        <Progress trial={trial} ms={ms} best={best_ms} />
      </Panel>
      {knobs.length === 0 ? (
        <Panel>
          <Empty title="No knobs to show" text={task.why_no_knobs ?? undefined} />
        </Panel>
      ) : (
        <>
          <Panel title="Configs" note="a line a config, darker where it is faster; the best one is orange and thick">
            <Parallel task={task} />
          </Panel>
          <Panel
            bare
            title="Knobs"
            note="how much of the variance of ln(time) lies between the values of a knob, corrected for how many it has">
            <Table label="Knobs" columns={knobColumns} rows={knobs} keyOf={(knob) => knob.name} />
          </Panel>
        </>
      )}
      {task.command && <Command title="Go on tuning" text={task.command} />}
    </div>
  );
}

const knobColumns: Column<TuningTask['knobs'][number]>[] = [
  { key: 'name', title: 'Knob', class: 'strong', cell: (knob) => knob.name },
  {
    key: 'explained',
    title: 'Explains',
    cell: (knob) => (
      <span class="share">
        <span class="bar" style={{ width: `${Math.max(1, knob.explained_pct ?? 0) * 1.2}px` }} aria-hidden="true" />
        {percent(knob.explained_pct, 0)}
      </span>
    ),
  },
  { key: 'best', title: 'Best value', cell: (knob) => <span class="mono">{knob.best_value}</span> },
  { key: 'values', title: 'Values', class: 'name', cell: (knob) => valuesOf(knob.values) },
];

function valuesOf(values: string[]): string {
  const shown = values.slice(0, 24).join(', ');
  return values.length > 24 ? `${shown} and ${values.length - 24} more` : shown;
}
