// One run of a model: what to do first, its units, the roofline, the graph coloured by time, engines side by side.

import type { ModelAnswer, ModelUnit } from '../api';
import type { PageProps } from '../app';
import { Roofline, type RoofDot } from '../charts/roofline';
import { change as changeText, commit, percent, scaled, time } from '../core/format';
import { change, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Empty, Notes, Panel } from '../parts/basics';
import { Choice, PageHead, Tabs } from '../parts/page_head';
import { RunPicker } from '../parts/run_picker';
import { Table, TableEnd, type Column } from '../parts/table';
import { EngineTable } from './model_engines';
import { FindingList } from './model_findings';
import { GraphView } from './model_graph';
import { UnitDetail } from './model_unit';

export function ModelPage({ state, overview }: PageProps) {
  const run = state.run ?? overview.pages.model?.run ?? '';
  const query = {
    run,
    base: state.base,
    model: state.model,
    engine: state.engine,
    sort: state.sort,
    order: state.order,
    offset: state.offset,
  };
  const answer = useAnswer<ModelAnswer>(run ? 'api/model' : null, query);
  const value = answer.value;
  return (
    <>
      <PageHead
        title={value?.model ?? 'Model'}
        text={value ? factsOf(value) : 'One run of a model: units, roofline, graph, engines side by side.'}
        path={run ? 'api/model' : null}
        query={query}
        command={value?.command}
      />
      <div class="picker-pair picker-two">
        <RunPicker
          label="Run"
          run={value?.run ?? null}
          selector={run}
          onPick={(selector) => change({ run: selector, model: '', engine: '', offset: '', open: '' })}
        />
        <div>
          <RunPicker
            label="Base beside it"
            run={value?.base ?? null}
            selector={state.base ?? 'none'}
            onPick={(base) => change({ base })}
          />
          {state.base && (
            <button type="button" class="button button-small under" onClick={() => change({ base: '' })}>
              Take the base away
            </button>
          )}
        </div>
      </div>
      {!run && (
        <section class="panel">
          <Empty title="Choose a run" />
        </section>
      )}
      <Answered answer={answer}>{(shown) => <Shown value={shown} state={state} run={run} />}</Answered>
    </>
  );
}

function factsOf(value: ModelAnswer): string {
  return (
    [
      value.target && `target ${value.target}`,
      value.run.machine_name,
      value.run.commit && `commit ${commit(value.run.commit)}`,
      value.sha256 && `model ${value.sha256.slice(0, 12)}`,
    ]
      .filter(Boolean)
      .join(' · ') || 'One run of a model.'
  );
}

function Shown({ value, state, run }: { value: ModelAnswer; state: State; run: string }) {
  const engine =
    state.engine && value.engines.some((one) => one.key === state.engine)
      ? state.engine
      : (value.engines[0]?.key ?? '');
  const view = state.view ?? 'roofline';
  const choose = (unit: string) => change({ open: unit === state.open ? '' : unit });
  const failures = value.engines.filter((one) => one.failure).map((one) => `${one.key} failed: ${one.failure}`);
  return (
    <div class="spaced">
      <Notes lines={failures} tone="bad" />
      {value.findings && <FindingList findings={value.findings} />}
      <EngineTable engines={value.engines} chosen={engine} hasBase={value.base !== null} />
      <div class="filters">
        {value.models.length > 1 && (
          <Choice
            label="Model of this run"
            value={value.model}
            options={value.models.map((one): [string, string] => [one, one])}
            onChange={(model) => change({ model, open: '', offset: '' })}
          />
        )}
        <Choice
          label="Numbers of"
          value={engine}
          options={value.engines.map((one): [string, string] => [one.key, one.key])}
          onChange={(key) => change({ engine: key, offset: '' })}
        />
        <Tabs
          label="Picture"
          value={view}
          options={[
            ['roofline', 'Roofline'],
            ['graph', 'Graph'],
          ]}
          onChange={(wanted) => change({ view: wanted === 'roofline' ? '' : wanted })}
        />
      </div>
      {view === 'graph' ? (
        <GraphView run={run} value={value} engine={engine} chosen={state.open} onChoose={choose} />
      ) : (
        <RoofPanel value={value} engine={engine} chosen={state.open} onChoose={choose} />
      )}
      <Units value={value} engine={engine} state={state} />
    </div>
  );
}

function RoofPanel({
  value,
  engine,
  chosen,
  onChoose,
}: {
  value: ModelAnswer;
  engine: string;
  chosen?: string;
  onChoose: (unit: string) => void;
}) {
  const found = value.engines.find((one) => one.key === engine);
  const dots: RoofDot[] = [];
  for (const unit of value.units) {
    const one = unit.by_engine[engine];
    if (one?.intensity && one.gflops_per_s) {
      dots.push({
        name: unit.shapes ?? unit.unit,
        intensity: one.intensity,
        gflops_per_s: one.gflops_per_s,
        share_pct: one.share_pct,
        total_ms: one.total_ms,
      });
    }
  }
  const keyOf = new Map(value.units.map((unit) => [unit.shapes ?? unit.unit, unit.unit]));
  const open = value.units.find((unit) => unit.unit === chosen);
  return (
    <Panel
      title="Roofline"
      note={`${engine}; a larger dot takes more of the model. Ceilings were measured beside the run.`}>
      <Roofline
        dots={dots}
        ceilings={{ peak_gflops: found?.peak_gflops ?? null, memory_gbytes_per_s: found?.memory_gbytes_per_s ?? null }}
        chosen={open && (open.shapes ?? open.unit)}
        onChoose={(name) => onChoose(keyOf.get(name) ?? name)}
      />
    </Panel>
  );
}

