// Two runs, nights or builds beside each other: what got slower or faster, sorted by change over threshold.

import type { Compare, CompareOnly, CompareRow } from '../api';
import type { PageProps } from '../app';
import { Whisker } from '../charts/whisker';
import { change as changeText, count, percent, time } from '../core/format';
import { change, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Empty, Notes, Panel } from '../parts/basics';
import { Choice, PageHead, Search } from '../parts/page_head';
import { RunPicker } from '../parts/run_picker';
import { Table, TableEnd, type Column } from '../parts/table';
import { toneOf, VerdictWord } from '../parts/words';
import { CompareDetailView } from './compare_detail';
import { CompareLegend } from './compare_legend';
import { CompareTiles } from './compare_tiles';

const ROWS = 50; // of a page of the table
const FILTERS = ['a', 'b', 'a_engine', 'b_engine', 'a_threads', 'b_threads', 'model'] as const;

/// The parts of the state that choose what is compared, as the API takes them.
export function sidesOf(state: State, overview: PageProps['overview']): State {
  const first = overview.pages.compare;
  const sides: State = {};
  for (const name of FILTERS) if (state[name]) sides[name] = state[name];
  return { ...sides, a: state.a ?? first?.a ?? '', b: state.b ?? first?.b ?? '' };
}

export function ComparePage({ state, overview }: PageProps) {
  const sides = sidesOf(state, overview);
  const verdict = state.verdict ?? 'relevant';
  const query = {
    ...sides,
    scope: state.scope,
    verdict: verdict === 'all' ? '' : verdict,
    q: state.q,
    sort: state.sort,
    order: state.order,
    offset: state.offset,
    limit: ROWS,
  };
  const canAsk = sides.a !== '' && sides.b !== '';
  const answer = useAnswer<Compare>(canAsk ? 'api/compare' : null, query);
  const pick = (name: string) => (selector: string) =>
    change({ ...sides, [name]: selector, offset: '', open: '', only: '' });
  return (
    <>
      <PageHead
        title="Compare"
        text="What got slower or faster from one run to another. Only rows that both have are compared."
        path={canAsk ? 'api/compare' : null}
        query={query}
        command={answer.value?.command_compare}
      />
      <div class="picker-pair">
        <RunPicker label="A · before" run={answer.value?.a ?? null} selector={sides.a} onPick={pick('a')} />
        <button
          type="button"
          class="button picker-swap"
          title="Exchange the two sides"
          onClick={() =>
            change({
              a: sides.b,
              b: sides.a,
              a_engine: state.b_engine ?? '',
              b_engine: state.a_engine ?? '',
              a_threads: state.b_threads ?? '',
              b_threads: state.a_threads ?? '',
              offset: '',
              open: '',
            })
          }>
          ⇄ Swap
        </button>
        <RunPicker label="B · after" run={answer.value?.b ?? null} selector={sides.b} onPick={pick('b')} />
      </div>
      {!canAsk && (
        <section class="panel">
          <Empty title="Choose two runs" text="A is the one before, B the one after." />
        </section>
      )}
      <Answered answer={answer}>
        {(value) => <Shown value={value} state={state} sides={sides} verdict={verdict} />}
      </Answered>
    </>
  );
}

function Shown({ value, state, sides, verdict }: { value: Compare; state: State; sides: State; verdict: string }) {
  return (
    <div class="spaced">
      <CompareTiles
        value={value}
        verdict={verdict}
        onVerdict={(wanted) => change({ verdict: wanted, offset: '', open: '' })}
      />
      <Notes lines={value.notes} tone="unclear" />
      <Filters value={value} state={state} />
      <Panel bare title="Rows that both have" note={basisWords(value)} tools={<CompareLegend value={value} />}>
        <Rows value={value} state={state} sides={sides} />
        <TableEnd
          offset={value.offset}
          limit={value.limit}
          shown={value.rows.length}
          total={value.total}
          what="rows"
          note={foldedWords(value, verdict)}
        />
      </Panel>
      <OnlyOne value={value} state={state} sides={sides} />
    </div>
  );
}

function basisWords(value: Compare): string {
  return value.basis === 'paired' ? 'both sides measured in turns' : 'two runs at different times';
}

function foldedWords(value: Compare, verdict: string) {
  if (verdict !== 'relevant') return undefined;
  const without = value.without_verdict;
  const folded = value.counts.same + value.counts.inconclusive + without;
  if (folded === 0) return undefined;
  return (
    <>
      {count(value.counts.same)} the same{without > 0 ? ',' : ' and'} {count(value.counts.inconclusive)} inconclusive
      {without > 0 ? ` and ${count(without)} without a verdict` : ''} are folded away{' '}
      <button type="button" class="button button-small" onClick={() => change({ verdict: 'all', offset: '' })}>
        Show all
      </button>
    </>
  );
}

