// The engine `onnxruntime`: speaks docs/engine-protocol.md on descriptors 3 and 4.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { takeSamples, timeCalls } from './call_samples.mjs';
import { Failure } from './failure.mjs';
import { assignNodes } from './fused_nodes.mjs';
import { identityModel, nodesOf, withInitializers, withNodeNames } from './onnx_bytes.mjs';
import { readProfile } from './profile_events.mjs';
import { Session, letWorkersSleep, versions } from './session.mjs';
import { readTensors, reserve, tensorAt, touch, writeTensors } from './tensor_memory.mjs';

const REQUESTS = 3;
const REPLIES = 4;
// The profiler keeps a million events and takes about 800 bytes of text for each.
const MOST_EVENTS = 200000;

let machine = null;
const models = new Map();
let touchSum = 0;

const round = (milliseconds) => Math.round(milliseconds * 1e6) / 1e6;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Moves this thread to its CPU; the workers of ONNX Runtime are moved by its own option. */
function pinCallingThread(cpus) {
  if (cpus.length < 2) return;
  try {
    execFileSync('taskset', ['-p', '-c', String(cpus[0]), String(process.pid)], { stdio: 'ignore' });
  } catch (error) {
    console.error(`the calling thread is not pinned: ${error.message}`);
  }
}

function callFloor() {
  const session = new Session(identityModel(), machine);
  const [place] = reserve([4]);
  session.bind(new Map([['x', tensorAt(place, 'float32', [1])]]));
  const { samples } = takeSamples(session.prepareCall(), null,
    { number: 1000, repeats: 9, warm_up_ms: 20, warm_up_calls: 2000 });
  session.dispose();
  return median(samples.map((sample) => sample.wall_s)) * 1e3;
}

function hello({ protocol = 1, threads = 1, cpus = [] }) {
  if (machine !== null) throw new Failure('run_error', 'hello was said already');
  if (protocol !== 1) throw new Failure('unsupported', `protocol ${protocol}; this engine speaks 1`);
  if (!Number.isInteger(threads) || threads < 1) {
    throw new Failure('invalid_config', `threads is ${threads}; it is at least 1`);
  }
  pinCallingThread(cpus);
  machine = { threads, cpus };
  const known = versions();
  const floor = round(callFloor());
  letWorkersSleep(threads);
  return {
    engine: 'onnxruntime', version: known.onnxruntime, protocol: 1, versions: known,
    call_floor_ms: floor,
  };
}

function modelOf({ name }) {
  const model = models.get(name);
  if (model === undefined) throw new Failure('run_error', `nothing is prepared as "${name}"`);
  return model;
}

function refuseUnit({ unit }) {
  if (unit !== null && unit !== undefined) {
    throw new Failure('unsupported', 'ONNX Runtime runs its units only inside their model');
  }
}

/** What the session loads: the path, or for a workload the bytes with its weights inside. */
function sourceOf({ kind, path: file, weights = [] }, tensors) {
  if (kind !== 'onnx' && kind !== 'workload') {
    throw new Failure('unsupported', `cannot prepare a "${kind}"; known: onnx, workload`);
  }
  const inside = new Map(weights.map((name) => [name, tensors.get(name)]));
  const missing = weights.filter((name) => !tensors.has(name));
  if (missing.length > 0) throw new Failure('run_error', `no tensor for ${missing.join(', ')}`);
  return inside.size === 0 ? file : withInitializers(fs.readFileSync(file), inside);
}

function prepare(params) {
  const start = performance.now();
  const tensors = readTensors(params.inputs);
  const source = sourceOf(params, tensors);
  const session = new Session(source, machine);
  try {
    session.bind(tensors);
  } catch (error) {
    session.dispose();
    throw error;
  }
  models.get(params.name)?.session.dispose();
  models.set(params.name, { session, source, tensors, file: params.path, profiled: params.profile });
  return { prepare_ms: round(performance.now() - start) };
}

function run(params) {
  refuseUnit(params);
  const outputs = modelOf(params).session.run(readTensors(params.inputs));
  return { outputs: writeTensors(outputs, params.outputs_dir) };
}

function measure(params) {
  refuseUnit(params);
  const { session } = modelOf(params);
  const call = session.prepareCall();
  const activations = session.activations();
  const touchActivations = () => {
    for (const tensor of activations) touchSum += touch(tensor);
  };
  return takeSamples(call, touchActivations, params);
}

/** One plain and one instrumented run, each after an untimed one that warms caches and workers. The other
 * session's workers are asleep by then. */
