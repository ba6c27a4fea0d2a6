// Machines: their facts, their noise over time, what differs between two environments.

import type { EnvironmentDiff, Machines } from '../api';
import type { PageProps } from '../app';
import { NoiseChart } from '../charts/noise_chart';
import { count, date, number, percent } from '../core/format';
import { change, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Empty, Panel, Tile } from '../parts/basics';
import { Choice, PageHead } from '../parts/page_head';
import { Table, type Column } from '../parts/table';

type Machine = Machines['machines'][number];

export function MachinesPage({ state }: PageProps) {
  const answer = useAnswer<Machines>('api/machines');
  return (
    <>
      <PageHead
        title="Machines"
        text="What the results were measured on, how noisy it was, and what changed around them."
        path="api/machines"
      />
      <Answered answer={answer}>
        {(value) => {
          const chosen = value.machines.find((one) => one.machine === state.machine) ?? value.machines[0];
          if (!chosen)
            return (
              <section class="panel">
                <Empty
                  title="No machine yet"
                  text="Every result brings the facts of its machine."
                  command="opbench profile resnet-18"
                />
              </section>
            );
          return (
            <div class="spaced">
              <Panel bare title="All machines" note="Enter shows one below">
                <Table
                  label="All machines"
                  columns={columns(chosen.machine)}
                  rows={value.machines}
                  keyOf={(one) => one.machine}
                  onOpen={(machine) => change({ machine, a: '', b: '' })}
                />
              </Panel>
              <Shown machine={chosen} state={state} />
            </div>
          );
        }}
      </Answered>
    </>
  );
}

function columns(chosen: string): Column<Machine>[] {
  return [
    {
      key: 'name',
      title: 'Machine',
      class: 'strong',
      cell: (one) => (
        <>
          {one.name}
          {one.machine === chosen && (
            <>
              {' '}
              <span class="word word-accent">shown</span>
            </>
          )}
        </>
      ),
    },
    { key: 'cpu', title: 'CPU', cell: (one) => one.cpu ?? 'not known' },
    { key: 'count', title: 'CPUs', isRight: true, cell: (one) => count(one.cpu_count) },
    {
      key: 'memory',
      title: 'Memory',
      isRight: true,
      cell: (one) => (one.memory_gb === null ? '–' : `${number(one.memory_gb)} GB`),
    },
    { key: 'os', title: 'System', cell: (one) => one.os ?? '' },
    { key: 'records', title: 'Records', isRight: true, cell: (one) => count(one.records) },
    { key: 'first', title: 'First', isRight: true, cell: (one) => date(one.first_at) },
    { key: 'last', title: 'Last', isRight: true, cell: (one) => date(one.last_at) },
  ];
}

function Shown({ machine, state }: { machine: Machine; state: State }) {
  const { noise } = machine;
  const lastOf = (values: (number | null)[]) => values.filter((one): one is number => one !== null).at(-1);
  return (
    <>
      <div class="tiles">
        <Tile
          name="Spread of samples"
          value={percent(lastOf(noise.spread_pct))}
          note="the last day, median of its rows"
        />
        <Tile name="Peak" value={`${number(lastOf(noise.peak_gflops))} GFLOP/s`} note="measured beside the runs" />
        <Tile
          name="Memory"
          value={`${number(lastOf(noise.memory_gbytes_per_s))} GB/s`}
          note="measured beside the runs"
        />
        <Tile
          name="Environments"
          value={count(machine.software.length)}
          note={`engines: ${machine.engines.join(', ')}`}
        />
      </div>
      <Panel title="Noise by day" note={`${machine.name}: how far apart the samples of a row lay`}>
        <NoiseChart at={noise.at_epoch_ms} values={noise.spread_pct} label="Spread of samples by day" />
      </Panel>
      <Environments machine={machine} state={state} />
    </>
  );
}

function Environments({ machine, state }: { machine: Machine; state: State }) {
  const options = machine.software.map((one): [string, string] => [
    one.software,
    `${one.software.slice(0, 12)} · ${date(one.first_at)} to ${date(one.last_at)} · ${count(one.records)} records`,
  ]);
  const a = state.a ?? machine.software[1]?.software ?? '';
  const b = state.b ?? machine.software[0]?.software ?? '';
  return (
    <Panel title="Difference of environments" note="of this machine">
      {machine.software.length < 2 ? (
        <p class="muted">All results of this machine have one environment.</p>
      ) : (
        <div class="spaced">
          <div class="filters">
            <Choice isWide label="Before" value={a} options={options} onChange={(text) => change({ a: text })} />
            <Choice isWide label="After" value={b} options={options} onChange={(text) => change({ b: text })} />
          </div>
          <Difference a={a} b={b} />
        </div>
      )}
    </Panel>
  );
}

function Difference({ a, b }: { a: string; b: string }) {
  const answer = useAnswer<EnvironmentDiff>(a && b ? 'api/machines/diff' : null, { a, b });
  const rows: Column<EnvironmentDiff['rows'][number]>[] = [
    { key: 'field', title: 'Field', class: 'strong', cell: (row) => row.field },
    { key: 'a', title: 'Before', class: 'name', cell: (row) => row.a ?? <span class="muted">absent</span> },
    { key: 'b', title: 'After', class: 'name', cell: (row) => row.b ?? <span class="muted">absent</span> },
  ];
  return (
    <Answered answer={answer}>
      {(value) =>
        value.rows.length === 0 ? (
          <p class="muted">Equal in all {count(value.same)} fields.</p>
        ) : (
          <>
            <div class="inner-table">
              <Table label="Difference of environments" columns={rows} rows={value.rows} keyOf={(row) => row.field} />
            </div>
            <p class="small muted">{count(value.same)} other fields are equal.</p>
          </>
        )
      }
    </Answered>
  );
}
