// The answers that a page asks for, made from a drawn store.
import { alertInfos, drawn, infoOf, randomOf, runInfo, seriesData } from './drawn_answers.mjs';

const { DAY, LAST, iso } = drawn;
const page = (rows, query, extra = {}) => {
  const offset = Number(query.get('offset') ?? 0),
    limit = Number(query.get('limit') ?? 100);
  return { ...extra, offset, limit, total: rows.length, rows: rows.slice(offset, offset + limit) };
};
const hasWords = (text, query) =>
  (query.get('q') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
const sorted = (rows, query, values, first) => {
  const read = values[query.get('sort') ?? first] ?? values[first];
  const sign = (query.get('order') ?? 'desc') === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => (read(a) < read(b) ? -sign : read(a) > read(b) ? sign : 0));
};

function overview(store) {
  const isEmpty = store.series.length === 0;
  const night = (number) => `night:nightly/main/${number}`;
  const pages = {
    compare: store.nights < 2 ? null : { a: night(Math.max(1, store.nights - 14)), b: night(store.nights) },
    series: {
      id: [...store.series]
        .sort((a, b) => infoOf(store, b).alerts - infoOf(store, a).alerts)
        .slice(0, 3)
        .map((one) => one.id),
    },
    tonight: { suite: 'nightly', branch: 'main', machine: store.machine },
    model: { run: 'run:7' },
    tuning: { tasks: 40 },
    machines: { machines: 1 },
    workload: { workload: store.workloads[1]?.unit ?? '' },
    plans: { plans: 1 },
    sql: {},
  };
  const names = Object.keys(pages);
  return {
    api: 1,
    version: '0.1.0',
    is_export: false,
    store: {
      name: 'store',
      benchmarks: store.series.length * store.nights,
      trials: isEmpty ? 0 : 10432,
      predictions: 0,
      runs: store.nights,
      series: store.series.length,
      first_at: isEmpty ? null : iso(LAST - store.nights * DAY),
      last_at: isEmpty ? null : iso(LAST),
    },
    pages: isEmpty ? Object.fromEntries(names.map((name) => [name, null])) : pages,
    empty_hints: names
      .filter((name) => isEmpty || pages[name] === null)
      .map((name) => ({
        page: name,
        text: 'The store has no results yet. Profile a model first.',
        command: './opbench profile resnet-18',
      })),
    suites: isEmpty
      ? []
      : [
          {
            suite: 'nightly',
            branch: 'main',
            machine: store.machine,
            machine_name: store.machineName,
            nights: store.nights,
            last_night: String(store.nights),
            last_at: iso(LAST),
            open_alerts: alertInfos(store, store.series).filter((alert) => alert.is_open).length,
          },
        ],
  };
}

function compareRows(store, query) {
  const at = (selector, fallback) => Number(/(\d+)$/.exec(selector ?? '')?.[1] ?? fallback) - 1;
  const a = at(query.get('a'), store.nights - 14),
    b = at(query.get('b'), store.nights);
  return store.series
    .filter((one) => one.ms[a] && one.ms[b])
    .map((one) => {
      const x = one.ms[a],
        y = one.ms[b],
        change = 100 * (y / x - 1),
        margin = Math.max(2, one.noise * 200),
        low = change - one.noise * 130,
        high = change + one.noise * 140;
      // Whole models of one series were simulated on one side: a ratio alone.
      const isSimulated = one.unit.scope === 'model';
      const judged =
        low > margin ? 'slower' : high < -margin ? 'faster' : low > -margin && high < margin ? 'same' : 'inconclusive';
      const verdict = isSimulated ? null : judged;
      return {
        key: one.id,
        series_a: one.id,
        series_b: one.id,
        model: one.unit.model,
        unit: one.unit.unit,
        shapes: one.unit.shapes,
        scope: one.unit.scope,
        engine_a: one.engine,
        engine_b: one.engine,
        threads_a: 2,
        threads_b: 2,
        count: one.unit.count,
        share_pct: one.unit.share_pct,
        a_ms: x,
        a_low_ms: x * (1 - one.noise),
        a_high_ms: x * (1 + one.noise),
        b_ms: y,
        b_low_ms: y * (1 - one.noise),
        b_high_ms: y * (1 + one.noise),
        change_pct: change,
        change_low_pct: low,
        change_high_pct: high,
        margin_pct: margin,
        factor: isSimulated ? 0 : Math.abs(Math.log(y / x)) / Math.log(1 + margin / 100),
        verdict,
        no_verdict: isSimulated
          ? 'the times are from different clocks, wall and simulated: a ratio, no verdict'
          : null,
        clock_a: 'wall',
        clock_b: isSimulated ? 'simulated' : 'wall',
        device_a: null,
        device_b: `pthread-haswell${store.tail}`,
        a_device_ms: null,
        b_device_ms: y * 0.95,
        code_changed: verdict === 'same' ? false : one.noise > 0.013 ? null : true,
      };
    });
}

