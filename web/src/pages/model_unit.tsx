import type { ModelAnswer, ModelUnit, ModelUnitTime } from '../api';
import { bytes, number, percent, scaled, time } from '../core/format';
import { formatHash } from '../core/route';
import { Command } from '../parts/basics';
import { Table, type Column } from '../parts/table';

type Row = ModelUnitTime & { engine: string };

/// A unit opened: all engines with all numbers, its nodes, the commands to repeat it.
export function UnitDetail({ unit, value }: { unit: ModelUnit; value: ModelAnswer }) {
  const rows: Row[] = value.engines.flatMap((one) => {
    const found = unit.by_engine[one.key];
    return found ? [{ ...found, engine: one.key }] : [];
  });
  const commands = rows.filter((row) => row.reproducer);
  return (
    <div class="spaced">
      <div class="inner-table">
        <Table label="Engines of this unit" columns={columnsOf(rows)} rows={rows} keyOf={(row) => row.engine} />
      </div>
      <dl class="facts">
        <dt>Unit</dt>
        <dd>{unit.unit}</dd>
        <dt>Nodes</dt>
        <dd>{unit.nodes.join(', ') || 'not known'}</dd>
        {rows.map(
          (row) =>
            row.failure && (
              <>
                <dt>{row.engine}</dt>
                <dd class="text-slower">{row.failure}</dd>
              </>
            ),
        )}
        {rows.map(
          (row) =>
            row.layouts && (
              <>
                <dt>Layouts, {row.engine}</dt>
                <dd>{row.layouts}</dd>
              </>
            ),
        )}
        {rows.map(
          (row) =>
            row.tuned_from && (
              <>
                <dt>Tuned from</dt>
                <dd>{row.tuned_from}</dd>
              </>
            ),
        )}
      </dl>
      <p>
        <a
          href={formatHash({
            page: 'series',
            state: {
              id: rows
                .map((row) => row.series)
                .slice(0, 4)
                .join(','),
            },
          })}>
          Its history
        </a>
        {' · '}
        <a href={formatHash({ page: 'workload', state: { workload: unit.unit } })}>
          Everything recorded of this workload
        </a>
      </p>
      <div>
        {commands.map((row) => (
          <Command title={`Repeat it on ${row.engine}`} text={row.reproducer!} />
        ))}
      </div>
    </div>
  );
}

function columnsOf(rows: Row[]): Column<Row>[] {
  if (rows.every((row) => row.device_ms === null)) return columns;
  const device: Column<Row> = {
    key: 'device',
    title: 'Device',
    isRight: true,
    cell: (row) => time(row.device_ms),
  };
  return columns.flatMap((column) => (column.key === 'interval' ? [column, device] : [column]));
}

const columns: Column<Row>[] = [
  { key: 'engine', title: 'Engine', class: 'strong', cell: (row) => row.engine },
  { key: 'ms', title: 'Alone', isRight: true, cell: (row) => time(row.ms) },
  {
    key: 'interval',
    title: 'Interval',
    isRight: true,
    cell: (row) => (row.low_ms === null ? '–' : `${time(row.low_ms)} to ${time(row.high_ms)}`),
  },
  { key: 'place', title: 'In the model', isRight: true, cell: (row) => time(row.in_place_ms) },
  {
    key: 'flops',
    title: 'FLOP/s',
    isRight: true,
    cell: (row) => scaled(row.gflops_per_s === null ? null : row.gflops_per_s * 1e9, ''),
  },
  { key: 'peak', title: 'Of peak', isRight: true, cell: (row) => percent(row.percent_of_peak, 0) },
  {
    key: 'rate',
    title: 'Bytes/s',
    isRight: true,
    cell: (row) => scaled(row.gbytes_per_s === null ? null : row.gbytes_per_s * 1e9, 'B/s'),
  },
  { key: 'intensity', title: 'FLOP a byte', isRight: true, cell: (row) => number(row.intensity) },
  { key: 'bytes', title: 'Bytes', isRight: true, cell: (row) => bytes(row.bytes) },
  { key: 'bound', title: 'Limited by', cell: (row) => row.bound ?? '' },
  { key: 'schedule', title: 'Schedule', cell: (row) => row.schedule ?? '' },
];
