#!/usr/bin/env node
// How fast the pages are in Chromium: node benchmarks/web/measure_pages.mjs URL [--format json] [--repeats N]. URL is what `opbench web`
// prints. For every page: first paint, until the answer is shown, and interactions; medians and the slowest of the repeats.
import { launch } from '../../tests/web/browser.mjs';
import { settled } from '../../tests/web/page_checks.mjs';

const PAGES = ['compare', 'series', 'tonight', 'model', 'workload', 'tuning', 'plans', 'machines'];

// In the page: does something, and waits until its answer is drawn. Milliseconds.
const timed = (page, act, argument) =>
  page.evaluate(
    async ([source, value]) => {
      const isBusy = () => document.querySelector('[aria-busy="true"], .state[role="status"]');
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const start = performance.now();
      new Function('value', source)(value);
      await frame();
      while (isBusy()) await frame();
      await frame();
      return performance.now() - start;
    },
    [act, argument],
  );

const hash = (text) => ['location.hash = value;', text];
const click = (selector) => ['const found = document.querySelector(value); if (found) found.click();', selector];

/// What people do on a page, in order.
const INTERACTIONS = {
  compare: [
    ['show all verdicts', hash('#/compare?verdict=all')],
    ['sort by time', hash('#/compare?verdict=all&sort=b_ms')],
    ['search', hash('#/compare?verdict=all&q=conv2d')],
    ['open a row', click('main tr.row')],
    ['next rows', hash('#/compare?verdict=all&offset=100')],
  ],
  series: [
    ['axis by commit', hash('#/series?axis=commit')],
    ['search', hash('#/series?q=conv2d')],
    ['sort', hash('#/series?sort=change')],
    ['next rows', click('main [data-page=after]')],
  ],
  tonight: [
    ['open an alert', click('main tr.row')],
    ['show closed ones', hash('#/tonight?closed=1')],
  ],
  model: [
    ['graph', hash('#/model?view=graph')],
    ['sort by name', hash('#/model?sort=name&order=asc')],
    ['open a unit', click('main table[aria-label=Units] tr.row')],
  ],
  workload: [
    ['search', hash('#/workload?q=conv2d')],
    ['open a workload', click('main tr.row')],
  ],
  tuning: [
    ['search', hash('#/tuning?q=conv2d')],
    ['open a task', click('main tr.row')],
  ],
};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function onePass(browser, url, note) {
  for (const name of PAGES) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${url}#/${name}`);
    await settled(page);
    const [paint, shown] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      performance.now(),
    ]);
    note(name, 'first paint', paint);
    note(name, 'until its answer is shown', shown);
    for (const [what, [act, argument]] of INTERACTIONS[name] ?? []) note(name, what, await timed(page, act, argument));
    await context.close();
  }
}

const words = process.argv.slice(2);
const valueOf = (name, otherwise) => (words.includes(name) ? words[words.indexOf(name) + 1] : otherwise);
const url = words.find((word) => /^(https?|file):/.test(word));
if (!url) {
  console.error(
    'error: missing argument URL\n  usage: node benchmarks/web/measure_pages.mjs URL [--format json] [--repeats N]',
  );
  process.exit(2);
}
const measured = new Map();
const note = (page, what, ms) => {
  const key = `${page} · ${what}`;
  measured.set(key, [...(measured.get(key) ?? []), ms]);
};
const browser = await launch();
for (let pass = 0; pass < Number(valueOf('--repeats', 3)); pass += 1) await onePass(browser, url, note);
await browser.close();
const rows = [...measured].map(([what, all]) => ({ what, median_ms: median(all), slowest_ms: Math.max(...all) }));
if (valueOf('--format') === 'json') console.log(JSON.stringify({ url, rows }, null, 1));
else {
  console.log('median ms  slowest ms  what');
  for (const row of rows)
    console.log(`${row.median_ms.toFixed(0).padStart(9)}  ${row.slowest_ms.toFixed(0).padStart(10)}  ${row.what}`);
}
