#!/usr/bin/env node
// How fast the pages are in Chromium: node benchmarks/web/measure_pages.mjs (URL | --program OPBENCH --store DIR) [--format json]
// [--repeats N]. URL is what `opbench web` prints; with --program it is started, and its memory is looked at as well. For every page: first
// paint, until its answer is shown, and interactions; medians and the slowest of the repeats.
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { bundleBytes } from '../../tests/web/bundled.mjs';
import { launch } from '../../tests/web/browser.mjs';
import { ask, memoryOf, startServer } from '../../tests/web/started_server.mjs';

const PAGES = ['compare', 'series', 'tonight', 'model', 'workload', 'tuning', 'plans', 'machines', 'sql'];
const SEARCH = 'main input[type=search]';

/// What people do on a page, in order: [name, kind, selector, value].
const INTERACTIONS = {
  compare: [
    ['show all rows', 'go', '', '#/compare?verdict=all'],
    ['sort by time', 'click', 'main th button', 4],
    ['open a row', 'click', 'main tr.row', 0],
    ['close it', 'click', 'main tr.row', 0],
    ['next rows', 'click', 'main [data-page=after]', 0],
    ['filter by model', 'choose', 'main .filters select', 0],
    ['search', 'type', SEARCH, 'conv2d'],
  ],
  series: [
    ['zoom in', 'drag', 'main .uplot .u-over', 0],
    ['whole range', 'click', 'main .head-tools button', 0],
    ['axis by commit', 'click', 'main [aria-label=Axis] button', 1],
    ['sort by change', 'click', 'main table[aria-label="All series"] th button', 3],
    ['next rows', 'click', 'main [data-page=after]', 0],
    ['filter by engine', 'choose', 'main .filters select', 1],
    ['show another series', 'click', 'main table[aria-label="All series"] tr.row', 5],
    ['search', 'type', SEARCH, 'model-3 56x56'],
  ],
  model: [
    ['sort by name', 'click', 'main table[aria-label=Units] th button', 0],
    ['open a unit', 'click', 'main table[aria-label=Units] tr.row', 1],
    ['picture of the graph', 'click', 'main [aria-label=Picture] button', 1],
  ],
  workload: [
    ['search', 'type', SEARCH, '64x56x56'],
    ['open a workload', 'click', 'main table tr.row', 0],
  ],
  tuning: [
    ['sort', 'click', 'main table th button', 1],
    ['open a task', 'click', 'main table tr.row', 0],
    ['search', 'type', SEARCH, 'task'],
  ],
};

/// In the page, before its own script: when anything changed last, and whether a request is on its way.
function watchChanges() {
  const watched = { asked: 0, changed: 0, painted: 0 };
  window.opbenchWatched = watched;
  const plain = window.fetch;
  window.fetch = (...words) => {
    watched.asked += 1;
    return plain(...words).finally(() => {
      watched.asked -= 1;
    });
  };
  const note = () => {
    watched.changed = performance.now();
    requestAnimationFrame(() => {
      watched.painted = performance.now();
    });
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  addEventListener('mouseup', () => {
    watched.released = performance.now();
  }, true);
}

/// In the page: acts, and waits until nothing changes any more. Milliseconds until the last change was painted; null where nothing changed.
async function actedUntilQuiet([kind, selector, value]) {
  const QUIET = 250;
  const watched = window.opbenchWatched;
  const isBusy = () => watched.asked > 0 || document.querySelector('[aria-busy="true"], .state[role="status"]');
  const found = selector ? [...document.querySelectorAll(selector)] : [];
  const element = found[kind === 'type' ? 0 : value];
  if (selector && (!element || element.disabled)) return 'absent';
  let start = performance.now();
  if (kind === 'click') element.click();
  if (kind === 'go') location.hash = value;
  if (kind === 'choose') {
    if (element.options.length < 2) return 'absent';
    element.selectedIndex = 1;
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }
  if (kind === 'type') {
    element.value = value;
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (kind === 'dragged') start = watched.released;
  while (isBusy() || performance.now() - Math.max(start, watched.changed) < QUIET)
    await new Promise((done) => setTimeout(done, 20));
  return watched.changed <= start ? null : watched.painted - start;
}

async function dragged(page, selector) {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) return 'absent';
  const at = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, at);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, at, { steps: 4 });
  await page.mouse.up();
  return page.evaluate(actedUntilQuiet, ['dragged']);
}

