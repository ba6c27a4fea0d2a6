// Sessions of ONNX Runtime, run through its native binding: the package's own `run` waits for the event
// loop at every call and hands out new memory for the outputs.

import { createRequire } from 'node:module';
import { Failure } from './failure.mjs';
import { bytesOf, reserve, tensorAt } from './tensor_memory.mjs';

const require = createRequire(import.meta.url);
const SPIN_US = 10000;
const UNSUPPORTED =
  /NOT_IMPLEMENTED|not implemented|not a registered function|No Op registered|[Uu]nsupported|not supported|official support/;

let native = null;

function load() {
  if (native !== null) return native;
  native = require('onnxruntime-node/dist/binding.js');
  native.initOrt();
  return native;
}

/** Versions of what runs in this process. */
export function versions() {
  load();
  return {
    onnxruntime: require('onnxruntime-node/package.json').version,
    node: process.versions.node,
  };
}

/** ONNX Runtime's message, as a failure. */
function failureOf(error) {
  if (error instanceof Failure) return error;
  const text = String(error?.message ?? error).trim().slice(0, 1000);
  return new Failure(UNSUPPORTED.test(text) ? 'unsupported' : 'run_error', text);
}

/** Options that make ONNX Runtime fastest. Workers spin for 10 ms (its own default is a count of pauses,
 * half a second on some CPUs), and the i-th runs on the CPU after the i-th, numbered from 1. */
function optionsFor(threads, cpus) {
  const extra = {
    'session.intra_op.spin_duration_us': String(SPIN_US),
    'session.inter_op.allow_spinning': '0',
  };
  if (threads > 1 && cpus.length >= threads) {
    extra['session.intra_op_thread_affinities'] =
      cpus.slice(1, threads).map((cpu) => cpu + 1).join(';');
  }
  return {
    intraOpNumThreads: threads, interOpNumThreads: 1, executionMode: 'sequential',
    graphOptimizationLevel: 'all', logSeverityLevel: 3, extra,
  };
}

/** A loaded model with its inputs bound: {threads, cpus} are those of `hello`. */
export class Session {
  #session;
  #feeds = {};
  #fetches = null;
  #outputNames;

  /** `model` is a path or the bytes; `more` further session options. */
  constructor(model, machine, more = {}) {
    this.#session = new (load().binding.InferenceSession)();
    const options = optionsFor(machine.threads, machine.cpus);
    Object.assign(options, more, { extra: { ...options.extra, ...more.extra } });
    try {
      if (typeof model === 'string') this.#session.loadModel(model, options);
      else this.#session.loadModel(model.buffer, model.byteOffset, model.byteLength, options);
    } catch (error) {
      throw failureOf(error);
    }
    this.#outputNames = this.#session.outputMetadata.map((output) => output.name);
  }

  inputNames() {
    return this.#session.inputMetadata.map((input) => input.name);
  }

  /** Binds tensors (a Map) to the model's inputs for all later calls. */
  bind(tensors) {
    const wanted = this.inputNames();
    const missing = wanted.filter((name) => !tensors.has(name));
    if (missing.length > 0) {
      throw new Failure('run_error', `no tensor for the model's inputs: ${missing.join(', ')}`);
    }
    this.#feeds = Object.fromEntries(wanted.map((name) => [name, tensors.get(name)]));
    this.#fetches = null;
  }

  /** The outputs by name for the bound inputs, some replaced by those of `replaced`, in new memory. */
  run(replaced = new Map()) {
    const feeds = { ...this.#feeds };
    for (const [name, tensor] of replaced) {
      if (!(name in feeds)) throw new Failure('run_error', `the model has no input "${name}"`);
      feeds[name] = tensor;
    }
    const fetches = Object.fromEntries(this.#outputNames.map((name) => [name, null]));
    try {
      return this.#session.run(feeds, fetches);
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** A function that makes one call into memory of its own, with nothing around it. */
  prepareCall() {
    const session = this.#session;
    const feeds = this.#feeds;
    const fetches = (this.#fetches ??= this.#outputMemory());
    try {
      session.run(feeds, fetches);
    } catch (error) {
      throw failureOf(error);
    }
    return () => {
      session.run(feeds, fetches);
    };
  }

  /** Tensors that a call reads or writes and that are not weights. */
  activations() {
    const tensors = [...Object.values(this.#feeds), ...Object.values(this.#fetches ?? {})];
    return tensors.filter((tensor) => tensor !== null);
  }

  endProfiling() {
    this.#session.endProfiling();
  }

  dispose() {
    this.#session.dispose();
  }

  /** Text has no memory that could be handed in: such outputs are made anew at each call. */
  #outputMemory() {
    const outputs = Object.entries(this.run());
    const isFixed = ([, tensor]) => tensor.type !== 'string';
    const places = reserve(outputs.filter(isFixed).map(([, { type, dims }]) => bytesOf(type, dims)));
    return Object.fromEntries(outputs.map((output) => {
      const [name, { type, dims }] = output;
      return [name, isFixed(output) ? tensorAt(places.shift(), type, [...dims]) : null];
    }));
  }
}

/** Waits until the workers of a session that has just run are asleep, so that they disturb nobody. */
export function letWorkersSleep(threads) {
  if (threads < 2) return;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (SPIN_US * 1.2) / 1000);
}
