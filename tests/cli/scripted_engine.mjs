#!/usr/bin/env node
// An engine whose calls take the time that its first argument says, in milliseconds, with a scatter
// of 0.1 % that repeats itself: what is made of times can be tested on any machine. The second argument
// names the clock of these times.
import { createReadStream, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const callSeconds = Number(process.argv[2]) / 1000;
const clock = process.argv[3] ?? null;
let step = 0;
let cpu = 0;

function sample() {
  step = (step * 7 + 3) % 101;
  const wall = callSeconds * (1 + 0.001 * (step / 50 - 1));
  return { wall_s: wall, clock, cpu_s: wall, involuntary_switches: 0, minor_faults: 0, cpu, migrated: false };
}

const methods = {
  hello: ({ cpus }) => {
    cpu = cpus[0];
    return { engine: 'scripted', version: '1', protocol: 1, versions: {}, call_floor_ms: 1e-6 };
  },
  prepare: () => ({ units: [], prepare_ms: 0 }),
  measure: ({ repeats }) => ({ samples: Array.from({ length: repeats }, sample) }),
  release: () => ({}),
};

for await (const line of createInterface({ input: createReadStream(null, { fd: 3 }) })) {
  const { id, method, params } = JSON.parse(line);
  const answer = methods[method];
  const error = { kind: 'unsupported', message: `no method ${method}` };
  writeSync(4, `${JSON.stringify(answer ? { id, result: answer(params) } : { id, error })}\n`);
}
