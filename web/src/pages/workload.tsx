// Everything that was ever recorded of one workload.

import type { WorkloadAnswer, Workloads } from '../api';
import type { PageProps } from '../app';
import { count, date, percent, time } from '../core/format';
import { change, formatHash, go, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Command, Empty, Panel } from '../parts/basics';
import { PageHead, Search } from '../parts/page_head';
import { Table, TableEnd, type Column } from '../parts/table';

export function WorkloadPage({ state }: PageProps) {
  return state.workload ? <One state={state} /> : <List state={state} />;
}

function List({ state }: { state: State }) {
  const query = { q: state.q, sort: state.sort, order: state.order, offset: state.offset };
  const answer = useAnswer<Workloads>('api/workloads', query);
  return (
    <>
      <PageHead
        title="Workloads"
        text="Operators with their shapes, whatever model, engine or machine they were measured in."
        path="api/workloads"
        query={query}
      />
      <div class="filters">
        <Search value={state.q ?? ''} label="Search" />
      </div>
      <Answered answer={answer}>
        {(value) => (
          <section class="panel gap-above">
            {value.rows.length === 0 ? (
              <Empty title="No workload has these words" />
            ) : (
              <Table
                label="Workloads"
                columns={listColumns}
                rows={value.rows}
                keyOf={(row) => row.workload}
                sort={state.sort ?? 'records'}
                order={state.order ?? 'desc'}
                onSort={(sort, order) => change({ sort, order, offset: '' })}
                onOpen={(workload) => go('workload', { workload })}
              />
            )}
            <TableEnd
              offset={value.offset}
              limit={value.limit}
              shown={value.rows.length}
              total={value.total}
              what="workloads"
            />
          </section>
        )}
      </Answered>
    </>
  );
}

const listColumns: Column<Workloads['rows'][number]>[] = [
  {
    key: 'name',
    title: 'Workload',
    sort: 'name',
    first: 'asc',
    class: 'name',
    cell: (row) => (
      <>
        <a href={formatHash({ page: 'workload', state: { workload: row.workload } })}>{row.shapes ?? row.workload}</a>
        {row.shapes && <span class="small muted">{row.workload}</span>}
      </>
    ),
  },
  { key: 'best', title: 'Best', isRight: true, class: 'strong', cell: (row) => time(row.best_ms) },
  { key: 'engines', title: 'Engines', cell: (row) => row.engines.join(', ') },
  { key: 'records', title: 'Records', sort: 'records', isRight: true, cell: (row) => count(row.records) },
  { key: 'last', title: 'Measured last', sort: 'last', isRight: true, cell: (row) => date(row.last_at) },
];

type Row = WorkloadAnswer['rows'][number];

function One({ state }: { state: State }) {
  const query = { workload: state.workload };
  const answer = useAnswer<WorkloadAnswer>('api/workload', query);
  return (
    <>
      <PageHead
        title={answer.value?.shapes ?? state.workload}
        text={
          <>
            <a href="#/workload">All workloads</a> · {state.workload}
          </>
        }
        path="api/workload"
        query={query}
        command={answer.value?.command}
      />
      <Answered answer={answer}>
        {(value) => (
          <div class="spaced">
            <Panel
              bare
              title="Measured"
              note={`${count(value.rows.length)} combinations of engine, machine and schedule, fastest first`}>
              {value.rows.length === 0 ? (
                <Empty title="Never measured" command={value.command} />
              ) : (
                <Table
                  label="Measured"
                  columns={rowColumns(value.rows)}
                  rows={[...value.rows].sort((a, b) => a.best_ms - b.best_ms)}
                  keyOf={(row) => `${row.series} ${row.schedule}`}
                />
              )}
            </Panel>
            <div class="grid">
              <Panel bare title="Predicted" note={count(value.predictions.length)}>
                {value.predictions.length === 0 ? (
                  <p class="panel-body muted">No prediction was kept.</p>
                ) : (
                  <Table
                    label="Predicted"
                    columns={predictionColumns}
                    rows={value.predictions}
                    keyOf={(row) => `${row.predictor} ${row.at}`}
                  />
                )}
              </Panel>
              <Panel bare title="Tuned" note={count(value.tasks.length)}>
                {value.tasks.length === 0 ? (
                  <p class="panel-body muted">No task of it has trials.</p>
                ) : (
                  <Table
                    label="Tuned"
                    columns={taskColumns(value.workload)}
                    rows={value.tasks}
                    keyOf={(row) => row.key}
                  />
                )}
              </Panel>
            </div>
            <Command title="Measure it" text={value.command} />
          </div>
        )}
      </Answered>
    </>
  );
}

function rowColumns(rows: Row[]): Column<Row>[] {
  const best = Math.min(...rows.map((row) => row.best_ms));
  return [
    { key: 'engine', title: 'Engine', class: 'strong', cell: (row) => row.engine },
    { key: 'threads', title: 'Threads', isRight: true, cell: (row) => row.threads },
    { key: 'best', title: 'Best', isRight: true, class: 'strong', cell: (row) => time(row.best_ms) },
    {
      key: 'factor',
      title: 'Against the best',
      isRight: true,
      cell: (row) =>
        row.best_ms === best ? <span class="text-faster">fastest</span> : `${(row.best_ms / best).toFixed(2)} ×`,
    },
    { key: 'median', title: 'Median', isRight: true, cell: (row) => time(row.median_ms) },
    { key: 'last', title: 'Last', isRight: true, cell: (row) => time(row.last_ms) },
    ...(rows.some((row) => row.percent_of_peak !== null)
      ? [{ key: 'peak', title: 'Of peak', isRight: true, cell: (row: Row) => percent(row.percent_of_peak, 0) }]
      : []),
    ...(rows.some((row) => row.schedule !== null)
      ? [{ key: 'schedule', title: 'Schedule', cell: (row: Row) => row.schedule ?? '' }]
      : []),
    { key: 'models', title: 'Models', class: 'name', cell: (row) => row.models.join(', ') },
    { key: 'machine', title: 'Machine', cell: (row) => row.machine_name },
    { key: 'records', title: 'Records', isRight: true, cell: (row) => count(row.records) },
    {
      key: 'at',
      title: 'Measured last',
      isRight: true,
      cell: (row) => <a href={formatHash({ page: 'series', state: { id: row.series } })}>{date(row.last_at)}</a>,
    },
  ];
}

const predictionColumns: Column<WorkloadAnswer['predictions'][number]>[] = [
  { key: 'predictor', title: 'Predictor', cell: (row) => row.predictor },
  { key: 'ms', title: 'Time', isRight: true, cell: (row) => time(row.ms) },
  {
    key: 'interval',
    title: 'Interval',
    isRight: true,
    cell: (row) => (row.low_ms === null ? '–' : `${time(row.low_ms)} to ${time(row.high_ms)}`),
  },
  { key: 'at', title: 'At', isRight: true, cell: (row) => date(row.at) },
];

const taskColumns = (workload: string): Column<WorkloadAnswer['tasks'][number]>[] => [
  {
    key: 'task',
    title: 'Task',
    cell: (row) => <a href={formatHash({ page: 'tuning', state: { q: workload, task: row.key } })}>{row.task}</a>,
  },
  { key: 'target', title: 'Target', class: 'name', cell: (row) => row.target },
  { key: 'trials', title: 'Trials', isRight: true, cell: (row) => count(row.trials) },
  { key: 'best', title: 'Best', isRight: true, cell: (row) => time(row.best_ms) },
];