function timePair(plain, instrumented, order) {
  const pair = { order };
  for (const which of order === 0 ? ['plain', 'instrumented'] : ['instrumented', 'plain']) {
    const call = which === 'plain' ? plain : instrumented;
    letWorkersSleep(machine.threads);
    call();
    pair[which] = timeCalls(call, 1);
  }
  return pair;
}

/** Where a model loaded from bytes finds its external data. */
const externalDataBeside = (file) => ({
  extra: { 'session.model_external_initializers_file_folder_path': path.dirname(path.resolve(file)) },
});

/** A session that writes its profile to a file of `folder`, its nodes all named. */
function profilingSession({ source, tensors, file }, folder) {
  const bytes = typeof source === 'string' ? fs.readFileSync(source) : source;
  const renamed = withNodeNames(bytes);
  const session = new Session(renamed ?? source, machine, {
    enableProfiling: true,
    profileFilePrefix: path.join(folder, 'profile'),
    ...(renamed === null ? {} : externalDataBeside(file)),
  });
  session.bind(tensors);
  return { session, nodes: nodesOf(renamed ?? bytes) };
}

function profileIn(folder, model, wantedRuns) {
  const plain = model.session.prepareCall();
  model.peakMemoryMb ??= round(process.resourceUsage().maxRSS * 1024 / 1e6);
  const { session, nodes } = profilingSession(model, folder);
  const instrumented = session.prepareCall();
  const mostRuns = Math.floor(MOST_EVENTS / (2 * (nodes.length + 2)));
  const pairs = [];
  for (let i = 0; i < Math.max(1, Math.min(wantedRuns, mostRuns)); ++i) {
    pairs.push(timePair(plain, instrumented, i % 2));
  }
  session.endProfiling();
  session.dispose();
  const [file] = fs.readdirSync(folder);
  const { units, runs } = readProfile(path.join(folder, file));
  // The first runs are prepareCall's; then each pair made an untimed and a timed one.
  const first = runs.length - 2 * pairs.length;
  return {
    units: assignNodes(units, nodes, model.session.inputNames()),
    runs: pairs
      .map((pair, i) => ({ ...pair, units_s: runs[first + 2 * i + 1] ?? null }))
      .filter((pair) => pair.units_s !== null),
    peak_memory_mb: model.peakMemoryMb,
  };
}

function profile(params) {
  const model = modelOf(params);
  if (!model.profiled) throw new Failure('run_error', `"${params.name}" was not prepared to be profiled`);
  const folder = fs.mkdtempSync(path.join(params.folder ?? os.tmpdir(), 'opbench-ort-'));
  try {
    const result = profileIn(folder, model, params.runs ?? 1);
    if (result.runs.length === 0) throw new Failure('run_error', "ONNX Runtime's profile is empty");
    return result;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function release(params) {
  modelOf(params).session.dispose();
  models.delete(params.name);
  return {};
}

const METHODS = { hello, prepare, run, measure, profile, release };

function answer({ method, params }) {
  if (!Object.hasOwn(METHODS, method)) {
    throw new Failure('unsupported', `unknown method "${method}"`);
  }
  if (method !== 'hello' && machine === null) throw new Failure('run_error', 'say hello first');
  const result = METHODS[method](params ?? {});
  if (method !== 'hello') letWorkersSleep(machine.threads);
  return result;
}

function replyTo(line) {
  let id = null;
  try {
    const request = JSON.parse(line);
    id = request.id ?? null;
    return { id, result: answer(request) };
  } catch (error) {
    return { id, error: { kind: error.kind ?? 'run_error', message: error.message } };
  }
}

function writeAll(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += fs.writeSync(REPLIES, bytes, at);
}

const chunk = Buffer.alloc(65536);
let unread = Buffer.alloc(0);

/** The next request, or null at their end. Blocks: an idle engine uses nothing. */
function nextLine() {
  for (;;) {
    const end = unread.indexOf(10);
    if (end >= 0) {
      const line = unread.toString('utf8', 0, end);
      unread = unread.subarray(end + 1);
      return line;
    }
    const got = fs.readSync(REQUESTS, chunk, 0, chunk.length, null);
    if (got === 0) return null;
    unread = Buffer.concat([unread, chunk.subarray(0, got)]);
  }
}

for (let line = nextLine(); line !== null; line = nextLine()) {
  writeAll(`${JSON.stringify(replyTo(line))}\n`);
  // The event loop frees what the binding holds.
  await new Promise((resolve) => { setImmediate(resolve); });
}
process.exit(0);
