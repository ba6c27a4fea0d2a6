// Writes the files that pages name and that no block of theirs makes: small models, a log of trials, records.
//   make_fixtures.mjs FOLDER
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixtures = resolve(dirname(fileURLToPath(import.meta.url)), '../fixtures');

// --- protobuf --------------------------------------------------------------------------------------

const varint = (value) => {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
};
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field, value) => bytes(field, Buffer.from(value));
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

// --- ONNX: the numbers of fields are those of onnx.proto ---------------------------------------------

const kFloat = 1;
const size = (shape) => shape.reduce((product, extent) => product * extent, 1);
const valuesOf = (shape) => Float32Array.from({ length: size(shape) }, (_, i) => ((i * 37) % 101) / 101 - 0.5);
const tensor = (name, shape, values = valuesOf(shape)) =>
  Buffer.concat([...shape.map((extent) => number(1, extent)), number(2, kFloat), text(8, name), bytes(9, Buffer.from(values.buffer))]);
const dimension = (extent) => message(1, typeof extent === 'string' ? text(2, extent) : number(1, extent));
const value = (field, name, shape) =>
  message(field, text(1, name), message(2, message(1, number(1, kFloat), message(2, ...shape.map(dimension)))));
const integers = (name, list) => message(5, text(1, name), ...list.map((one) => number(8, one)), number(20, 7));
const node = (type, inputs, output, ...attributes) =>
  message(1, ...inputs.map((name) => text(1, name)), text(2, output), text(4, type), ...attributes);

// `weights` are shapes by name; `input` and `output` are [name, shape].
function modelOf({ nodes, weights = {}, input, output }) {
  const graph = message(
    7,
    ...nodes,
    text(2, 'g'),
    ...Object.entries(weights).map(([name, shape]) => bytes(5, tensor(name, shape))),
    value(11, ...input),
    value(12, ...output),
  );
  return Buffer.concat([number(1, 8), graph, message(8, number(2, 17))]);
}

const image = ['input', [1, 16, 12, 12]];
const convolution = (from, weight, to) => node('Conv', [from, weight], to, integers('pads', [1, 1, 1, 1]));
const filters = [16, 16, 3, 3];

// Three convolutions in a row, and three side by side: what stands for built-in models.
const chain = modelOf({
  nodes: [
    convolution('input', 'w0', 'a'),
    node('Relu', ['a'], 'b'),
    convolution('b', 'w1', 'c'),
    node('Relu', ['c'], 'd'),
    convolution('d', 'w2', 'y'),
  ],
  weights: { w0: filters, w1: filters, w2: filters },
  input: image,
  output: ['y', [1, 16, 12, 12]],
});
const branchesOf = (extent) => modelOf({
  nodes: [
    convolution('input', 'w0', 'a'),
    convolution('input', 'w1', 'b'),
    node('MaxPool', ['input'], 'p', integers('kernel_shape', [3, 3]), integers('pads', [1, 1, 1, 1])),
    convolution('p', 'w2', 'c'),
    node('Add', ['a', 'b'], 'd'),
    node('Add', ['d', 'c'], 'y'),
  ],
  weights: { w0: filters, w1: filters, w2: filters },
  input: ['input', [1, 16, extent, extent]],
  output: ['y', [1, 16, extent, extent]],
});
const words = modelOf({
  nodes: [node('MatMul', ['input', 'w'], 'a'), node('Softmax', ['a'], 'y')],
  weights: { w: [16, 16] },
  input: ['input', [1, 'sequence', 16]],
  output: ['y', [1, 'sequence', 16]],
});
const relu = modelOf({
  nodes: [node('Relu', ['input'], 'y')],
  input: ['input', [1, 3, 224, 224]],
  output: ['y', [1, 3, 224, 224]],
});

// A case as ONNX's backend tests have them: model.onnx beside test_data_set_0.
function writeCase(folder) {
  const shape = [1, 3, 224, 224];
  const values = valuesOf(shape);
  mkdirSync(join(folder, 'test_data_set_0'), { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), relu);
  writeFileSync(join(folder, 'test_data_set_0/input_0.pb'), tensor('input', shape, values));
  writeFileSync(join(folder, 'test_data_set_0/output_0.pb'), tensor('y', shape, values.map((one) => Math.max(one, 0))));
}

// --- records ---------------------------------------------------------------------------------------

// 24 trials of one convolution on this CPU, as AutoTVM 0.2 writes them, then those of a GPU.
function tuningLog() {
  const activation = ['TENSOR', [1, 16, 8, 8], 'float32'];
  const weight = ['TENSOR', [16, 16, 3, 3], 'float32'];
  const args = [activation, weight, [1, 1], [1, 1, 1, 1], [1, 1], 'NCHW', 'NCHW', 'float32'];
  const factors = [1, 2, 4, 8, 16];
  const lines = Array.from({ length: 24 }, (_, i) => {
    const entity = [
      ['tile_ic', 'sp', [-1, factors[i % 5]]],
      ['tile_oc', 'sp', [-1, factors[Math.floor(i / 5)]]],
      ['tile_ow', 'sp', [-1, 1]],
      ['unroll_kw', 'ot', true],
    ];
    return JSON.stringify({
      input: ['llvm -keys=cpu -link-params=0', 'conv2d_NCHWc.x86', args, {}],
      config: { index: i, code_hash: null, entity },
      result: [[2e-5 / (1 + Math.floor(i / 5)) + (i % 5) * 1e-7], 0, 0.5, 1600000000.5 + i],
      version: 0.2,
      tvm_version: '0.8.0',
    });
  });
  const gpu = readFileSync(join(fixtures, 'logs/gpu.log'), 'utf8').split('\n').filter((line) => line.startsWith('{'));
  return [...lines, ...gpu].join('\n') + '\n';
}

export function makeFixtures(folder) {
  writeCase(folder);
  writeCase(join(folder, 'cases/relu'));
  writeFileSync(join(folder, 'my.onnx'), chain);
  writeFileSync(join(folder, 'chain.onnx'), chain);
  writeFileSync(join(folder, 'branches.onnx'), branchesOf(12));
  writeFileSync(join(folder, 'arms.onnx'), branchesOf(10));
  writeFileSync(join(folder, 'words.onnx'), words);
  writeFileSync(join(folder, 'tuning.log'), tuningLog());
  writeFileSync(join(folder, 'autotvm.log'), tuningLog());
  cpSync(join(fixtures, 'logs/metaschedule'), join(folder, 'database'), { recursive: true });
  cpSync(join(fixtures, 'records/google_benchmark.json'), join(folder, 'run.json'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeFixtures(process.argv[2]);
