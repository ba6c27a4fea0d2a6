import type { ModelEngine } from '../api';
import { change as changeText, number, percent, scaled, time } from '../core/format';
import { change } from '../core/route';
import { Panel } from '../parts/basics';
import { Table, type Column } from '../parts/table';

/// Engines side by side, whole models.
export function EngineTable({
  engines,
  chosen,
  hasBase,
}: {
  engines: ModelEngine[];
  chosen: string;
  hasBase: boolean;
}) {
  const known = engines
    .filter((one) => one.end_to_end_ms !== null && one.clock === 'wall')
    .map((one) => one.end_to_end_ms!);
  const fastest = Math.min(...known);
  const columns: Column<ModelEngine>[] = [
    {
      key: 'engine',
      title: 'Engine',
      class: 'strong',
      cell: (one) => (
        <>
          {one.engine} <span class="muted">{one.version}</span>
          {(one.device || one.clock !== 'wall') && (
            <span class="small muted"> {[one.device, one.clock !== 'wall' && one.clock].filter(Boolean).join(' · ')}</span>
          )}
          {one.key === chosen && (
            <>
              {' '}
              <span class="word word-accent">shown below</span>
            </>
          )}
        </>
      ),
    },
    { key: 'threads', title: 'Threads', isRight: true, cell: (one) => one.threads },
    {
      key: 'ms',
      title: 'Whole model',
      isRight: true,
      class: 'strong',
      cell: (one) => (one.failure ? <span class="text-slower">failed</span> : time(one.end_to_end_ms)),
    },
    {
      key: 'against',
      title: 'Against the fastest',
      isRight: true,
      cell: (one) => againstFastest(one, fastest, known.length),
    },
    {
      key: 'interval',
      title: 'Interval',
      isRight: true,
      cell: (one) =>
        one.end_to_end_low_ms === null ? '–' : `${time(one.end_to_end_low_ms)} to ${time(one.end_to_end_high_ms)}`,
    },
    ...(engines.some((one) => one.device_ms !== null) ? deviceColumns : []),
    ...(hasBase ? [{ key: 'base', title: 'Base', isRight: true, cell: (one: ModelEngine) => baseWords(one) }] : []),
    {
      key: 'sum',
      title: 'Units',
      isRight: true,
      help: 'Sum of the units inside the running model',
      cell: (one) => time(one.sum_in_place_ms),
    },
    {
      key: 'dispatch',
      title: 'Dispatch',
      isRight: true,
      help: 'Between the units',
      cell: (one) => time(one.dispatch_ms),
    },
    {
      key: 'gap',
      title: 'Gap',
      isRight: true,
      help: 'What units and dispatch leave unexplained',
      cell: (one) => percent(one.gap_pct),
    },
    {
      key: 'memory',
      title: 'Memory',
      isRight: true,
      cell: (one) => (one.peak_memory_mb === null ? '–' : `${number(one.peak_memory_mb)} MB`),
    },
    {
      key: 'peak',
      title: 'Peak here',
      isRight: true,
      cell: (one) => scaled(one.peak_gflops === null ? null : one.peak_gflops * 1e9, 'FLOP/s'),
    },
    { key: 'check', title: 'Result', cell: checkWord },
  ];
  return (
    <Panel bare title="Engines side by side" note="Enter shows an engine's numbers below">
      <Table
        label="Engines side by side"
        columns={columns}
        rows={engines}
        keyOf={(one) => one.key}
        onOpen={(engine) => change({ engine, offset: '' })}
      />
    </Panel>
  );
}

const deviceColumns: Column<ModelEngine>[] = [
  {
    key: 'device',
    title: 'Device',
    isRight: true,
    help: "Launches and copies of a call by the device's own clock",
    cell: (one) => time(one.device_ms),
  },
  {
    key: 'copies',
    title: 'Without copies',
    isRight: true,
    help: "The whole model less what copies take by the device's own clock",
    cell: (one) => time(one.without_copies_ms),
  },
];

/// Times of other clocks are no rivals.
function againstFastest(one: ModelEngine, fastest: number, known: number) {
  if (one.end_to_end_ms === null || known < 2 || one.clock !== 'wall') return '–';
  if (one.end_to_end_ms === fastest) return <span class="text-faster">fastest</span>;
  return `${(one.end_to_end_ms / fastest).toFixed(2)} ×`;
}

function baseWords(one: ModelEngine) {
  if (one.base_end_to_end_ms === null || one.end_to_end_ms === null) return '–';
  const move = 100 * (one.end_to_end_ms / one.base_end_to_end_ms - 1);
  return (
    <>
      {time(one.base_end_to_end_ms)}{' '}
      <span class={`small ${Math.abs(move) < 2 ? 'muted' : move > 0 ? 'text-slower' : 'text-faster'}`}>
        {changeText(move)}
      </span>
    </>
  );
}

function checkWord(one: ModelEngine) {
  if (!one.check || one.check.passed === null) return <span class="muted">not checked</span>;
  const title = `checked against ${one.check.engine}, largest relative error ${one.check.max_relative_error ?? 'not known'}`;
  return one.check.passed ? (
    <span class="word word-good" title={title}>
      ✓ right
    </span>
  ) : (
    <span class="word word-bad" title={title}>
      × wrong
    </span>
  );
}
