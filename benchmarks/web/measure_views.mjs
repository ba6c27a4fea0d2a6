#!/usr/bin/env node
// What requests cost the server of the pages: node benchmarks/web/measure_views.mjs OPBENCH STORE. For each view the CPU time of its process,
// which says less of other load than time does, and the time of the first request, whose answer is made; then the time of further ones, whose
// answer is kept. Medians over servers that are started anew.
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { ask, memoryOf, startServer } from '../../tests/web/started_server.mjs';

const SERVERS = 5;
const KEPT = 5; // requests of each view whose answers are kept
const TICK_MS = 10; // of the times in /proc

const [program, store] = process.argv.slice(2);
if (!store) {
  console.error('error: missing arguments\n  usage: node benchmarks/web/measure_views.mjs OPBENCH STORE');
  process.exit(2);
}
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function requestsOf(get) {
  const { pages } = JSON.parse(await get('overview'));
  const pair = pages.compare;
  const all = JSON.parse(await get('compare', { ...pair, scope: 'all' }));
  const task = JSON.parse(await get('tuning', { limit: 1 })).rows[0];
  return [
    ['runs'],
    ['runs', { q: 'suite-2 2025-07' }],
    ['compare', pair],
    ['compare', { ...pair, verdict: 'relevant', sort: 'name' }],
    ['compare/only', { ...pair, side: 'a' }],
    ['compare/row', { ...pair, key: all.rows[0].key }],
    ['series/list'],
    ['series/list', { q: 'model-3 conv', sort: 'change' }],
    ['series', { id: pages.series.id[0] }],
    ['series', { id: pages.series.id[1], by: 'commit' }],
    ['tonight'],
    ['model', { run: pair.b }],
    ['machines'],
    ['workloads'],
    ['workload', pages.workload],
    ['tuning'],
    ...(task ? [['tuning/task', { key: task.key }]] : []),
    ['plans'],
  ];
}

/// On a server of its own: what a request finds out is no answer that the others have kept.
async function foundRequests() {
  const server = await startServer(resolve(program), store);
  const requests = await requestsOf((path, query) => answerOf(server, path, query));
  await end(server);
  return requests;
}

async function answerOf(server, path, query = {}) {
  const answer = await ask(server, `/api/${path}?${new URLSearchParams(query)}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.text;
}

async function end(server) {
  const hasEnded = new Promise((done) => server.child.on('exit', done));
  server.child.kill('SIGTERM');
  await hasEnded;
}

/// What all views cost one server, and its memory in the end.
async function oneServer(requests, measured) {
  const server = await startServer(resolve(program), store);
  const cpuMs = () => {
    const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  };
  const start = { cpu: cpuMs(), memory: memoryOf(server.child.pid) };
  const get = (path, query) => answerOf(server, path, query);
  for (const [path, query = {}] of requests) {
    const { a, b, id, run, key, ...told } = query;
    const name = `${path} ${new URLSearchParams(told)}`;
    const row = measured.get(name) ?? { cpu: [], first: [], kept: [] };
    measured.set(name, row);
    const [cpu, begin] = [cpuMs(), performance.now()];
    row.bytes = (await get(path, query)).length;
    row.cpu.push(cpuMs() - cpu);
    row.first.push(performance.now() - begin);
    const again = performance.now();
    for (let i = 0; i < KEPT; i += 1) await get(path, query);
    row.kept.push((performance.now() - again) / KEPT);
  }
  const memory = memoryOf(server.child.pid);
  await end(server);
  return { ...start, end: memory };
}

const load = loadavg()[0];
const measured = new Map();
const starts = [];
const requests = await foundRequests();
for (let i = 0; i < SERVERS; i += 1) starts.push(await oneServer(requests, measured));
console.log(
  `load before ${load.toFixed(1)}; start ${starts.map((one) => one.cpu).join(', ')} ms of CPU time, ` +
    `${median(starts.map((one) => one.memory)).toFixed(0)} MB, ${median(starts.map((one) => one.end)).toFixed(0)} MB in the end`,
);
console.log('CPU ms  first ms  slowest first ms  kept ms     kB  view');
for (const [name, row] of measured) {
  const cells = [median(row.cpu), median(row.first), Math.max(...row.first), median(row.kept), row.bytes / 1e3];
  const text = cells.map((cell, at) => cell.toFixed(0).padStart([6, 9, 17, 8, 6][at]));
  console.log(`${text.join(' ')}  ${name}`);
}