function Filters({ value, state }: { value: Compare; state: State }) {
  const models = [...new Set([...value.a.models, ...value.b.models, ...(state.model ? [state.model] : [])])];
  const engines = (side: 'a' | 'b'): [string, string][] => [
    ['', 'each with itself'],
    ...value[side].engines.map((engine): [string, string] => [engine, engine]),
  ];
  const set = (name: string) => (text: string) => change({ [name]: text, offset: '', open: '' });
  // Two engines are compared only where both are named, so choosing one names the other as well.
  const pickEngine = (side: 'a' | 'b') => (engine: string) => {
    const other = side === 'a' ? 'b' : 'a';
    const kept =
      state[`${other}_engine`] || (value[other].engines.includes(engine) ? engine : (value[other].engines[0] ?? ''));
    change({ [`${side}_engine`]: engine, [`${other}_engine`]: engine ? kept : '', offset: '', open: '' });
  };
  return (
    <div class="filters">
      <Search value={state.q ?? ''} label="Search" />
      <Choice
        label="Model"
        value={state.model ?? ''}
        options={[['', 'all models'], ...models.map((model): [string, string] => [model, model])]}
        onChange={set('model')}
      />
      <Choice
        label="Rows"
        value={state.scope ?? 'all'}
        options={[
          ['all', 'units and models'],
          ['unit', 'units'],
          ['model', 'whole models'],
        ]}
        onChange={(scope) => set('scope')(scope === 'all' ? '' : scope)}
      />
      {(value.a.engines.length > 1 || value.b.engines.length > 1 || value.a.engines[0] !== value.b.engines[0]) && (
        <>
          <Choice label="Engine of A" value={state.a_engine ?? ''} options={engines('a')} onChange={pickEngine('a')} />
          <Choice label="Engine of B" value={state.b_engine ?? ''} options={engines('b')} onChange={pickEngine('b')} />
        </>
      )}
    </div>
  );
}

function columnsOf(most: number): Column<CompareRow>[] {
  return [
    { key: 'verdict', title: 'Verdict', cell: (row) => <VerdictWord verdict={row.verdict} why={row.no_verdict} /> },
    {
      key: 'change',
      title: 'Change',
      sort: 'change',
      isRight: true,
      class: 'strong',
      help: 'Time of B against A; above 0 is slower',
      cell: (row) => <span class={`text-${toneOf(row.verdict)}`}>{changeText(row.change_pct)}</span>,
    },
    { key: 'name', title: 'Row', sort: 'name', first: 'asc', class: 'name', cell: (row) => <RowName row={row} /> },
    {
      key: 'interval',
      title: 'Interval, margin',
      help: 'The dot is the change, the line its interval, the grey band the margin',
      cell: (row) => (
        <Whisker
          change_pct={row.change_pct}
          low={row.change_low_pct}
          high={row.change_high_pct}
          margin={row.margin_pct}
          most={most}
          tone={toneOf(row.verdict)}
        />
      ),
    },
    {
      key: 'factor',
      title: 'Over margin',
      sort: 'factor',
      isRight: true,
      help: 'The change divided by the margin of this row',
      cell: (row) => `${row.factor.toFixed(1)} ×`,
    },
    { key: 'a', title: 'A', sort: 'a_ms', isRight: true, cell: (row) => time(row.a_ms) },
    { key: 'b', title: 'B', sort: 'b_ms', isRight: true, cell: (row) => time(row.b_ms) },
    {
      key: 'share',
      title: 'Share',
      sort: 'share',
      isRight: true,
      help: 'Of the time of its model, in A',
      cell: (row) => percent(row.share_pct),
    },
    {
      key: 'code',
      title: 'Code',
      cell: (row) => (
        <span class="muted">
          {row.code_changed === null ? 'not known' : row.code_changed ? 'rebuilt' : 'unchanged'}
        </span>
      ),
    },
  ];
}

function RowName({ row }: { row: CompareRow }) {
  const engines = row.engine_a === row.engine_b ? row.engine_a : `${row.engine_a} → ${row.engine_b}`;
  const threads = row.threads_a === row.threads_b ? `${row.threads_a}` : `${row.threads_a} → ${row.threads_b}`;
  return (
    <>
      {row.scope === 'model' ? row.model : (row.shapes ?? row.unit)}
      <span class="small muted">
        {row.scope === 'model' ? 'whole model' : row.model}
        {row.count > 1 ? ` · ${row.count} times` : ''} · {engines} ·{' '}
        {threads === '1' ? '1 thread' : `${threads} threads`}
        {placeWords(row)}
      </span>
    </>
  );
}