async function onePage(browser, url, name, note) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript(watchChanges);
  const page = await context.newPage();
  await page.goto(`${url}#/${name}`);
  await page.waitForSelector('main h1, main .state');
  await page.evaluate(actedUntilQuiet, ['wait']);
  const [paint, shown] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    window.opbenchWatched.painted,
  ]);
  note(`${name}: first paint`, paint);
  note(`${name}: until its answer is shown`, shown);
  for (const [what, kind, selector, value] of INTERACTIONS[name] ?? []) {
    const ms =
      kind === 'drag' ? await dragged(page, selector) : await page.evaluate(actedUntilQuiet, [kind, selector, value]);
    if (typeof ms === 'number') note(`${name}: ${what}`, ms);
    else missing.add(`${name}: ${what}: ${ms === 'absent' ? 'there is nothing to act on' : 'nothing changed'}`);
  }
  await context.close();
}

/// The memory of the server after 100 requests, and how much it has grown at 1000. Half of the requests were never asked before: their
/// answers are made, the others were kept.
async function memoryOfServer(server) {
  const overview = JSON.parse((await ask(server, '/api/overview')).text);
  const { a, b } = overview.pages.compare ?? {};
  const id = overview.pages.series?.id?.[0];
  const words = (path, parameters) => `/api/${path}?${new URLSearchParams(parameters)}`;
  const targets = [
    '/', '/app.js', '/api/overview', '/api/runs', '/api/series/list', '/api/machines', '/api/workloads', '/api/tonight',
    ...(a ? [words('compare', { a, b }), words('model', { run: b })] : []),
    ...(id ? [words('series', { id })] : []),
  ];
  const lists = ['runs', 'series/list', 'workloads', 'tuning'];
  const fresh = (number) =>
    a && number % 3 === 0
      ? words('compare', { a, b, offset: number })
      : words(lists[number % lists.length], { offset: number });
  let at100 = 0;
  const start = memoryOf(server.child.pid);
  for (let done = 1; done <= 1000; done += 1) {
    await ask(server, done % 2 ? targets[(done >> 1) % targets.length] : fresh(done));
    if (done === 100) at100 = memoryOf(server.child.pid);
  }
  const at1000 = memoryOf(server.child.pid);
  return { start_mb: start, at_100_mb: at100, at_1000_mb: at1000, growth_mb: at1000 - at100 };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const words = process.argv.slice(2);
const valueOf = (name, otherwise) => (words.includes(name) ? words[words.indexOf(name) + 1] : otherwise);
const program = valueOf('--program');
let url = words.find((word) => /^(https?|file):/.test(word));
if (!url && !(program && valueOf('--store'))) {
  console.error(
    'error: missing argument URL\n  usage: node benchmarks/web/measure_pages.mjs (URL | --program OPBENCH --store DIR) [--format json] [--repeats N]',
  );
  process.exit(2);
}
const measured = new Map();
const missing = new Set();
const note = (what, ms) => measured.set(what, [...(measured.get(what) ?? []), ms]);
const load = loadavg()[0];
let server = null;
let ready_ms = null;
if (!url) {
  const begin = performance.now();
  server = await startServer(resolve(program), valueOf('--store'));
  ready_ms = performance.now() - begin;
  url = server.address;
}
const browser = await launch();
for (let pass = 0; pass < Number(valueOf('--repeats', 3)); pass += 1)
  for (const name of PAGES) await onePage(browser, url, name, note);
await browser.close();
const memory = server && (await memoryOfServer(server));
server?.child.kill('SIGTERM');
const rows = [...measured].map(([what, all]) => ({ what, median_ms: median(all), slowest_ms: Math.max(...all) }));
const answer = { rows, missing: [...missing], bundle_bytes: bundleBytes(), memory, ready_ms, load_1m: load };
if (valueOf('--format') === 'json') console.log(JSON.stringify(answer, null, 1));
else {
  console.log('median ms  slowest ms  what');
  for (const row of rows)
    console.log(`${row.median_ms.toFixed(0).padStart(9)}  ${row.slowest_ms.toFixed(0).padStart(10)}  ${row.what}`);
  for (const line of missing) console.log(`not measured: ${line}`);
  console.log(`bundle: ${answer.bundle_bytes} bytes compressed; load before: ${load.toFixed(1)}`);
  if (memory)
    console.log(
      `server: ready after ${ready_ms.toFixed(0)} ms; ${memory.at_100_mb.toFixed(0)} MB after 100 requests, ` +
        `${memory.growth_mb.toFixed(1)} MB more after 1000`,
    );
}
