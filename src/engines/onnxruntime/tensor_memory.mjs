// Tensors as the protocol passes them (files) and as the binding takes them (plain objects).

import fs from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';

const ARRAYS = {
  float32: Float32Array, uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array,
  int16: Int16Array, int32: Int32Array, int64: BigInt64Array, bool: Uint8Array,
  float16: Uint16Array, float64: Float64Array, uint32: Uint32Array, uint64: BigUint64Array,
};
const LINE = 64;
const WASM_PAGE = 65536;
const WASM_MOST = 65536 * WASM_PAGE;

const elementCount = (dims) => dims.reduce((product, extent) => product * extent, 1);

export function bytesOf(type, dims) {
  const array = ARRAYS[type];
  if (array === undefined) {
    throw new Failure('unsupported', `ONNX Runtime's Node.js binding has no tensors of type ${type}`);
  }
  return elementCount(dims) * array.BYTES_PER_ELEMENT;
}

/** Memory for tensors of `sizes` bytes, each on a cache line of its own: one block from a wasm memory, the
 * only one that JavaScript gets on a page boundary. Larger than 4 GiB: ordinary buffers. */
export function reserve(sizes) {
  const offsets = [];
  let total = 0;
  for (const size of sizes) {
    offsets.push(total);
    total += Math.ceil(size / LINE) * LINE;
  }
  try {
    if (total > WASM_MOST) throw new RangeError('too large');
    const pages = Math.max(1, Math.ceil(total / WASM_PAGE));
    const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages });
    return offsets.map((offset) => ({ buffer, offset }));
  } catch {
    return sizes.map((size) => ({ buffer: new ArrayBuffer(size), offset: 0 }));
  }
}

/** A tensor in `place`, as the binding takes it: it reads `data` and `dims` at every call. */
export function tensorAt(place, type, dims) {
  const data = new ARRAYS[type](place.buffer, place.offset, elementCount(dims));
  return { type, dims, data, location: 'cpu' };
}

const bytesView = (tensor) =>
  new Uint8Array(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength);

function checkDescription(description) {
  const { name, path: file, data_type: type, shape } = description ?? {};
  if (typeof name !== 'string' || typeof file !== 'string' || typeof type !== 'string' ||
      !Array.isArray(shape) || !shape.every((extent) => Number.isInteger(extent) && extent >= 0)) {
    throw new Failure('run_error', `not a tensor's description: ${JSON.stringify(description)}`);
  }
}

function readInto(tensor, file) {
  const fd = fs.openSync(file, 'r');
  try {
    const wanted = tensor.data.byteLength;
    const { size } = fs.fstatSync(fd);
    if (size !== wanted) {
      throw new Failure('run_error', `tensor file "${file}" has ${size} bytes, its type ${wanted}`);
    }
    const bytes = bytesView(tensor);
    for (let at = 0; at < wanted;) {
      at += fs.readSync(fd, bytes, at, Math.min(wanted - at, 1 << 30), null);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** A Map from name to tensor for a list of tensors as files. */
export function readTensors(descriptions) {
  const list = descriptions ?? [];
  list.forEach(checkDescription);
  const places = reserve(list.map((entry) => bytesOf(entry.data_type, entry.shape)));
  const tensors = new Map();
  list.forEach((entry, i) => {
    const tensor = tensorAt(places[i], entry.data_type, entry.shape);
    readInto(tensor, entry.path);
    tensors.set(entry.name, tensor);
  });
  return tensors;
}

/** Writes tensors (an object by name) as files of `folder` and describes them. */
export function writeTensors(tensors, folder) {
  fs.mkdirSync(folder, { recursive: true });
  return Object.entries(tensors).map(([name, tensor], i) => {
    if (ARRAYS[tensor.type] === undefined) {
      throw new Failure('unsupported', `output "${name}" has the type ${tensor.type}`);
    }
    const file = path.join(folder, `${i}.bin`);
    fs.writeFileSync(file, bytesView(tensor));
    return { name, path: file, data_type: tensor.type, shape: [...tensor.dims] };
  });
}

/** Reads a tensor so that it is in the caches; returns a sum so that the reads are made. */
export function touch(tensor) {
  const bytes = bytesView(tensor);
  let sum = 0;
  for (let i = 0; i < bytes.length; i += LINE) sum += bytes[i];
  return sum;
}
