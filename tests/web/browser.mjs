// Debian's Chromium with an empty profile, driven through playwright-core.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireWeb, root } from './bundled.mjs';
import { findingsOf, settled } from './page_checks.mjs';

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const SCREENSHOTS = join(root, 'build/screenshots');

/// The browser without windows where it is installed (./dev setup --tests), else the whole one.
export function browserProgram() {
  const { OPBENCH_CHROMIUM } = process.env;
  if (OPBENCH_CHROMIUM) return OPBENCH_CHROMIUM;
  const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
  return programs.find((program) => existsSync(program)) ?? programs[0];
}

export async function launch() {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const { chromium } = requireWeb('playwright-core');
  return chromium.launch({ executablePath: browserProgram(), args: FLAGS });
}

/// A window in which everything that goes wrong is written down: `noted` has a line each.
export async function openWindow(browser, { width, theme, height = 900, hasScripts = true }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    javaScriptEnabled: hasScripts,
  });
  const page = await context.newPage();
  const noted = [];
  page.on('console', (message) => message.type() === 'error' && noted.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noted.push(`error: ${error.message}`));
  // A page gives up requests whose answers nobody waits for.
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') noted.push(`request failed: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    noted.push(`a dialog said "${dialog.message()}"`);
    dialog.dismiss();
  });
  return { context, page, noted };
}

/// Shows another view of the open page. When it returns, the view has asked for its answer: `settled` waits for that.
export const goTo = (page, hash) =>
  page.evaluate(
    (to) =>
      new Promise((done) => {
        const before = location.hash;
        location.hash = to;
        if (location.hash === before) done();
        // A view asks after the next frame.
        else addEventListener('hashchange', () => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(done))), { once: true });
      }),
    hash,
  );

/// Opens an address, checks what is shown and may keep a picture. Returns one line a finding.
export async function visit({ page, noted }, url, name, hasPicture = true) {
  noted.length = 0;
  if (page.url().split('#')[0] === url.split('#')[0]) await goTo(page, url.slice(url.indexOf('#')));
  else await page.goto(url);
  await settled(page);
  const findings = await page.evaluate(findingsOf);
  if (hasPicture) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  return [...noted, ...findings];
}
