// The answers of the pages behind the first four, and the table of all answers by path.
import { graph } from './drawn_graph.mjs';
import { plans, planTimeline, interference } from './drawn_plans.mjs';
import { answers } from './drawn_pages.mjs';
import { alertInfos, drawn, infoOf, randomOf, runInfo, seriesData } from './drawn_answers.mjs';

const { DAY, LAST, iso, hex } = drawn;
const { page, hasWords, sorted } = answers;

function runs(store, query) {
  const list = Array.from({ length: store.nights }, (_, index) =>
    runInfo(store, `night:nightly/main/${store.nights - index}`),
  );
  return page(
    list.filter(
      (run) => hasWords(`${run.label} ${run.commit}`, query) && (!query.get('kind') || run.kind === query.get('kind')),
    ),
    query,
  );
}

function seriesList(store, query) {
  const rows = store.series
    .map((one) => infoOf(store, one))
    .filter(
      (row) =>
        hasWords(row.label, query) &&
        ['model', 'engine', 'suite'].every((name) => !query.get(name) || row[name] === query.get(name)) &&
        (!query.get('alerts') || row.alerts > 0),
    );
  const values = {
    alerts: (row) => row.alerts,
    change: (row) => Math.abs(row.change_pct ?? 0),
    points: (row) => row.points,
    last: (row) => row.last_ms ?? 0,
    name: (row) => row.label,
  };
  return page(sorted(rows, query, values, 'alerts'), query, {
    engines: ['halide', 'onednn'],
    models: store.models,
    suites: ['nightly'],
    machines: [{ machine: store.machine, name: store.machineName }],
  });
}

function series(store, query) {
  const ids = query.getAll('id');
  const chosen = ids.map((id) => store.series.find((one) => one.id === id)).filter(Boolean);
  const low = query.get('from') ? Date.parse(query.get('from')) : 0,
    high = query.get('to') ? Date.parse(query.get('to')) : Infinity;
  const drawnSeries = chosen.map((one) => seriesData(store, one, low, high));
  const commits = [...new Set(drawnSeries.flatMap((one) => one.points.commit.filter(Boolean)))];
  return { series: drawnSeries, alerts: alertInfos(store, chosen), commits };
}

function machines(store) {
  const random = randomOf(3);
  const at = Array.from({ length: Math.min(90, store.nights) }, (_, index) => LAST - (89 - index) * DAY);
  const software = (name, from, to) => ({
    software: name,
    first_at: iso(LAST - from * DAY),
    last_at: iso(LAST - to * DAY),
    records: 4210,
  });
  return store.series.length === 0
    ? { machines: [] }
    : {
        machines: [
          {
            machine: store.machine,
            name: store.machineName,
            cpu: 'AMD EPYC 9005',
            cpu_count: 2,
            memory_gb: 23.5,
            os: 'Debian 12',
            engines: ['halide', 'onednn'],
            records: 31000,
            first_at: iso(LAST - 180 * DAY),
            last_at: iso(LAST),
            software: [software(hex(random, 16), 108, 0), software(hex(random, 16), 180, 109)],
            noise: {
              at_epoch_ms: at,
              spread_pct: at.map(() => 1.2 + Math.abs(random.normal()) * 0.6),
              peak_gflops: at.map(() => 190),
              memory_gbytes_per_s: at.map(() => 14.1),
            },
          },
        ],
      };
}

function workload(store, query) {
  const found = store.series.filter((one) => one.unit.unit === query.get('workload'));
  return {
    workload: query.get('workload'),
    shapes: found[0]?.unit.shapes ?? null,
    predictions: [{ predictor: 'trees', ms: 0.4, low_ms: 0.35, high_ms: 0.47, at: iso(LAST), machine: store.machine }],
    rows: found.map((one) => ({
      engine: one.engine,
      threads: 2,
      machine: store.machine,
      machine_name: store.machineName,
      schedule: 'conv2d_direct',
      models: [one.unit.model],
      records: 180,
      best_ms: one.levels[0] * 0.98,
      median_ms: one.levels[0],
      last_ms: one.levels.at(-1),
      last_at: iso(LAST),
      series: one.id,
      percent_of_peak: 41,
    })),
    tasks: [{ key: 'k3', task: 'conv2d_nchw.x86', target: 'llvm -mcpu=core-avx2', trials: 512, best_ms: 0.31 }],
    command: `./opbench op '${query.get('workload')}'`,
  };
}

function tuning(store, query) {
  const random = randomOf(8);
  const rows =
    store.series.length === 0
      ? []
      : Array.from({ length: 40 }, (_, index) => ({
          key: `k${index}`,
          task: random.of(['conv2d_nchw.x86', 'dense.x86', 'opbench.conv2d']),
          args: `1x${32 << (index % 5)}x28x28${store.tail}`,
          target: 'llvm -mcpu=core-avx2',
          trials: 100 + index * 17,
          failed: index % 9,
          best_ms: 0.2 + random(),
          first_ms: 1.3 + random(),
          last_at: iso(LAST),
        }));
  return page(
    sorted(
      rows.filter((row) => hasWords(`${row.task} ${row.args}`, query)),
      query,
      { trials: (row) => row.trials, best: (row) => row.best_ms, name: (row) => row.task, last: (row) => row.last_at },
      'trials',
    ),
    query,
    { targets: ['llvm -mcpu=core-avx2'] },
  );
}

