// An exported site, opened as a file: script files hand over the answers, and nothing is fetched.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundled, root } from './bundled.mjs';
import { goTo, openWindow, visit } from './browser.mjs';
import { settled } from './page_checks.mjs';
import { drawStore } from './drawn_answers.mjs';
import { drawnAnswer } from './drawn_rest.mjs';

/// Writes a site as `opbench web --export` does, with drawn answers.
async function writeSite(folder) {
  const { keyOf } = await bundled('core/source.ts');
  const store = drawStore({ units: 10, nights: 60 });
  mkdirSync(join(folder, 'data'), { recursive: true });
  cpSync(join(root, 'build/web'), folder, { recursive: true });
  const index = readFileSync(join(folder, 'index.html'), 'utf8').replace(
    '<!-- opbench-data -->',
    '<script src="data/manifest.js"></script>',
  );
  writeFileSync(join(folder, 'index.html'), index);
  const manifest = {
    answers: {},
    left_out: ['Samples of single rows are left out.'],
    exported_at: '2026-11-28T03:00:00Z',
  };
  const add = (path, query = {}) => {
    const key = keyOf(path, query);
    const file = `data/${Object.keys(manifest.answers).length}.js`;
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) params.append(name, one);
    params.set('limit', '5000');
    writeFileSync(
      join(folder, file),
      `opbenchData(${JSON.stringify(key)}, ${JSON.stringify(drawnAnswer(store, path, params))});\n`,
    );
    manifest.answers[key] = file;
  };
  const overview = drawnAnswer(store, 'api/overview', new URLSearchParams());
  overview.is_export = true;
  writeFileSync(join(folder, 'data/overview.js'), `opbenchData("api/overview", ${JSON.stringify(overview)});\n`);
  manifest.answers['api/overview'] = 'data/overview.js';
  add('api/compare', overview.pages.compare);
  add('api/series', { id: overview.pages.series.id });
  add('api/tonight', overview.pages.tonight);
  add('api/model', overview.pages.model);
  for (const path of ['api/series/list', 'api/runs', 'api/machines', 'api/workloads', 'api/tuning', 'api/plans'])
    add(path);
  writeFileSync(join(folder, 'data/manifest.js'), `opbenchManifest(${JSON.stringify(manifest)});\n`);
}

async function searchesAndSorts({ page }) {
  await goTo(page, '#/compare?verdict=all&q=conv2d&sort=b_ms&order=asc');
  await settled(page);
  const names = await page.locator('main tr.row td.name').allInnerTexts();
  if (names.length < 2 || !names.every((name) => name.includes('conv2d')))
    return [`the search leaves ${names.length} rows`];
  await goTo(page, '#/compare?verdict=all&sort=name&order=asc');
  await settled(page);
  const sorted = (await page.locator('main tr.row td.name').allInnerTexts()).length;
  return sorted > names.length ? [] : ['the search takes no row away'];
}

async function zoomsHistories({ page }) {
  await goTo(page, '#/series?from=2026-11-01T00%3A00Z&to=2026-11-20T00%3A00Z');
  await settled(page);
  const findings = (await page.locator('main .uplot').count()) > 0 ? [] : ['a zoomed history has no chart'];
  if (await page.locator('main [role="alert"], main .state').count()) findings.push('a zoomed history is not in the export');
  return findings;
}

async function saysWhatIsMissing({ page }) {
  await goTo(page, '#/model?run=run%3A99');
  await settled(page);
  const text = await page.locator('main').innerText();
  return text.includes('not in this export') && text.includes('Samples of single rows')
    ? []
    : ['a view that is not in the export does not say so'];
}

export async function exportedCases(browser, wanted, report) {
  if (!wanted('exported')) return;
  const folder = mkdtempSync(join(tmpdir(), 'opbench-site-'));
  try {
    await writeSite(folder);
    const url = pathToFileURL(join(folder, 'index.html')).href;
    const window = await openWindow(browser, { width: 1280, theme: 'light' });
    // `servedCases` opens the sites that the program exports, also in a narrow window.
    for (const name of ['compare', 'series', 'tonight', 'model', 'workload', 'tuning', 'plans', 'machines', 'sql']) {
      const title = `exported-${name}-1280-light`;
      report(title, await visit(window, `${url}#/${name}`, title).catch((error) => [error.message.split('\n')[0]]));
    }
    report('exported-search', await searchesAndSorts(window).catch((error) => [error.message.split('\n')[0]]));
    report('exported-zoom', await zoomsHistories(window).catch((error) => [error.message.split('\n')[0]]));
    report('exported-missing', await saysWhatIsMissing(window).catch((error) => [error.message.split('\n')[0]]));
    await window.context.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
