#!/usr/bin/env node
// An engine for models of one Relu, as an example of the engine protocol (docs/reference/engine-protocol.md):
// one request a line on descriptor 3, one reply a line on descriptor 4, tensors in files. With these lines in opbench.toml,
//   [engine.script]
//   command = ["node", "examples/relu_engine.mjs"]
// `opbench op 'relu 1x64x56x56' --engine halide,script` measures it beside our kernel.
import { createReadStream, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const prepared = new Map(); // by the name that `prepare` gives
let cpu = 0;

const seconds = () => Number(process.hrtime.bigint()) * 1e-9;

function readFloats({ path }) {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

function callOn([file]) {
  const input = readFloats(file);
  return { input, output: new Float32Array(input.length), shape: file.shape };
}

function relu({ input, output }) {
  for (let i = 0; i < input.length; ++i) output[i] = input[i] > 0 ? input[i] : 0;
}

// The output has the name that the model gives it: `y` in what `opbench op` makes.
function writeOutput({ output, shape }, folder) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'y.bin');
  writeFileSync(path, Buffer.from(output.buffer));
  return [{ name: 'y', path, data_type: 'float32', shape }];
}

// `number` calls in a row; null is what this engine does not know.
function sample(call, number) {
  const begin = seconds();
  for (let i = 0; i < number; ++i) relu(call);
  const wall = (seconds() - begin) / number;
  return { wall_s: wall, cpu_s: null, involuntary_switches: 0, minor_faults: 0, cpu };
}

// What one timed call makes of other inputs: it shows that timed calls compute.
function audited({ inputs, outputs_dir: folder }) {
  const call = callOn(inputs);
  const taken = sample(call, 1);
  return { sample: taken, outputs: writeOutput(call, folder) };
}

function measure({ name, number, repeats, warm_up_ms = 0, warm_up_calls = 0, audit }) {
  const call = prepared.get(name);
  const begin = seconds();
  for (let i = 0; i <= warm_up_calls || seconds() < begin + warm_up_ms * 1e-3; ++i) relu(call);
  const reply = { samples: [] };
  let timed = 0;
  for (let i = 0; i <= repeats; ++i) {
    if (audit && i === audit.after) {
      reply.audit = audited(audit);
      timed += reply.audit.sample.wall_s;
    }
    if (i === repeats) break;
    reply.samples.push(sample(call, number));
    timed += reply.samples.at(-1).wall_s * number;
  }
  return { ...reply, untimed_s: seconds() - begin - timed };
}

const methods = {
  hello: ({ cpus }) => {
    cpu = cpus[0] ?? 0;
    return { engine: 'script', version: '1', protocol: 1, versions: {}, call_floor_ms: 1e-4 };
  },
  prepare: ({ name, inputs }) => {
    prepared.set(name, callOn(inputs));
    return { units: [], prepare_ms: 0 };
  },
  run: ({ name, inputs, outputs_dir: folder }) => {
    const call = inputs?.length ? callOn(inputs) : prepared.get(name);
    relu(call);
    return { outputs: writeOutput(call, folder) };
  },
  measure,
  release: ({ name }) => {
    prepared.delete(name);
    return {};
  },
};

const needsModel = ['run', 'measure', 'release'];
const failure = (kind, message) => Object.assign(new Error(message), { kind });

function answer({ method, params }) {
  if (!methods[method]) throw failure('unsupported', `unknown method "${method}"`);
  if (needsModel.includes(method) && !prepared.has(params.name)) throw failure('run_error', 'nothing of that name');
  return methods[method](params);
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
}