function tuningTask(store, query) {
  const random = randomOf(5);
  const trial = Array.from({ length: 400 }, (_, index) => index + 1);
  const ms = trial.map((at) => 0.3 + Math.exp(random.normal() * 0.6) * (0.2 + 40 / (at + 30)));
  let best = Infinity;
  const knobs = [
    ['tile_ic', 4],
    ['tile_oc', 5],
    ['tile_ow', 6],
    ['unroll_kw', 2],
  ].map(([name, count], index) => ({
    name: `${name}${store.tail}`,
    kind: 'sp',
    values: Array.from({ length: count }, (_, at) => String(2 ** at)),
    explained_pct: [41, 22, 9, 2][index],
    best_value: '4',
  }));
  return {
    key: query.get('key'),
    task: 'conv2d_nchw.x86',
    args: `1x64x56x56${store.tail}`,
    target: 'llvm -mcpu=core-avx2',
    trials: 400,
    failed: 3,
    errors: [{ error: 'compile timeout', count: 3 }],
    best_so_far: { trial, ms, best_ms: ms.map((one) => (best = Math.min(best, one))), best_at_trial: 371 },
    knobs,
    why_no_knobs: null,
    configs: Array.from({ length: 220 }, (_, index) => ({
      ms: 0.35 + index * 0.004,
      config_index: index,
      values: knobs.map((knob) => Math.floor(random() * knob.values.length)),
      is_best: index === 0,
    })),
    command: './opbench tune resnet-18 --trials 500',
  };
}

function sql(store) {
  const rows = store.models.map((name, index) => [name, index * 3.25 + 1, 12 + index, null]);
  return {
    columns: [
      { name: 'model', type: 'VARCHAR' },
      { name: 'ms', type: 'DOUBLE' },
      { name: 'records', type: 'BIGINT' },
      { name: 'failure', type: 'VARCHAR' },
    ],
    rows,
    is_cut: false,
    took_ms: 4.2,
  };
}

const only = (store, query) =>
  page(
    store.series
      .slice(0, 2)
      .map((one) => ({
        model: one.unit.model,
        unit: one.unit.unit,
        shapes: one.unit.shapes,
        scope: one.unit.scope,
        engine: one.engine,
        threads: 2,
        ms: 1.2,
        failure: null,
        series: one.id,
      })),
    query,
  );
const workloads = (store, query) =>
  page(
    store.workloads
      .filter((unit) => unit.scope === 'unit' && hasWords(unit.unit, query))
      .map((unit) => ({
        workload: unit.unit,
        shapes: unit.shapes,
        engines: ['halide', 'onednn'],
        records: 360,
        best_ms: unit.base_ms,
        last_at: iso(LAST),
      })),
    query,
  );
const difference = (store, query) => ({
  a: query.get('a'),
  b: query.get('b'),
  same: 41,
  rows: [
    { field: 'kernel', a: '6.1.0-26-amd64', b: `6.1.0-28-amd64${store.tail}` },
    { field: 'governor', a: null, b: 'performance' },
  ],
});
const schema = (store) => ({
  tables: [
    {
      name: 'benchmarks',
      help: 'a row a unit, model or failure',
      columns: [
        { name: 'engine', type: 'VARCHAR' },
        { name: `model${store.tail}`, type: 'VARCHAR' },
      ],
    },
  ],
  examples: [
    {
      title: 'Fastest engine of each model',
      sql: 'select model, engine, min(runtime_ms) from benchmarks group by all',
    },
  ],
});

const BY_PATH = {
  'api/overview': answers.overview,
  'api/runs': runs,
  'api/compare': answers.compare,
  'api/compare/only': only,
  'api/compare/row': answers.compareDetail,
  'api/series/list': seriesList,
  'api/series': series,
  'api/tonight': answers.tonight,
  'api/model': answers.model,
  'api/model/graph': graph,
  'api/machines': machines,
  'api/machines/diff': difference,
  'api/workloads': workloads,
  'api/workload': workload,
  'api/tuning': tuning,
  'api/tuning/task': tuningTask,
  'api/plans': plans,
  'api/plans/timeline': planTimeline,
  'api/plans/interference': interference,
  'api/sql': sql,
  'api/sql/schema': schema,
};

/// The answer to a request for `path` with `query` (URLSearchParams), or null: no such path.
export function drawnAnswer(store, path, query) {
  const answer = BY_PATH[path];
  return answer ? answer(store, query) : null;
}