function compare(store, query) {
  const all = compareRows(store, query).filter(
    (row) =>
      (!query.get('model') || row.model === query.get('model')) &&
      ['all', null, row.scope].includes(query.get('scope')) &&
      hasWords(`${row.unit} ${row.model} ${row.engine_a}`, query),
  );
  const counts = { faster: 0, slower: 0, same: 0, inconclusive: 0 };
  for (const row of all) if (row.verdict) counts[row.verdict] += 1;
  const wanted = query.get('verdict') === 'relevant' ? ['faster', 'slower'] : query.get('verdict')?.split(',');
  const rows = sorted(
    all.filter((row) => !wanted || wanted.includes(row.verdict)),
    query,
    {
      factor: (row) => row.factor,
      change: (row) => row.change_pct,
      a_ms: (row) => row.a_ms,
      b_ms: (row) => row.b_ms,
      name: (row) => row.unit,
      share: (row) => row.share_pct,
    },
    'factor',
  );
  const rangeOf = (verdict) => {
    const list = all
      .filter((row) => row.verdict === verdict)
      .map((row) => row.change_pct)
      .sort((x, y) => Math.abs(x) - Math.abs(y));
    return list.length ? { smallest_pct: list[0], median_pct: list[list.length >> 1], largest_pct: list.at(-1) } : null;
  };
  return page(rows, query, {
    a: runInfo(store, query.get('a')),
    b: runInfo(store, query.get('b')),
    basis: 'separate',
    notes: [`The two runs are 14 days apart: kernel 6.1.0-26 and 6.1.0-28${store.tail}.`],
    legend: ['The margin of a row is 2 %, or twice its noise where that is more.'],
    counts,
    without_verdict: all.filter((row) => row.verdict === null).length,
    ranges: { slower: rangeOf('slower'), faster: rangeOf('faster') },
    geomean_pct: all.length
      ? 100 * (Math.exp(all.reduce((sum, row) => sum + Math.log(row.b_ms / row.a_ms), 0) / all.length) - 1)
      : null,
    matched: all.length,
    only_a: 3,
    only_b: 1,
    failed: 1,
    command_compare: './opbench compare resnet-18 --base 3f2a9c0',
  });
}

function samplesOf(random, ms, noise) {
  const list = Array.from({ length: 90 }, () => ms * (1 + Math.abs(random.normal()) * noise));
  return {
    ms: list,
    flags: list.map((_, index) => (index % 29 === 28 ? 'preempted' : null)),
    total: 240,
    dropped: [{ cause: 'preempted', count: 7 }],
    stop_reason: 'interval',
  };
}

