// The drawn answers of the page Plans.
import { answers } from './drawn_pages.mjs';
import { drawn } from './drawn_answers.mjs';

const { LAST, iso } = drawn;
const facts = (store) => ({
  model: store.models[0],
  planner: 'stationary',
  workers: 2,
  units: 40,
  predicted_ms: 21.3,
  sequential_ms: 31.4,
  ceiling: 1.62,
  measured: { speedup: 1.39, low: 1.35, high: 1.43, verdict: 'faster', reason: `it gains 39 %${store.tail}` },
});
const pairs = (store) => ({
  target: `llvm -mcpu=core-avx2${store.tail}`,
  units: 3,
  pairs: 6,
  worst: 1.43,
  worst_pair: 'A beside C',
});

export function plans(store, query) {
  const run = {
    run: 'run:7',
    label: `${store.models[0]} · pairs · 2 workers`,
    at: iso(LAST),
    engine: 'halide',
    threads: 2,
    end_to_end_ms: 28.4,
  };
  const isFull = store.series.length > 0;
  const kept = { at: iso(LAST), fault: null };
  return answers.page(isFull ? [run] : [], query, {
    why_none: 'No run of the store has a plan.',
    plans: isFull
      ? [
          { id: 'p1', ...kept, ...facts(store) },
          { id: 'p2', ...kept, ...facts(store), measured: null },
          { id: 'p3', at: iso(LAST), fault: `"plan p3" is no plan${store.tail}` },
        ]
      : [],
    interference: isFull ? [{ id: 'i1', ...kept, ...pairs(store) }] : [],
  });
}

export function planTimeline(store, query) {
  const operators = ['conv2d+relu', 'max_pool', 'concat', 'conv2d', 'softmax', 'gemm'];
  const spans = [];
  const free = [0, 0];
  for (let index = 0; index < 40; index += 1) {
    const workers = index % 9 === 0 ? [0, 1] : [free[0] <= free[1] ? 0 : 1];
    const start = Math.max(...workers.map((worker) => free[worker]));
    const end = start + 0.25 + ((index * 7) % 5) * 0.2;
    workers.forEach((worker) => (free[worker] = end));
    spans.push({
      name: `/layer${index}/Conv_output_0${store.tail}`,
      operator: operators[index % operators.length] + store.tail,
      workload: 'conv2d 1x64x56x56 w:64x64x3x3',
      workers,
      start_ms: start,
      end_ms: end,
    });
  }
  return {
    ...facts(store),
    id: query.get('id'),
    target: 'llvm -mcpu=core-avx2',
    times: 'measured in the model',
    reason: 'the fastest of 3 that were run',
    command: './opbench profile resnet-18 --plan plan.json',
    cpus: [2, 3],
    makespan_ms: Math.max(...free),
    busy_pct: 91,
    spans,
  };
}

export function interference(store, query) {
  const cell = (ratio) => ({ ratio, low: ratio - 0.02, high: ratio + 0.03, forecast: ratio + 0.01 });
  return {
    ...pairs(store),
    id: query.get('id'),
    unit_list: ['A', 'B', 'C'].map((key, index) => ({
      key,
      workload: `conv2d 1x64x56x56 w:${64 * (index + 1)}x64x3x3${store.tail}`,
      alone_ms: 0.7 + index,
      pressure: 1.1,
    })),
    cells: [
      [cell(1.02), cell(1.1), cell(1.43)],
      [cell(1.08), cell(1.0), null],
      [cell(1.21), null, cell(1.3)],
    ],
  };
}