function Units({ value, engine, state }: { value: ModelAnswer; engine: string; state: State }) {
  return (
    <Panel bare title="Units" note="each kind once; engines side by side">
      <Table
        label="Units"
        columns={columnsOf(value, engine)}
        rows={value.units}
        keyOf={(row) => row.unit}
        sort={state.sort ?? 'total'}
        order={state.order ?? 'desc'}
        onSort={(sort, order) => change({ sort, order, offset: '' })}
        open={state.open}
        onOpen={(unit) => change({ open: unit === state.open ? '' : unit })}
        detail={(row) => <UnitDetail unit={row} value={value} />}
      />
      <TableEnd offset={value.offset} limit={value.limit} shown={value.units.length} total={value.total} what="units" />
    </Panel>
  );
}

function columnsOf(value: ModelAnswer, engine: string): Column<ModelUnit>[] {
  const others = value.engines.filter((one) => one.key !== engine);
  const of = (row: ModelUnit) => row.by_engine[engine] ?? null;
  const most = Math.max(1e-9, ...value.units.map((row) => of(row)?.share_pct ?? 0));
  return [
    {
      key: 'name',
      title: 'Unit',
      sort: 'name',
      first: 'asc',
      class: 'name',
      cell: (row) => (
        <>
          {row.shapes ?? row.unit}
          <span class="small muted">
            {row.operator}
            {row.count > 1 ? ` · ${row.count} times` : ''}
          </span>
        </>
      ),
    },
    {
      key: 'total',
      title: 'In the model',
      sort: 'total',
      isRight: true,
      class: 'strong',
      help: 'All calls of this unit inside the running model',
      cell: (row) => time(of(row)?.total_ms),
    },
    {
      key: 'share',
      title: 'Share',
      sort: 'share',
      cell: (row) => <Share value={of(row)?.share_pct ?? null} most={most} />,
    },
    {
      key: 'ms',
      title: 'Alone',
      sort: 'ms',
      isRight: true,
      help: 'One call, measured alone',
      cell: (row) => (of(row)?.failure ? <span class="text-slower">failed</span> : time(of(row)?.ms)),
    },
    ...(value.base
      ? [
          {
            key: 'base',
            title: 'Base',
            isRight: true,
            cell: (row: ModelUnit) => <BaseTime row={row} engine={engine} />,
          },
        ]
      : []),
    ...others.map((one): Column<ModelUnit> => ({
      key: one.key,
      title: one.key,
      isRight: true,
      help: `Alone on ${one.key}, against ${engine}`,
      cell: (row) => <Beside row={row} engine={engine} other={one.key} />,
    })),
    { key: 'rate', title: 'FLOP/s', isRight: true, cell: (row) => scaled(times(of(row)?.gflops_per_s, 1e9), '') },
    {
      key: 'peak',
      title: 'Of peak',
      sort: 'percent_of_peak',
      isRight: true,
      cell: (row) => percent(of(row)?.percent_of_peak, 0),
    },
    ...(value.units.some((row) => of(row)?.bound)
      ? [{ key: 'bound', title: 'Limited by', cell: (row: ModelUnit) => of(row)?.bound ?? '' }]
      : []),
    ...(value.units.some((row) => of(row)?.schedule)
      ? [{ key: 'schedule', title: 'Schedule', cell: (row: ModelUnit) => of(row)?.schedule ?? '' }]
      : []),
  ];
}

function times(value: number | null | undefined, factor: number): number | null {
  return value === null || value === undefined ? null : value * factor;
}

function Share({ value, most }: { value: number | null; most: number }) {
  if (value === null) return <>–</>;
  return (
    <span class="share">
      <span class="bar" style={{ width: `${Math.max(1, (value / most) * 64)}px` }} aria-hidden="true" />
      {percent(value)}
    </span>
  );
}

function BaseTime({ row, engine }: { row: ModelUnit; engine: string }) {
  const one = row.by_engine[engine];
  return (
    <>
      {time(one?.base_ms)} <Against ms={one?.ms} base={one?.base_ms} />
    </>
  );
}

function Beside({ row, engine, other }: { row: ModelUnit; engine: string; other: string }) {
  const here = row.by_engine[engine],
    there = row.by_engine[other];
  if (!there) return <span class="muted">–</span>;
  if (there.failure) return <span class="text-slower">failed</span>;
  return (
    <>
      {time(there.ms)} <Against ms={there.ms} base={here?.ms} />
    </>
  );
}

function Against({ ms, base }: { ms: number | null | undefined; base: number | null | undefined }) {
  if (!ms || !base) return null;
  const move = 100 * (ms / base - 1);
  return (
    <span class={`small ${Math.abs(move) < 2 ? 'muted' : move > 0 ? 'text-slower' : 'text-faster'}`}>
      {changeText(move)}
    </span>
  );
}
