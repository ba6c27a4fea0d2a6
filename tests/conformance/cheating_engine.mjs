#!/usr/bin/env node
// An engine for y = Relu(x0) whose timed calls cheat in the way that its argument names: what looks
// at timed calls must find each of them, and find nothing where the argument is `honest`.
//   keeps    gives the result of an earlier call on the same buffer
//   first    is right for the first calls only
//   defers   answers first and computes afterwards
//   idle     computes nothing while it is timed
//   zeroes   overwrites its input with zeros while it is timed, whose result is known
//   clock    has a clock that runs at a tenth of the speed
//   untimed  calls most of its work untimed
//   threads  leaves a thread running
//   memory   keeps what it has computed
import { createReadStream, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

const cheat = process.argv[2] ?? 'honest';
const kCallMs = 2;
const kFirst = 12;
const now = () => Number(process.hrtime.bigint()) * 1e-9;
const clock = cheat === 'clock' ? () => now() / 10 : now;

const results = new Map(); // by buffer
const kept = [];
let later = null; // what is computed after the reply
let calls = 0;
let cpu = 0;
let prepared = null;

function busy(milliseconds) {
  const end = now() + milliseconds * 1e-3;
  while (now() < end);
}

function relu(call) {
  busy(kCallMs);
  call.output.set(call.input.map((value) => Math.max(0, value)));
}

const timedCalls = {
  keeps: (call) => {
    if (!results.has(call.input)) {
      relu(call);
      results.set(call.input, Float32Array.from(call.output));
    }
    call.output.set(results.get(call.input));
  },
  first: (call) => (++calls <= kFirst ? relu(call) : call.output.fill(1)),
  defers: (call) => {
    later = () => relu(call);
  },
  idle: () => {},
  zeroes: (call) => {
    call.input.fill(0);
    call.output.fill(0);
  },
  threads: (call) => {
    if (calls++ === 0) new Worker('setInterval(() => {}, 1000)', { eval: true });
    relu(call);
  },
  memory: (call) => {
    kept.push(new Float64Array(250_000).fill(1));
    relu(call);
  },
};
const timed = timedCalls[cheat] ?? relu;

function read(file) {
  const bytes = readFileSync(file.path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

function callOn(files) {
  const input = read(files[0]);
  return { input, output: new Float32Array(input.length).fill(NaN), shape: files[0].shape };
}

function write(call, folder) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, '0.bin');
  writeFileSync(path, Buffer.from(call.output.buffer));
  return [{ name: 'y', path, data_type: 'float32', shape: call.shape }];
}

function sample(call, number) {
  const begin = clock();
  for (let i = 0; i < number; ++i) timed(call);
  let wall = (clock() - begin) / number;
  if (cheat === 'untimed') wall /= 10;
  return { wall_s: Math.max(wall, 1e-9), cpu_s: null, involuntary_switches: 0, minor_faults: 0, cpu };
}

function audited(request) {
  const call = callOn(request.inputs);
  const taken = sample(call, 1);
  return { sample: taken, outputs: write(call, request.outputs_dir) };
}

function measure({ number, repeats, audit, warm_up_calls = 0 }) {
  const begin = clock();
  for (let i = 0; i < warm_up_calls + 1; ++i) timed(prepared);
  const samples = [];
  const reply = { samples };
  let timedSeconds = 0;
  for (let i = 0; i <= repeats; ++i) {
    if (audit && i === audit.after) {
      reply.audit = audited(audit);
      timedSeconds += reply.audit.sample.wall_s;
    }
    if (i === repeats) break;
    samples.push(sample(prepared, number));
    timedSeconds += samples.at(-1).wall_s * number;
  }
  reply.untimed_s = clock() - begin - timedSeconds;
  return reply;
}

class Refusal extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

const methods = {
  hello: ({ cpus }) => {
    cpu = cpus[0] ?? 0;
    return { engine: `cheat-${cheat}`, version: '1', protocol: 1, versions: {}, call_floor_ms: 1e-4 };
  },
  prepare: ({ inputs, path }) => {
    readFileSync(path);
    prepared = callOn(inputs);
    return { units: [], prepare_ms: 1 };
  },
  run: ({ inputs, outputs_dir }) => {
    const call = inputs?.length ? callOn(inputs) : { ...prepared, output: prepared.output.slice() };
    relu(call);
    return { outputs: write(call, outputs_dir) };
  },
  measure,
  profile: ({ runs }) => ({
    runs: Array.from({ length: runs }, (_, order) => {
      const plain = sample(prepared, 1);
      const instrumented = sample(prepared, 1);
      return { plain, instrumented, units_s: [instrumented.wall_s], order: order % 2 };
    }),
    units: [{ id: 0, operator: 'Relu', nodes: [] }],
    peak_memory_mb: null,
  }),
  release: () => {
    prepared = null;
    return {};
  },
};

let greeted = false;
function answer({ method, params }) {
  const known = methods[method];
  if (!greeted && method !== 'hello') throw new Refusal('run_error', 'hello comes first');
  if (!known) throw new Refusal('unsupported', `no method ${method}`);
  if (['run', 'measure', 'profile'].includes(method) && (!prepared || params.name === 'no such')) {
    throw new Refusal('run_error', 'nothing of that name');
  }
  greeted = true;
  return known(params);
}

for await (const line of createInterface({ input: createReadStream(null, { fd: 3 }) })) {
  const request = JSON.parse(line);
  let reply;
  try {
    reply = { id: request.id, result: answer(request) };
  } catch (error) {
    reply = { id: request.id, error: { kind: error.kind ?? 'run_error', message: error.message } };
  }
  writeSync(4, `${JSON.stringify(reply)}\n`);
  later?.();
  later = null;
}
process.exit(0);
