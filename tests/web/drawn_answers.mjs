// Answers of the API as a store with a year of nights would give them, drawn from a seed. They let the pages be looked at
// and tested without a store: names can hold markup, and every list can be empty.

export function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  next.normal = () => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
  next.of = (list) => list[Math.floor(next() * list.length)];
  return next;
}

const ENGINES = ['halide', 'onednn', 'onnxruntime'];
const DAY = 86400000;
const LAST = Date.UTC(2026, 10, 28, 2, 10);
const iso = (ms) => new Date(ms).toISOString().replace('.000', '');
const hex = (random, digits) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');

/// A drawn store. `names` may replace the names of models, and `tail` is put behind texts that users write.
export function drawStore({
  seed = 1,
  units = 24,
  nights = 180,
  models = ['resnet-18', 'bert-base', 'mobilenet-v3'],
  tail = '',
} = {}) {
  const random = randomOf(seed);
  const commits = Array.from({ length: nights }, () => hex(random, 40));
  const workloads = models.flatMap((model, place) => drawUnits(random, model, place, units, tail));
  const series = workloads.flatMap((unit) =>
    ENGINES.slice(0, 2).map((engine, index) => drawSeries(random, unit, engine, index, nights, commits)),
  );
  return {
    random,
    models,
    commits,
    workloads,
    series,
    nights,
    tail,
    machine: `4f1c9a20b7de`,
    machineName: `epyc-2${tail}`,
  };
}

function drawUnits(random, model, place, units, tail) {
  const whole = {
    model,
    unit: 'model',
    shapes: null,
    scope: 'model',
    operator: 'model',
    count: 1,
    base_ms: 0,
    share_pct: 100,
    flops: 3.6e9,
    bytes: 5e7,
  };
  const list = Array.from({ length: units }, (_, index) => {
    const channels = random.of([32, 64, 128, 256, 512]),
      side = random.of([7, 14, 28, 56]);
    const operator = random.of([
      'conv2d',
      'conv2d+relu',
      'conv2d+add+relu',
      'matmul',
      'max_pool',
      'layer_norm',
      'softmax',
    ]);
    const flops = 2 * channels * channels * side * side * (operator.startsWith('conv') ? 9 : 1);
    return {
      model,
      operator,
      scope: 'unit',
      count: 1 + Math.floor(random() * 4),
      flops,
      bytes: 4 * (channels * side * side * 2 + channels * channels * 9),
      unit: `${operator} 1x${channels}x${side}x${side} w:${channels}x${channels}x3x3 pad=1${tail} #${place}.${index}`,
      shapes: `${operator} ${channels}x${side}x${side} ${channels}x${channels}x3x3${tail}`,
      base_ms: flops / (2e7 + random() * 9e7),
    };
  });
  whole.base_ms = list.reduce((sum, unit) => sum + unit.base_ms * unit.count, 0) * 1.03;
  for (const unit of list) unit.share_pct = (100 * unit.base_ms * unit.count) / whole.base_ms;
  return [whole, ...list];
}

function drawSeries(random, unit, engine, index, nights, commits) {
  const base = unit.base_ms * (1 + index * (random() - 0.35));
  const steps = [[0, 1]];
  if (random() < 0.5) steps.push([Math.floor(nights * (0.2 + random() * 0.7)), 1 + (random() - 0.4) * 0.22]);
  if (random() < 0.2) steps.push([Math.floor(nights * 0.94), 1 + random() * 0.18]);
  steps.sort((a, b) => a[0] - b[0]);
  const noise = 0.004 + random() * 0.012;
  const ms = [],
    levels = [];
  for (let night = 0; night < nights; night += 1) {
    const level = base * steps.filter(([at]) => at <= night).reduce((product, [, factor]) => product * factor, 1);
    levels.push(level);
    ms.push(random() < 0.008 ? null : level * (1 + random.normal() * noise) * (random() < 0.02 ? 1.05 : 1));
  }
  return { id: hex(random, 16), unit, engine, threads: 2, ms, levels, noise, steps, commits };
}

export function infoOf(store, one) {
  const { unit } = one;
  const known = one.ms.filter((value) => value !== null);
  const before = known.slice(-8, -1).sort((a, b) => a - b);
  return {
    id: one.id,
    label: `${one.engine} · ${unit.model} @2 · ${unit.shapes ?? 'model'}`,
    engine: one.engine,
    threads: 2,
    model: unit.model,
    unit: unit.unit,
    shapes: unit.shapes,
    scope: unit.scope,
    cache: 'warm',
    machine: store.machine,
    machine_name: store.machineName,
    suite: 'nightly',
    branch: 'main',
    points: one.ms.length,
    first_at: iso(LAST - (one.ms.length - 1) * DAY),
    last_at: iso(LAST),
    last_ms: known.at(-1) ?? null,
    change_pct: before.length ? 100 * (known.at(-1) / before[before.length >> 1] - 1) : null,
    alerts: alertsOf(one).filter((alert) => alert.life === 'new').length,
  };
}

function alertsOf(one) {
  return one.steps
    .slice(1)
    .filter(([, factor]) => Math.abs(factor - 1) > 0.02)
    .map(([at, factor]) => ({
      id: `${one.engine}@${at}-${at + 1}`,
      from: at - 1,
      to: at,
      change_pct: 100 * (factor - 1),
      state: at > one.ms.length - 14 ? 'confirmed' : 'settled',
      life: at > one.ms.length - 14 ? 'new' : 'accepted',
    }));
}

