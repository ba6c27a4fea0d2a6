// `opbench report` in a browser: pages of a measured profile, opened as files, with and without a base and scripts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './bundled.mjs';
import { openWindow, SCREENSHOTS } from './browser.mjs';
import { MARKUP } from './drawn_server.mjs';
import { findingsOf } from './page_checks.mjs';

const WIDE = 14; // units of the profile that is made longer

const SIZES = [
  { width: 1280, theme: 'light', hasScripts: true },
  { width: 390, theme: 'light', hasScripts: true },
  { width: 1280, theme: 'dark', hasScripts: false },
  { width: 390, theme: 'dark', hasScripts: false },
  { width: 1280, theme: 'dark', hasScripts: true },
  { width: 390, theme: 'dark', hasScripts: true },
];

/// The units of a measured profile several times over, each run with times and a name of its own.
function longer(profile, tail, factorOf) {
  const text = JSON.stringify(profile);
  const result = JSON.parse(text);
  result.model += tail;
  for (const engine of result.engines) {
    const unit = engine.units.find((one) => one.nodes.length > 0);
    engine.units = Array.from({ length: WIDE }, (_, at) => {
      const own = JSON.parse(JSON.stringify(unit));
      const factor = factorOf(at);
      const named = (nodes) => nodes.map((node) => `${node}_${at}${tail}`);
      own.nodes = named(unit.nodes);
      own.occurrences = own.occurrences.map((one) => ({ ...one, nodes: named(one.nodes), step: at }));
      own.workload = unit.workload.replace('64x64x3x3', `${64 + at}x64x3x3`);
      own.shapes = `${unit.shapes} (${at})${tail}`;
      scaleTimes(own, factor);
      return own;
    });
  }
  return result;
}

function scaleTimes(object, factor) {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === 'number' && /_ms(_|$)/.test(name)) object[name] = value * factor;
    else if (Array.isArray(value) && /_ms(_|$)/.test(name))
      object[name] = value.map((one) => (typeof one === 'number' ? one * factor : one));
    else if (value && typeof value === 'object' && !Array.isArray(value)) scaleTimes(value, factor);
  }
}

function writeReports(program, folder) {
  const run = (...words) =>
    execFileSync(program, words, {
      cwd: folder,
      env: { ...process.env, OPBENCH_STORE: 'none' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  run('profile', 'conv2d', '--engine', 'halide,onednn', '--check', 'none', '--budget', '1s', '--format', 'json', '-o', 'one.json', '-q');
  const profile = JSON.parse(readFileSync(join(folder, 'one.json'), 'utf8'));
  const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
  write('wide.json', longer(profile, '', (at) => 0.8 + at / 20));
  write('base.json', { ...longer(profile, '', (at) => 1.4 - at / 25), run_id: 'base' });
  const markup = longer(profile, ` ${MARKUP}`, () => 1);
  write('markup.json', markup);
  write('markup-base.json', { ...markup, run_id: 'base' });
  const page = (name, ...files) => {
    run('report', ...files, '-o', `${name}.html`, '-q');
    return [name, pathToFileURL(join(folder, `${name}.html`)).href];
  };
  return [page('one', 'one.json'), page('base', 'wide.json', 'base.json'), page('markup', 'markup.json', 'markup-base.json')];
}

async function openReport(browser, url, size, title) {
  const window = await openWindow(browser, size);
  const { page, noted } = window;
  page.on('request', (request) => request.url() !== url && noted.push(`asks for ${request.url()}`));
  await page.goto(url);
  const findings = [...noted, ...(await page.evaluate(findingsOf))];
  const rows = await page.locator('table.units tbody tr').count();
  if (rows === 0) findings.push('there is no row of a unit');
  await page.screenshot({ path: join(SCREENSHOTS, `${title}.png`), fullPage: true });
  await window.context.close();
  return findings;
}

async function searchesReport(browser, url) {
  const { page, noted, context } = await openWindow(browser, { width: 1280, theme: 'light' });
  await page.goto(url);
  const shown = () => page.locator('table.units tbody tr:visible').count();
  const all = await shown();
  await page.locator('input[type=search]').fill('conv_3');
  const some = await shown();
  await page.locator('input[type=search]').fill('');
  await page.locator('table.units th button').first().click();
  const sorted = await page.locator('table.units th[aria-sort]').count();
  await context.close();
  return [
    ...noted,
    ...(some > 0 && some < all ? [] : [`the search leaves ${some} of ${all} rows`]),
    ...(sorted === 1 ? [] : ['a click on a heading does not sort']),
  ];
}

export async function reportCases(browser, wanted, report) {
  if (!wanted('report')) return;
  const folder = mkdtempSync(join(tmpdir(), 'opbench-report-'));
  const line = (error) => [error.message.split('\n')[0]];
  try {
    const pages = writeReports(join(root, 'build/bin/opbench'), folder);
    for (const [name, url] of pages) {
      for (const pair of name === 'base' ? [SIZES.slice(0, 2), SIZES.slice(2, 4), SIZES.slice(4)] : [[SIZES[0], SIZES[3]]]) {
        await Promise.all(
          pair.map(async (size) => {
            const title = `report-${name}-${size.width}-${size.theme}${size.hasScripts ? '' : '-without-scripts'}`;
            if (wanted(title)) report(title, await openReport(browser, url, size, title).catch(line));
          }),
        );
      }
    }
    if (wanted('report-search')) report('report-search', await searchesReport(browser, pages[1][1]).catch(line));
  } catch (error) {
    report('report', line(error)); // no page was made
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
