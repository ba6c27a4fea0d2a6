#!/usr/bin/env node
// An engine for MatMulInteger of two matrices that are inputs, computed as CPUs without VNNI do
// (vpmaddubsw): the sum of two neighbouring products saturates. Its arguments are the node, its
// output, and the largest sum of two: 32767 there, 1 for seeded operands (0 and 1), Infinity for an
// engine that is right. A call takes a millisecond.
import { createReadStream, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const [node, output] = process.argv.slice(2);
const largest = Number(process.argv[4]);
const units = [{ id: 0, operator: 'MatMulInteger', nodes: [node] }];
let cpu = 0;
const prepared = new Map();

function values({ path, data_type: type }) {
  const bytes = readFileSync(path);
  return [...(type === 'int8' ? new Int8Array(bytes) : new Uint8Array(bytes))];
}

// The operands a, b and their zero points, which may be missing, in the order of the model's inputs.
function product([a, b, aZero, bZero]) {
  const [rows, depth] = a.shape.slice(-2);
  const columns = b.shape.at(-1);
  const less = (file, zero) => values(file).map((value) => value - (zero ? values(zero)[0] : 0));
  const [x, w] = [less(a, aZero), less(b, bZero)];
  const y = new Int32Array(rows * columns);
  for (let i = 0; i < y.length; i += 1) {
    const at = (k) => (k < depth ? x[Math.floor(i / columns) * depth + k] * w[k * columns + (i % columns)] : 0);
    for (let k = 0; k < depth; k += 2) {
      y[i] += Math.max(-largest - 1, Math.min(largest, at(k) + at(k + 1)));
    }
  }
  return { y, shape: [rows, columns] };
}

function run({ name, inputs, outputs_dir: folder }) {
  const given = prepared.get(name).map((file) => inputs?.find((other) => other.name === file.name) ?? file);
  const { y, shape } = product(given);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'product.bin');
  writeFileSync(path, new Uint8Array(y.buffer));
  return { outputs: [{ name: output, path, data_type: 'int32', shape }, ...given] };
}

const sample = () =>
  ({ wall_s: 1e-3, cpu_s: 1e-3, involuntary_switches: 0, minor_faults: 0, cpu, migrated: false });
const list = (count, make) => Array.from({ length: count }, make);

const methods = {
  hello: ({ cpus }) => {
    cpu = cpus[0];
    return { engine: 'saturating', version: '1', protocol: 1, versions: {}, call_floor_ms: 1e-6 };
  },
  prepare: ({ name, inputs }) => {
    prepared.set(name, inputs);
    return { units, prepare_ms: 0 };
  },
  run,
  measure: ({ repeats }) => ({ samples: list(repeats, sample) }),
  profile: ({ runs }) => ({
    units,
    runs: list(runs, (_, i) => ({ plain: sample(), instrumented: sample(), units_s: [0.9e-3], order: i % 2 })),
    peak_memory_mb: null,
  }),
  release: ({ name }) => {
    prepared.delete(name);
    return {};
  },
};

for await (const line of createInterface({ input: createReadStream(null, { fd: 3 }) })) {
  const { id, method, params } = JSON.parse(line);
  const answer = methods[method];
  const error = { kind: 'unsupported', message: `no method ${method}` };
  writeSync(4, `${JSON.stringify(answer ? { id, result: answer(params) } : { id, error })}\n`);
}
