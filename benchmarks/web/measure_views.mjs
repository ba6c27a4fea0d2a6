#!/usr/bin/env node
// What requests cost the server of the pages: node benchmarks/web/measure_views.mjs OPBENCH STORE. CPU time of its process, which says
// less of other load than time does, time and resident memory; means of five requests after a first one.
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { ask, memoryOf, startServer } from '../../tests/web/started_server.mjs';

const TIMES = 5;
const TICK_MS = 10; // of the times in /proc

const [program, store] = process.argv.slice(2);
if (!store) {
  console.error('error: missing arguments\n  usage: node benchmarks/web/measure_views.mjs OPBENCH STORE');
  process.exit(2);
}
const load = loadavg()[0];
const server = await startServer(resolve(program), store);
const cpuMs = () => {
  const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
};
const memory = () => memoryOf(server.child.pid);
console.log(`load before ${load.toFixed(1)}; start ${cpuMs()} ms of CPU time, ${memory().toFixed(0)} MB`);
const get = async (path, query = {}) => {
  const answer = await ask(server, `/api/${path}?${new URLSearchParams(query)}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.text;
};
const { pages } = JSON.parse(await get('overview'));
const pair = pages.compare;
const key = JSON.parse(await get('compare', pair)).rows[0].key;
const requests = [
  ['overview'],
  ['runs'],
  ['runs', { q: 'suite-2 2025-07' }],
  ['compare', pair],
  ['compare', { ...pair, verdict: 'relevant', sort: 'name' }],
  ['compare/only', { ...pair, side: 'a' }],
  ['compare/row', { ...pair, key }],
  ['series/list'],
  ['series/list', { q: 'model-3 conv', sort: 'change' }],
  ['series', { id: pages.series.id[0] }],
  ['tonight'],
  ['model', { run: pair.b }],
  ['machines'],
  ['workloads'],
  ['workload', pages.workload],
  ['tuning'],
  ['plans'],
];
console.log('CPU ms  time ms     kB  memory MB  view');
for (const [path, query = {}] of requests) {
  let bytes = (await get(path, query)).length;
  const [cpu, begin] = [cpuMs(), performance.now()];
  for (let i = 0; i < TIMES; i += 1) bytes = (await get(path, query)).length;
  const { a, b, id, run, ...told } = query;
  const cells = [(cpuMs() - cpu) / TIMES, (performance.now() - begin) / TIMES, bytes / 1e3, memory()];
  const text = cells.map((cell, at) => cell.toFixed(0).padStart([6, 8, 6, 10][at]));
  console.log(`${text.join(' ')}  ${path} ${new URLSearchParams(told)}`);
}
server.child.kill('SIGTERM');
