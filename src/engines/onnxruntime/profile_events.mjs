// ONNX Runtime's profile file: one JSON event a line, times in whole microseconds.

import fs from 'node:fs';

const NODE_SUFFIX = '_kernel_time';
const HOLDS_A_GRAPH = new Set(['If', 'Loop', 'Scan', 'SequenceMap', 'BeamSearch', 'GreedySearch',
  'Sampling']);
const WORDS = { float: 'float32', double: 'float64' };

function readEvents(file) {
  const events = [];
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    if (!line.startsWith('{')) continue;
    try {
      events.push(JSON.parse(line.replace(/,\s*$/, '')));
    } catch {
      continue;
    }
  }
  return events;
}

const describeTensor = (entry) => {
  const [word, shape] = Object.entries(entry)[0] ?? ['', []];
  return { data_type: WORDS[word] ?? word, shape };
};

/** The nodes of one run, without those that ran inside another node's subgraph. */
function outermost(events) {
  const result = [];
  let end = -1;
  for (const event of events) {
    if (event.ts + event.dur <= end) continue;
    result.push(event);
    end = HOLDS_A_GRAPH.has(event.args.op_name) ? event.ts + event.dur : -1;
  }
  return result;
}

/** The middle of the microsecond that the profiler cut off. */
const seconds = (event) => (event.dur + 0.5) * 1e-6;

/** The runs in a profile in order, and the units: what ran in the last of them. Each run is its units' times
 * in seconds, or null where it differs from the last. */
export function readProfile(file) {
  const events = readEvents(file).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const nodes = events.filter((event) => event.cat === 'Node' && event.name.endsWith(NODE_SUFFIX));
  const runs = events.filter((event) => event.name === 'model_run');
  let at = 0;
  const perRun = runs.map((run) => {
    const inside = [];
    while (at < nodes.length && nodes[at].ts < run.ts) ++at;
    while (at < nodes.length && nodes[at].ts <= run.ts + run.dur) inside.push(nodes[at++]);
    return outermost(inside);
  });
  const last = perRun[perRun.length - 1] ?? [];
  const units = last.map((event, id) => ({
    id,
    operator: event.args.op_name,
    name: event.name.slice(0, -NODE_SUFFIX.length),
    inputs: (event.args.input_type_shape ?? []).map(describeTensor),
    outputs: (event.args.output_type_shape ?? []).map(describeTensor),
  }));
  const fits = (run) => run.length === last.length &&
    run.every((event, i) => event.name === last[i].name);
  return { units, runs: perRun.map((run) => (fits(run) ? run.map(seconds) : null)) };
}