function compareDetail(store, query) {
  const row = compareRows(store, query).find((one) => one.key === query.get('key'));
  const one = store.series.find((other) => other.id === query.get('key'));
  const random = randomOf(9);
  const all = seriesData(store, one, LAST - 60 * DAY);
  return {
    row,
    history: all,
    mark_a: Math.max(0, all.points.ms.length - 15),
    mark_b: all.points.ms.length - 1,
    samples_a: samplesOf(random, row.a_ms, one.noise),
    samples_b: samplesOf(random, row.b_ms, one.noise),
    commands: [
      { title: 'Repeat it in turns', command: `./opbench op '${one.unit.unit}' --engine ${one.engine} --threads 2` },
      { title: 'Find out why', command: `./opbench compare ${one.unit.model} --engine halide --why` },
    ],
    environment: [{ field: 'kernel', a: '6.1.0-26-amd64', b: `6.1.0-28-amd64${store.tail}` }],
  };
}

function tonight(store) {
  const alerts = alertInfos(store, store.series);
  const open = alerts.filter((alert) => alert.is_open);
  const label = (index) => infoOf(store, store.series[index % store.series.length]).label;
  return {
    suite: 'nightly',
    branch: 'main',
    machine: store.machine,
    machine_name: store.machineName,
    is_analysed: true,
    why: null,
    night: String(store.nights),
    began_at: iso(LAST),
    ended_at: iso(LAST + 3.1e6),
    analysed_at: iso(LAST + 3.2e6),
    commit: store.commits.at(-1) ?? 'none',
    commit_url: null,
    ran: {
      cases: 6,
      rows: store.series.length,
      failures: [
        {
          subject: `${store.models[0]}${store.tail}`,
          engine: 'onednn',
          threads: 2,
          reason: 'the engine ended by signal 11',
        },
      ],
      left_out: 0,
    },
    verdict: open.length
      ? `${open.filter((one) => one.is_slower).length} confirmed regressions, ${open.filter((one) => !one.is_slower).length} improvements`
      : 'it ran and found nothing',
    is_quiet: open.length === 0,
    detector: 'hash',
    paired_runs: 2,
    pairs: 80,
    nights: store.nights,
    series: store.series.length,
    alerts,
    alert_total: alerts.length,
    missing: [{ series: 'x', label: label(5), since: String(store.nights - 1), id: null }],
    appeared: [],
    changed: [
      { what: 'commit', before: store.commits.at(-2) ?? 'none', after: store.commits.at(-1) ?? 'none' },
      { what: 'rebuilt units', before: '', after: '17' },
    ],
    notes: [],
    noisiest: [label(1), label(2)],
    commits: store.commits.slice(-2).map((id, index) => ({ id, url: null, kind: index ? 'docs' : 'code' })),
    history: Array.from({ length: Math.min(60, store.nights) }, (_, index) => ({
      night: String(index + 1),
      at: iso(LAST - (60 - index) * DAY),
      rows: index === 22 ? 0 : store.series.length - (index % 7),
      failures: index % 19 === 3 ? 2 : 0,
      alerts: index % 23 === 11 ? 1 : 0,
      commit: store.commits[index],
    })),
    compare: { a: `night:nightly/main/${store.nights - 1}`, b: `night:nightly/main/${store.nights}` },
    commands: [{ title: 'The same as text', command: './opbench regress --suite nightly.toml --format markdown' }],
  };
}

