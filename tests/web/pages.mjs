#!/usr/bin/env node
// Every page in a real browser: node tests/web/pages.mjs [WORD…] runs the cases whose names have one of the words. Prints `ok NAME` or
// `FAILED NAME: why`, one line a case; exit 1 if one failed. Pictures of all pages are left in build/screenshots.
import { bundleBytes } from './bundled.mjs';
import { launch, openWindow, visit } from './browser.mjs';
import { keyboardCases } from './keyboard_cases.mjs';
import { exportedCases } from './exported_cases.mjs';
import { reportCases } from './report_cases.mjs';
import { servedCases } from './served_cases.mjs';
import { serveDrawn, storeOf } from './drawn_server.mjs';
import { drawnAnswer } from './drawn_rest.mjs';

const PAGES = ['compare', 'series', 'tonight', 'model', 'workload', 'tuning', 'plans', 'machines', 'sql'];
const WINDOWS = [
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
];
const SIDES = [WINDOWS[0], WINDOWS[3]]; // for stores whose pages differ only in names and numbers

/// The views of a store: each page as it opens, and the parts that open in it.
function viewsOf(kind) {
  const store = storeOf(kind);
  const views = PAGES.map((page) => [page, page]);
  if (kind === 'empty') return [...views, ['lost', 'no-such-page']];
  const ask = (path, query = '') => drawnAnswer(store, path, new URLSearchParams(query));
  const row = ask('api/compare').rows[0],
    unit = ask('api/model', 'run=run:7').units[0],
    alert = ask('api/tonight').alerts[0];
  const ids = encodeURIComponent(ask('api/overview').pages.series.id.join(','));
  views.push(
    ['graph', 'model?view=graph'],
    ['task', 'tuning?task=k3'],
    ['matrix', 'plans?plan=none'],
    ['commits', `series?axis=commit&id=${ids}`],
    ['plot', 'sql?q=select&view=plot'],
  );
  if (row) views.push(['row', `compare?verdict=all&open=${row.key}`], ['only', 'compare?only=a']);
  if (unit)
    views.push(
      ['unit', `model?open=${encodeURIComponent(unit.unit)}`],
      ['one-workload', `workload?workload=${encodeURIComponent(unit.unit)}`],
    );
  if (alert) views.push(['alert', `tonight?closed=1&alert=${encodeURIComponent(alert.id)}`]);
  return views;
}

async function drawnCases(browser, wanted, report) {
  for (const kind of ['full', 'empty', 'one', 'markup']) {
    const { server, url } = await serveDrawn(kind);
    const views = viewsOf(kind);
    const one = async (size) => {
      const window = await openWindow(browser, size);
      for (const [name, hash] of views) {
        const title = `${kind}-${name}-${size.width}-${size.theme}`;
        if (wanted(title))
          report(
            title,
            await visit(
              window,
              `${url}#/${hash}`,
              title,
              kind === 'full' || (kind === 'markup' && size.width === 1280),
            ).catch((error) => [error.message.split('\n')[0]]),
          );
      }
      await window.context.close();
    };
    const sizes = kind === 'full' ? WINDOWS : kind === 'one' ? [SIDES[1]] : SIDES;
    for (let at = 0; at < sizes.length; at += 2) await Promise.all(sizes.slice(at, at + 2).map(one)); // two at a time, as there are CPUs
    server.close();
  }
}

const words = process.argv.slice(2);
// Of a case, or of a group, whose name stands before those of its cases.
const wanted = (title) => words.length === 0 || words.some((word) => title.includes(word) || word.startsWith(title));
let failed = 0;
function report(title, findings) {
  if (findings.length === 0) {
    console.log(`ok ${title}`);
    return;
  }
  failed += 1;
  console.log(
    `FAILED ${title}: ${findings.slice(0, 6).join('; ')}${findings.length > 6 ? `; and ${findings.length - 6} more` : ''}`,
  );
}

const MOST_BYTES = 500e3; // of the bundle, compressed

function bundleSize() {
  const bytes = bundleBytes();
  return bytes > 0 && bytes <= MOST_BYTES ? [] : [`${bytes} bytes compressed, at most ${MOST_BYTES}`];
}

if (wanted('bundle-size')) report('bundle-size', bundleSize());
const browser = await launch();
try {
  await drawnCases(browser, wanted, report);
  await keyboardCases(browser, wanted, report);
  await exportedCases(browser, wanted, report);
  await reportCases(browser, wanted, report);
  await servedCases(browser, wanted, report);
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
