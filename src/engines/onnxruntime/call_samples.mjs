// The protocol's `measure`, as src/protocol/sampling.h does it for engines in C++.

import fs from 'node:fs';
import { Failure } from './failure.mjs';

const LINE = 64;
const ASSUMED_CACHE = 32 << 20;
const LARGEST_BUFFER = 2 ** 30;
const MODES = ['hot', 'cold-weights', 'cold-all'];

function lastLevelCacheBytes() {
  let largest = 0;
  for (let index = 0; index < 8; ++index) {
    try {
      const file = `/sys/devices/system/cpu/cpu0/cache/index${index}/size`;
      const [, size, unit] = /^(\d+)([KM]?)/.exec(fs.readFileSync(file, 'utf8'));
      largest = Math.max(largest, size * { '': 1, K: 1024, M: 1024 * 1024 }[unit]);
    } catch {
      continue;
    }
  }
  return largest || ASSUMED_CACHE;
}

let flushed = null;

/** Leaves nothing else in the caches: four times the largest one, written. */
function flushCaches() {
  flushed ??= new Uint8Array(Math.min(4 * lastLevelCacheBytes(), LARGEST_BUFFER));
  for (let i = 0; i < flushed.length; i += LINE) ++flushed[i];
}

let statFile = null;
const statText = Buffer.alloc(1024);

/** The CPU that the calling thread runs on (field 39 of /proc/self/stat), or null. */
function currentCpu() {
  try {
    statFile ??= fs.openSync('/proc/self/stat', 'r');
    const text = statText.toString('latin1', 0, fs.readSync(statFile, statText, 0, 1024, 0));
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[36]);
  } catch {
    return null;
  }
}

function readCounters() {
  const usage = process.resourceUsage();
  return {
    switches: usage.involuntaryContextSwitches, faults: usage.minorPageFault, cpu: currentCpu(),
  };
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e-6;
};

/** A sample: one timed stretch of `number` calls, all counters read outside of the clock. */
export function timeCalls(call, number) {
  const before = readCounters();
  const cpuBefore = cpuSeconds();
  const wallBefore = performance.now();
  for (let i = 0; i < number; ++i) call();
  const wall = (performance.now() - wallBefore) * 1e-3;
  const cpu = cpuSeconds() - cpuBefore;
  const after = readCounters();
  return {
    wall_s: wall / number, cpu_s: cpu / number,
    involuntary_switches: after.switches - before.switches,
    minor_faults: after.faults - before.faults,
    cpu: after.cpu, migrated: after.cpu === null ? null : after.cpu !== before.cpu,
  };
}

function coldSample(call, touchActivations, number) {
  const stretches = [];
  for (let i = 0; i < number; ++i) {
    flushCaches();
    touchActivations?.();
    stretches.push(timeCalls(call, 1));
  }
  const sum = (field) => stretches.reduce((total, stretch) => total + stretch[field], 0);
  const { cpu } = stretches[number - 1];
  return {
    wall_s: sum('wall_s') / number, cpu_s: sum('cpu_s') / number,
    involuntary_switches: sum('involuntary_switches'), minor_faults: sum('minor_faults'), cpu,
    migrated: cpu === null ? null
      : stretches.some((stretch) => stretch.migrated || stretch.cpu !== cpu),
  };
}

function warmUp(call, milliseconds, calls) {
  const end = performance.now() + milliseconds;
  for (let made = 0; made < calls || performance.now() < end; ++made) call();
  call();
}

/** The result of `measure`: samples of `call`. `touchActivations` reads all that is not a weight. */
export function takeSamples(call, touchActivations, params) {
  const { number = 1, repeats = 1, cache = 'hot', warm_up_ms = 0, warm_up_calls = 0 } = params;
  if (!(number >= 1) || !(repeats >= 1)) {
    throw new Failure('run_error', 'number and repeats are at least 1');
  }
  if (!MODES.includes(cache)) {
    throw new Failure('run_error', `unknown cache mode "${cache}"; known: ${MODES.join(', ')}`);
  }
  warmUp(call, warm_up_ms, warm_up_calls);
  const touched = cache === 'cold-weights' ? touchActivations : null;
  const samples = [];
  for (let i = 0; i < repeats; ++i) {
    samples.push(cache === 'hot' ? timeCalls(call, number) : coldSample(call, touched, number));
  }
  return { samples };
}