/// Devices and clocks, where they are not the CPU and its clock.
function placeWords(row: CompareRow): string {
  const devices = [...new Set([row.device_a, row.device_b].map((device) => device ?? 'CPU'))];
  const clocks = [...new Set([row.clock_a, row.clock_b])];
  const device = row.device_a || row.device_b ? ` · ${devices.join(' → ')}` : '';
  return clocks.length > 1 || clocks[0] !== 'wall' ? `${device} · ${clocks.join(' → ')} clock` : device;
}

function Rows({ value, state, sides }: { value: Compare; state: State; sides: State }) {
  if (value.rows.length === 0) return <NoRows value={value} state={state} />;
  const most = Math.max(
    3,
    ...value.rows.map((row) =>
      Math.min(60, Math.max(Math.abs(row.change_high_pct ?? row.change_pct), Math.abs(row.change_low_pct ?? 0))),
    ),
  );
  return (
    <Table
      label="Rows that both have"
      columns={columnsOf(most)}
      rows={value.rows}
      keyOf={(row) => row.key}
      sort={state.sort ?? 'factor'}
      order={state.order ?? 'desc'}
      onSort={(sort, order) => change({ sort, order, offset: '' })}
      open={state.open}
      onOpen={(key) => change({ open: key === state.open ? '' : key })}
      detail={(row) => <CompareDetailView sides={sides} rowKey={row.key} />}
    />
  );
}

function NoRows({ value, state }: { value: Compare; state: State }) {
  if (value.matched === 0)
    return (
      <Empty
        title="The two sides have no row in common"
        text="Rows agree in model, unit, engine and threads. Choose an engine on each side to compare two engines."
      />
    );
  if (state.q || state.scope || state.model)
    return <Empty title="No row passes these filters" text="Take words away, or show all verdicts." />;
  return (
    <Empty
      title="Nothing got slower or faster"
      text={`${count(value.matched)} rows were compared: ${count(value.counts.same)} are the same, ${count(value.counts.inconclusive)} inconclusive${value.without_verdict ? `, ${count(value.without_verdict)} without a verdict` : ''}.`}
    />
  );
}

function OnlyOne({ value, state, sides }: { value: Compare; state: State; sides: State }) {
  if (value.only_a + value.only_b === 0) return null;
  const side = state.only ?? '';
  const toggle = (wanted: string) => change({ only: side === wanted ? '' : wanted, only_offset: '' });
  const tools = (
    <>
      <button type="button" class="button button-small" aria-pressed={side === 'a'} onClick={() => toggle('a')}>
        Only in A: {count(value.only_a)}
      </button>
      <button type="button" class="button button-small" aria-pressed={side === 'b'} onClick={() => toggle('b')}>
        Only in B: {count(value.only_b)}
      </button>
    </>
  );
  return (
    <Panel bare title="Rows that only one side has" note="not in any count above" tools={tools}>
      {side && <OnlyRows query={{ ...sides, side, offset: state.only_offset }} />}
    </Panel>
  );
}

function OnlyRows({ query }: { query: State }) {
  const answer = useAnswer<CompareOnly>('api/compare/only', query);
  const columns: Column<CompareOnly['rows'][number]>[] = [
    {
      key: 'unit',
      title: 'Row',
      class: 'name',
      cell: (row) =>
        row.scope === 'model' ? (
          row.model
        ) : (
          <>
            {row.shapes ?? row.unit}
            <span class="small muted">{row.model}</span>
          </>
        ),
    },
    { key: 'engine', title: 'Engine', cell: (row) => row.engine },
    { key: 'threads', title: 'Threads', isRight: true, cell: (row) => row.threads },
    { key: 'ms', title: 'Time', isRight: true, cell: (row) => time(row.ms) },
    { key: 'failure', title: 'Failure', class: 'name', cell: (row) => row.failure ?? '' },
  ];
  return (
    <Answered answer={answer}>
      {(value) => (
        <>
          <Table
            label="Rows that only one side has"
            columns={columns}
            rows={value.rows}
            keyOf={(row) => `${row.series} ${row.model} ${row.unit}`}
          />
          <TableEnd
            offset={value.offset}
            limit={value.limit}
            shown={value.rows.length}
            total={value.total}
            what="rows"
            stateKey="only_offset"
          />
        </>
      )}
    </Answered>
  );
}
