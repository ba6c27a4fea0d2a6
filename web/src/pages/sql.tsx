// A question in SQL, its answer as a table or a plot, and a link that holds both.

import { useEffect, useState } from 'preact/hooks';
import type { SqlAnswer, SqlSchema } from '../api';
import type { PageProps } from '../app';
import { PlotXy } from '../charts/plot_xy';
import { count, number } from '../core/format';
import { change, type State } from '../core/route';
import { isExported } from '../core/source';
import { useAnswer } from '../core/use_answer';
import { Answered, Empty, Failure, Panel } from '../parts/basics';
import { Choice, PageHead, Tabs } from '../parts/page_head';
import { Table, type Column } from '../parts/table';

export function SqlPage({ state }: PageProps) {
  if (isExported()) {
    return (
      <>
        <PageHead title="SQL" />
        <section class="panel">
          <Empty title="An exported site answers no SQL" text="It needs the store." command="opbench web" />
        </section>
      </>
    );
  }
  const query = { q: state.q, limit: state.limit ?? 500 };
  const answer = useAnswer<SqlAnswer>(state.q ? 'api/sql' : null, query);
  return (
    <>
      <PageHead
        title="SQL"
        text="Ask the store. Queries read only; the address holds the query."
        path={state.q ? 'api/sql' : null}
        query={query}
        command={state.q ? `opbench records query '${state.q.replace(/'/g, `'\\''`)}'` : null}
      />
      <div class="grid grid-wide">
        <Panel
          title="Query"
          tools={
            <span class="small muted">
              <kbd>Ctrl</kbd> <kbd>Enter</kbd> asks
            </span>
          }>
          <Editor state={state} isBusy={answer.isBusy} />
        </Panel>
        <Panel title="Tables and examples">
          <Schema />
        </Panel>
      </div>
      {answer.error && (
        <section class="panel">
          <Failure error={answer.error} />
        </section>
      )}
      {answer.error === null && <Answered answer={answer}>{(value) => <Shown value={value} state={state} />}</Answered>}
    </>
  );
}

function Editor({ state, isBusy }: { state: State; isBusy: boolean }) {
  const [text, setText] = useState(state.q ?? '');
  useEffect(() => setText(state.q ?? ''), [state.q]);
  const run = () => change({ q: text.trim(), x: '', y: '' });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}>
      <label class="hidden-word" for="sql">
        Query
      </label>
      <textarea
        id="sql"
        class="sql-editor"
        data-search
        spellcheck={false}
        value={text}
        placeholder="select engine, count(*) from benchmarks group by engine"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            run();
          }
        }}
      />
      <div class="point-head gap-small">
        <button type="submit" class="button button-main" disabled={text.trim() === '' || isBusy}>
          {isBusy ? 'Asking …' : 'Ask'}
        </button>
      </div>
    </form>
  );
}

function Schema() {
  const answer = useAnswer<SqlSchema>('api/sql/schema');
  return (
    <Answered answer={answer}>
      {(schema) => (
        <div class="sql-side" tabIndex={0} aria-label="Tables and examples">
          {schema.examples.map((one) => (
            <button
              type="button"
              class="button button-small example"
              onClick={() => change({ q: one.sql, x: '', y: '' })}>
              {one.title}
            </button>
          ))}
          {schema.tables.map((table) => (
            <details class="fold">
              <summary>{table.name}</summary>
              <p class="small muted">{table.help}</p>
              <ul class="small">
                {table.columns.map((column) => (
                  <li>
                    <span class="mono">{column.name}</span> <span class="muted">{column.type}</span>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </div>
      )}
    </Answered>
  );
}

function Shown({ value, state }: { value: SqlAnswer; state: State }) {
  const view = state.view ?? 'table';
  const numeric = value.columns
    .map((column, index) => ({ column, index }))
    .filter(({ index }) => value.rows.some((row) => typeof row[index] === 'number'));
  return (
    <Panel
      bare
      title="Answer"
      note={`${count(value.rows.length)} rows${value.is_cut ? ', there are more' : ''} in ${number(value.took_ms, 2)} ms`}
      tools={
        <Tabs
          label="View"
          value={view}
          options={[
            ['table', 'Table'],
            ['plot', 'Plot'],
          ]}
          onChange={(wanted) => change({ view: wanted === 'table' ? '' : wanted })}
        />
      }>
      {value.rows.length === 0 ? (
        <Empty title="No rows" />
      ) : view === 'plot' ? (
        <Plot value={value} state={state} numeric={numeric.map((one) => one.index)} />
      ) : (
        <Answer value={value} />
      )}
    </Panel>
  );
}

const DRAWN = 500; // rows of the table; the CSV has the others

function Answer({ value }: { value: SqlAnswer }) {
  const columns = value.columns.map((column, index): Column<{ row: SqlAnswer['rows'][number]; at: number }> => ({
    key: String(index),
    title: column.name,
    help: column.type,
    isRight: value.rows.some((row) => typeof row[index] === 'number'),
    cell: ({ row }) => cellOf(row[index]),
  }));
  const rows = value.rows.slice(0, DRAWN).map((row, at) => ({ row, at }));
  return (
    <>
      <Table label="Answer" columns={columns} rows={rows} keyOf={(one) => String(one.at)} />
      {value.rows.length > DRAWN && <div class="table-end">The first {count(DRAWN)} rows; the CSV has all.</div>}
    </>
  );
}

function cellOf(cell: SqlAnswer['rows'][number][number]) {
  if (cell === null) return <span class="muted">null</span>;
  if (typeof cell === 'number') return String(Number.isInteger(cell) ? cell : Number(cell.toPrecision(6)));
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function Plot({ value, state, numeric }: { value: SqlAnswer; state: State; numeric: number[] }) {
  if (numeric.length === 0) return <Empty title="No column holds numbers" />;
  const options = value.columns.map((column, index): [string, string] => [String(index), column.name]);
  const y = state.y !== undefined && numeric.includes(Number(state.y)) ? Number(state.y) : numeric[numeric.length - 1];
  const x = state.x !== undefined ? Number(state.x) : value.columns.findIndex((_, index) => index !== y);
  return (
    <div class="panel-body spaced">
      <div class="filters">
        <Choice
          label="Across"
          value={String(x)}
          options={[['-1', 'number of the row'], ...options]}
          onChange={(text) => change({ x: text })}
        />
        <Choice
          label="Up"
          value={String(y)}
          options={options.filter(([index]) => numeric.includes(Number(index)))}
          onChange={(text) => change({ y: text })}
        />
      </div>
      <PlotXy
        labels={value.rows.map((row, index) => (x < 0 ? index : (row[x] as number | string)))}
        values={value.rows.map((row) => row[y] as number | null)}
        xName={x < 0 ? 'row' : value.columns[x].name}
        yName={value.columns[y].name}
      />
    </div>
  );
}