export function seriesData(store, one, low = 0, high = Infinity) {
  const count = one.ms.length;
  const at = one.ms.map((_, night) => LAST - (count - 1 - night) * DAY);
  const kept = at.map((when, index) => index).filter((index) => at[index] >= low && at[index] <= high);
  const first = kept[0] ?? 0;
  const move = (index) => index - first;
  const inside = (index) => index >= first && index <= (kept.at(-1) ?? -1);
  const ends = [...one.steps.map(([step]) => step), count];
  const pick = (read) => kept.map(read);
  return {
    info: infoOf(store, one),
    is_bucketed: false,
    points: {
      at_epoch_ms: pick((index) => at[index]),
      ms: pick((index) => one.ms[index]),
      low_ms: pick((index) => (one.ms[index] === null ? null : one.ms[index] * (1 - one.noise))),
      high_ms: pick((index) => (one.ms[index] === null ? null : one.ms[index] * (1 + one.noise))),
      n: pick(() => 1),
      commit: pick((index) => one.commits[index] ?? null),
      night: pick((index) => String(index + 1)),
      run: pick((index) => `night:nightly/main/${index + 1}`),
      is_rebuilt: pick((index) => one.steps.some(([step]) => step === index && step > 0)),
      failure: pick((index) => (one.ms[index] === null ? `the engine ended by signal 11${store.tail}` : null)),
    },
    segments: one.steps
      .map(([from], place) => ({ from, to: ends[place + 1] - 1, level_ms: one.levels[from] }))
      .filter((part) => inside(part.from) || inside(part.to))
      .map((part) => ({
        from: Math.max(0, move(part.from)),
        to: Math.min(kept.length - 1, move(part.to)),
        level_ms: part.level_ms,
        low_ms: part.level_ms * (1 - 2 * one.noise),
        high_ms: part.level_ms * (1 + 2 * one.noise),
      })),
    changes: one.steps
      .slice(1)
      .filter(([step]) => inside(step))
      .map(([step, factor]) => ({
        at: move(step),
        change_pct: 100 * (factor - 1),
        z: Math.abs(factor - 1) / one.noise,
      })),
    breaks: inside(Math.floor(count * 0.4))
      ? [{ at: move(Math.floor(count * 0.4)), what: 'environment', text: `kernel 6.1.0-26 to 6.1.0-28${store.tail}` }]
      : [],
    alerts: alertsOf(one)
      .filter((alert) => inside(alert.to))
      .map((alert) => ({ ...alert, from: Math.max(0, move(alert.from)), to: move(alert.to) })),
    annotations: inside(Math.floor(count * 0.7))
      ? [
          {
            at: move(Math.floor(count * 0.7)),
            verb: 'note',
            text: `the machine got another cooler${store.tail}`,
            said_at: iso(LAST - 40 * DAY),
            link: null,
          },
        ]
      : [],
  };
}

export function alertInfos(store, chosen) {
  const groups = new Map();
  for (const one of chosen) {
    for (const alert of alertsOf(one)) groups.set(alert.id, [...(groups.get(alert.id) ?? []), { one, alert }]);
  }
  return [...groups]
    .map(([id, rows]) => {
      const { alert, one } = rows[0];
      return {
        id,
        kind: 'change',
        engine: one.engine,
        state: alert.state,
        life: alert.life,
        is_open: alert.life === 'new',
        is_slower: alert.change_pct > 0,
        cause: store.random() < 0.8 ? `kernel rebuilt${store.tail}` : null,
        why_suspected: null,
        good_night: String(alert.from + 1),
        bad_night: String(alert.to + 1),
        reported_night: String(alert.to + 1),
        confirmed_night: String(alert.to + 1),
        settled_night: alert.state === 'settled' ? String(alert.to + 12) : null,
        commits: [{ id: one.commits[alert.to] ?? 'none', url: null, kind: 'code' }],
        rows: rows.map((row) => ({
          series: infoOf(store, row.one).label,
          id: row.one.id,
          label: infoOf(store, row.one).label,
          change_pct: row.alert.change_pct,
          low_pct: row.alert.change_pct - 0.8,
          high_pct: row.alert.change_pct + 0.9,
          z: Math.abs(row.alert.change_pct) * 1.7,
          pairs: 40,
        })),
        row_total: rows.length,
        annotations:
          alert.life === 'accepted'
            ? [
                {
                  verb: 'accept',
                  text: `worth it${store.tail}`,
                  said_at: iso(LAST - 9 * DAY),
                  link: 'https://example.org/17',
                },
              ]
            : [],
        compare: { a: `night:nightly/main/${alert.from + 1}`, b: `night:nightly/main/${alert.to + 1}` },
        commands: [
          { title: 'Find the commit', command: `./opbench bisect --alert ${id}` },
          { title: 'Accept the change', command: `./opbench regress accept ${id} --say 'why'` },
        ],
      };
    })
    .sort((a, b) => Number(b.is_open) - Number(a.is_open) || Number(b.bad_night) - Number(a.bad_night));
}

export function runInfo(store, selector) {
  const night = /\/(\d+)$/.exec(selector)?.[1];
  return {
    selector,
    kind: night ? 'night' : 'run',
    label: night ? `nightly · main · night ${night}` : `${store.models[0]} · halide, onednn · 2 threads${store.tail}`,
    at: iso(LAST - (store.nights - Number(night ?? store.nights)) * DAY),
    models: store.models,
    engines: ENGINES.slice(0, 2),
    threads: [2],
    machine: store.machine,
    machine_name: store.machineName,
    commit: store.commits[Number(night ?? 1) - 1] ?? null,
    commit_url: null,
    suite: 'nightly',
    branch: 'main',
    night: night ?? null,
    rows: store.series.length,
    failures: 1,
    command: './opbench regress --suite nightly.toml',
  };
}

export const drawn = { ENGINES, DAY, LAST, iso, hex, alertsOf };