function model(store, query) {
  const run = query.get('run');
  const name = query.get('model') ?? store.models[0] ?? '';
  const units = store.workloads.filter((unit) => unit.model === name && unit.scope === 'unit');
  const random = randomOf(4);
  const timeOf = (unit, factor, id) => {
    const ms = unit.base_ms * factor;
    return {
      series: id,
      ms,
      low_ms: ms * 0.99,
      high_ms: ms * 1.01,
      in_place_ms: ms * 1.04,
      total_ms: ms * 1.04 * unit.count,
      device_ms: factor === 1 ? null : ms * 0.97,
      share_pct: unit.share_pct,
      base_ms: query.get('base') ? ms * (0.94 + random() * 0.1) : null,
      base_in_place_ms: null,
      flops: unit.flops,
      bytes: unit.bytes,
      gflops_per_s: unit.flops / ms / 1e6,
      percent_of_peak: unit.flops / ms / 1e6 / 1.9,
      gbytes_per_s: unit.bytes / ms / 1e6,
      intensity: unit.flops / unit.bytes,
      bound: unit.flops / unit.bytes > 14 ? 'compute' : 'memory',
      schedule: 'conv2d_direct',
      layouts: 'NCHW8c → NCHW8c',
      tuned_from: null,
      failure: null,
      reproducer: `./opbench op '${unit.unit}' --engine halide`,
    };
  };
  const rows = units.map((unit, index) => ({
    unit: unit.unit,
    shapes: unit.shapes,
    operator: unit.operator,
    nodes: [`/layer${index}/Conv${store.tail}`, `/layer${index}/Relu`],
    count: unit.count,
    by_engine: {
      'halide@2': timeOf(unit, 1, store.series.find((one) => one.unit === unit)?.id),
      'onednn@2': index % 9 === 4 ? null : timeOf(unit, 0.7 + random() * 0.7, 'aa'),
    },
  }));
  const engine = (key, factor) => ({
    key,
    engine: key.split('@')[0],
    version: '3.4',
    threads: 2,
    device: factor === 1 ? null : `pthread-haswell${store.tail}`,
    clock: 'wall',
    device_clock: factor === 1 ? null : 'event',
    device_ms: factor === 1 ? null : 30 * factor,
    copies_ms: factor === 1 ? null : factor,
    without_copies_ms: factor === 1 ? null : 30.2 * factor,
    end_to_end_ms: 31.2 * factor,
    end_to_end_low_ms: 31 * factor,
    end_to_end_high_ms: 31.5 * factor,
    base_end_to_end_ms: query.get('base') ? 33 * factor : null,
    sum_in_place_ms: 30.6 * factor,
    dispatch_ms: 0.4,
    call_overhead_ms: 0.02,
    gap_pct: 0.6,
    peak_memory_mb: 143,
    peak_gflops: 190,
    memory_gbytes_per_s: 14,
    failure: null,
    check: { engine: 'onnxruntime', passed: true, max_relative_error: 2e-6 },
    schedules_known: true,
  });
  const { rows: shown, ...rest } = page(
    sorted(
      rows,
      query,
      {
        total: (row) => row.by_engine['halide@2'].total_ms,
        ms: (row) => row.by_engine['halide@2'].ms,
        share: (row) => row.by_engine['halide@2'].share_pct,
        name: (row) => row.unit,
        percent_of_peak: (row) => row.by_engine['halide@2'].percent_of_peak,
      },
      'total',
    ),
    query,
  );
  return {
    ...rest,
    run: runInfo(store, run),
    base: query.get('base') ? runInfo(store, query.get('base')) : null,
    model: name,
    models: store.models,
    source: null,
    sha256: 'ab'.repeat(32),
    target: 'x86-64 AVX2',
    engines: [engine('halide@2', 1), engine('onednn@2', 0.91)],
    units: shown,
    command: './opbench profile resnet-18',
    findings: [
      {
        finding: 'A faster schedule is known',
        where: units[0]?.shapes ?? '',
        evidence: `onednn takes 62 % of the time on the same unit${store.tail}`,
        gain_pct: 4.2,
        gain_low_pct: 3.1,
        gain_high_pct: 5.3,
        command: './opbench tune resnet-18 --only conv2d',
        measured_pct: 3.9,
        not_measured: null,
      },
      {
        finding: 'run on 4 threads',
        where: name,
        evidence: `4 CPUs, one of them used${store.tail}`,
        gain_pct: 2.2,
        gain_low_pct: 1.2,
        gain_high_pct: 3.2,
        command: './opbench profile resnet-18 --threads 4',
        measured_pct: null,
        not_measured: `the engine ended${store.tail}`,
      },
    ],
  };
}

export const answers = { overview, compare, compareRows, compareDetail, tonight, model, page, hasWords, sorted };
