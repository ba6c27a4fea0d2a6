import type { SeriesInfo, SeriesList } from '../api';
import { change as changeText, count, date, time } from '../core/format';
import { change, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Panel } from '../parts/basics';
import { Choice, Search } from '../parts/page_head';
import { Table, TableEnd, type Column } from '../parts/table';

/// Every series of the store, to choose from.
export function SeriesTable({
  state,
  shown,
  onToggle,
}: {
  state: State;
  shown: string[];
  onToggle: (id: string) => void;
}) {
  const query = {
    q: state.q,
    model: state.model,
    engine: state.engine,
    suite: state.suite,
    machine: state.machine,
    scope: state.scope,
    alerts: state.alerts,
    sort: state.sort,
    order: state.order,
    offset: state.offset,
    limit: 25,
  };
  const answer = useAnswer<SeriesList>('api/series/list', query);
  const set = (name: string) => (value: string) => change({ [name]: value, offset: '' });
  const all = (word: string, values: string[]): [string, string][] => [
    ['', word],
    ...values.map((one): [string, string] => [one, one]),
  ];
  const lists = answer.value;
  return (
    <Panel bare title="All series" note="Enter shows or hides a row above">
      <div class="panel-body">
        <div class="filters">
          <Search value={state.q ?? ''} label="Search" />
          <Choice
            label="Model"
            value={state.model ?? ''}
            options={all('all models', lists?.models ?? [])}
            onChange={set('model')}
          />
          <Choice
            label="Engine"
            value={state.engine ?? ''}
            options={all('all engines', lists?.engines ?? [])}
            onChange={set('engine')}
          />
          <Choice
            label="Suite"
            value={state.suite ?? ''}
            options={all('all suites', lists?.suites ?? [])}
            onChange={set('suite')}
          />
          <Choice
            label="Alerts"
            value={state.alerts ?? ''}
            options={[
              ['', 'with and without'],
              ['1', 'open alerts only'],
            ]}
            onChange={set('alerts')}
          />
        </div>
      </div>
      <Answered answer={answer}>
        {(value) => (
          <>
            <Table
              label="All series"
              columns={columnsOf(shown)}
              rows={value.rows}
              keyOf={(row) => row.id}
              sort={state.sort ?? 'alerts'}
              order={state.order ?? 'desc'}
              onSort={(sort, order) => change({ sort, order, offset: '' })}
              onOpen={onToggle}
            />
            <TableEnd
              offset={value.offset}
              limit={value.limit}
              shown={value.rows.length}
              total={value.total}
              what="series"
            />
          </>
        )}
      </Answered>
    </Panel>
  );
}

function columnsOf(shown: string[]): Column<SeriesInfo>[] {
  return [
    {
      key: 'shown',
      title: 'Shown',
      cell: (row) =>
        shown.includes(row.id) ? <span class="word word-accent">shown</span> : <span class="muted">no</span>,
    },
    {
      key: 'name',
      title: 'Series',
      sort: 'name',
      first: 'asc',
      class: 'name',
      cell: (row) => (
        <>
          {row.scope === 'model' ? row.model : (row.shapes ?? row.unit)}
          <span class="small muted">
            {row.scope === 'model' ? 'whole model' : row.model} · {row.engine} ·{' '}
            {row.threads === 1 ? '1 thread' : `${row.threads} threads`}
          </span>
        </>
      ),
    },
    {
      key: 'alerts',
      title: 'Open alerts',
      sort: 'alerts',
      isRight: true,
      cell: (row) => (row.alerts > 0 ? <span class="text-slower">! {row.alerts}</span> : <span class="muted">0</span>),
    },
    { key: 'last', title: 'Last', sort: 'last', isRight: true, cell: (row) => time(row.last_ms) },
    {
      key: 'change',
      title: 'Against the week',
      sort: 'change',
      isRight: true,
      help: 'The last point against the median of up to seven before it',
      cell: (row) => changeText(row.change_pct),
    },
    { key: 'points', title: 'Points', sort: 'points', isRight: true, cell: (row) => count(row.points) },
    { key: 'until', title: 'Measured last', isRight: true, cell: (row) => date(row.last_at) },
    {
      key: 'suite',
      title: 'Suite',
      cell: (row) => (row.suite ? `${row.suite} · ${row.branch ?? ''}` : <span class="muted">none</span>),
    },
    { key: 'machine', title: 'Machine', cell: (row) => row.machine_name },
  ];
}
