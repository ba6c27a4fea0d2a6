// Every page over the program itself: served from stores that it filled, and exported from them to files.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './bundled.mjs';
import { openWindow, visit } from './browser.mjs';
import { generateStore } from './generated_store.mjs';
import { fillStore } from './measured_store.mjs';
import { namesWith, settled } from './page_checks.mjs';
import { ask, startServer } from './started_server.mjs';

const PAGES = ['compare', 'series', 'tonight', 'model', 'workload', 'tuning', 'plans', 'machines', 'sql'];
const SIDES = [
  { width: 1280, theme: 'light' },
  { width: 390, theme: 'dark' },
];
const PICTURED = new Set(['served-full']);
const PROGRAM = join(root, 'build/bin/opbench');
const firstLine = (error) => [error.message.split('\n')[0]];

/// What a full store shows, beside the pages as they open: [name, hash, selector of what must be there].
async function deepViews(server) {
  const get = async (path, query = {}) =>
    JSON.parse((await ask(server, `/api/${path}?${new URLSearchParams(query)}`)).text);
  const runs = (await get('runs', { model: 'conv2d' })).rows;
  const workload = (await get('workloads')).rows[0];
  const marked = (await get('series/list', { q: '<script>' })).rows[0];
  const task = (await get('tuning')).rows[0];
  const suite = { suite: 'small', branch: 'main' };
  const alert = (await get('tonight', suite)).alerts[0];
  const row = (await get('compare', (await get('tonight', suite)).compare)).rows[0];
  const [b, a] = (await get('runs', { kind: 'night', q: 'suite-0' })).rows.map((run) => run.selector);
  const pair = { a, b };
  const hash = (page, query) => `${page}?${new URLSearchParams(query)}`;
  return [
    ['all-rows', hash('compare', { ...pair, verdict: 'all' }), 'tr.row'],
    ['markup-rows', hash('compare', { ...pair, verdict: 'all', q: '<script>' }), 'tr.row'],
    ['row', hash('compare', { ...(await get('tonight', suite)).compare, verdict: 'all', open: row?.key ?? '' }), 'tr.detail h3'],
    ['night', hash('tonight', suite), 'tr.row'],
    ['alert', hash('tonight', { ...suite, alert: alert?.id ?? '' }), 'tr.detail'],
    ['history', hash('series', { id: alert?.rows[0].id ?? '' }), '.uplot canvas'],
    ['markup-history', hash('series', { id: marked?.id ?? '' }), '.uplot canvas'],
    ['profile', hash('model', { run: runs.at(-1)?.selector ?? '' }), 'table[aria-label=Units] tr.row'],
    ['one-workload', hash('workload', { workload: workload?.workload ?? '' }), 'table tbody tr'],
    ['task', hash('tuning', { task: task?.key ?? '' }), 'table[aria-label=Knobs] tr.row'],
    ['statement', hash('sql', { q: 'SELECT engine, count(*) AS n FROM benchmarks GROUP BY engine' }), 'table tbody tr'],
  ];
}

const ROWS = {
  compare: '.tile',
  series: '.uplot canvas',
  tonight: '.banner',
  model: 'table[aria-label=Units] tr.row',
  sql: 'textarea',
};

/// Visits views one after the other; `needed` is what a view must show.
async function visitAll(browser, url, views, size, before, wanted, report) {
  const window = await openWindow(browser, size);
  for (const [name, hash, needed] of views) {
    const title = `${before}-${name}-${size.width}-${size.theme}`;
    if (!wanted(title)) continue;
    const findings = await visit(window, `${url}#/${hash}`, title, PICTURED.has(before) && size === SIDES[0]).catch(firstLine);
    const isShown = () => window.page.waitForSelector(`main :is(${needed})`, { state: 'attached', timeout: 15000 });
    if (needed && !(await isShown().catch(() => null)))
      findings.push(`nothing is shown: ${(await window.page.locator('main').innerText()).slice(0, 120).replaceAll('\n', ' ')}`);
    report(title, findings);
  }
  await window.context.close();
}

const pagesOf = (hasRows) => PAGES.map((name) => [name, name, hasRows ? (ROWS[name] ?? 'table tbody tr') : '']);

/// A search against the program: what people do most.
async function searchesSeries(browser, url) {
  const { page, noted, context } = await openWindow(browser, { width: 1280, theme: 'light' });
  await page.goto(`${url}#/series`);
  await settled(page);
  await page.locator('main input[type=search]').fill('model-3 conv');
  const names = await namesWith(page, 'table[aria-label="All series"] tr.row td.name', ['model-3']);
  await context.close();
  return [...noted, ...(names.length && names.every((name) => name.includes('model-3')) ? [] : [`the search leaves ${names}`])];
}

/// The command that a page shows for its query is one that the program takes.
async function runsItsCommand(browser, url, store) {
  const { page, noted, context } = await openWindow(browser, SIDES[0]);
  await page.goto(`${url}#/sql?${new URLSearchParams({ q: "SELECT 'a' AS letter" })}`);
  await settled(page);
  await page.getByRole('button', { name: 'Query', exact: true }).click();
  const command = await page.locator('.query .command code').last().innerText();
  await context.close();
  const env = { ...process.env, PATH: `${dirname(PROGRAM)}${delimiter}${process.env.PATH}`, OPBENCH_STORE: store };
  const text = execFileSync('sh', ['-c', command], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  return [...noted, ...(text.includes('letter') ? [] : [`"${command}" prints "${text}"`])];
}

async function servedStore(browser, store, kind, wanted, report) {
  const server = await startServer(PROGRAM, store);
  try {
    const isFull = kind === 'full';
    const views = pagesOf(isFull).concat(isFull ? await deepViews(server) : []);
    const sizes = isFull ? SIDES : SIDES.slice(1); // the drawn stores show every size
    await Promise.all(sizes.map((size) => visitAll(browser, server.address, views, size, `served-${kind}`, wanted, report)));
    if (isFull && wanted('served-search')) report('served-search', await searchesSeries(browser, server.address).catch(firstLine));
    if (isFull && wanted('served-command')) report('served-command', await runsItsCommand(browser, server.address, store).catch(firstLine));
  } finally {
    server.child.kill('SIGTERM');
  }
}

async function exportedStore(browser, store, kind, folder, wanted, report) {
  const site = join(folder, `site-${kind}`);
  execFileSync(PROGRAM, ['web', '--store', store, '--export', site, '-q'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = pathToFileURL(join(site, 'index.html')).href;
  const views = pagesOf(kind === 'full').map(([name, hash, needed]) => [name, hash, name === 'sql' ? '' : needed]);
  await visitAll(browser, url, views, SIDES[kind === 'full' ? 1 : 0], `site-${kind}`, wanted, report);
}

export async function servedCases(browser, wanted, report) {
  if (!['served', 'site'].some(wanted)) return;
  const folder = fs.mkdtempSync(join(tmpdir(), 'opbench-served-'));
  try {
    const stores = { full: await fillStore(PROGRAM, folder), empty: join(folder, 'empty'), one: join(folder, 'one') };
    fs.mkdirSync(stores.empty);
    await generateStore(PROGRAM, stores.one, 1);
    for (const [kind, store] of Object.entries(stores)) {
      await servedStore(browser, store, kind, wanted, report);
      await exportedStore(browser, store, kind, folder, wanted, report);
    }
  } catch (error) {
    report('served', firstLine(error));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
