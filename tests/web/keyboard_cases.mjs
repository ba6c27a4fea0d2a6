// What keys do. Each case starts on a fresh page and returns one line a finding.
import { goTo, openWindow } from './browser.mjs';
import { namesWith, settled } from './page_checks.mjs';
import { serveDrawn } from './drawn_server.mjs';

const expect = (is, text) => (is ? [] : [text]);

const CASES = {
  async 'keyboard-rows'(page) {
    const findings = [];
    const focused = () =>
      page.evaluate(() => [...document.querySelectorAll('main [data-row]')].indexOf(document.activeElement));
    await page.keyboard.press('j');
    findings.push(...expect((await focused()) === 0, 'j does not go to the first row'));
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    findings.push(...expect((await focused()) === 0, 'k does not go back'));
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement.querySelector('td')).boxShadow);
    findings.push(...expect(outline !== 'none', 'the row with the focus is not marked'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('tr.detail h3');
    findings.push(...expect(/open=/.test(page.url()), 'Enter does not write the open row into the address'));
    await page.keyboard.press('Escape');
    await page.waitForTimeout(60);
    return [...findings, ...expect((await page.locator('tr.detail').count()) === 0, 'Esc does not close the row')];
  },
  async 'keyboard-search'(page) {
    await page.keyboard.press('/');
    await page.keyboard.type('conv2d relu');
    await page.waitForFunction(() => location.hash.includes('q=conv2d+relu'), null, { timeout: 4000 });
    const names = await namesWith(page, 'main tr.row td.name', ['conv2d', 'relu']);
    await page.keyboard.press('Escape');
    const isLeft = await page.evaluate(() => document.activeElement === document.body);
    return [
      ...expect(
        names.length > 0 && names.every((name) => name.includes('conv2d') && name.includes('relu')),
        `the search shows ${names.length} rows, not all with its words`,
      ),
      ...expect(isLeft, 'Esc does not leave the field'),
    ];
  },
  async 'keyboard-pages'(page) {
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await settled(page);
    const findings = expect(page.url().includes('#/tonight'), 'g t does not go to Tonight');
    await page.keyboard.press('?');
    findings.push(...expect((await page.locator('dialog[open]').count()) === 1, '? shows no help'));
    await page.keyboard.press('Escape');
    return [...findings, ...expect((await page.locator('dialog[open]').count()) === 0, 'Esc does not close the help')];
  },
  async 'keyboard-sort'(page) {
    await page.locator('th button', { hasText: 'Change' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(150);
    return [
      ...expect(/sort=change/.test(page.url()), 'Enter on a heading does not sort'),
      ...expect((await page.locator('th[aria-sort="descending"]').count()) === 1, 'the sorted heading does not say so'),
    ];
  },
  async 'theme-switch'(page) {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    await page.getByRole('button', { name: /Switch to/ }).click();
    const after = await ground();
    await page.reload();
    await settled(page);
    return [
      ...expect(before !== after, 'the switch changes no colour'),
      ...expect((await ground()) === after, 'the choice is not kept'),
    ];
  },
  async permalink(page) {
    await page.locator('button.tile', { hasText: 'inconclusive' }).click();
    await page.locator('select').first().selectOption({ index: 1 });
    await page.waitForTimeout(60);
    await settled(page);
    const text = await page.locator('main').innerText();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await settled(other);
    const again = await other.locator('main').innerText();
    const at = [...text].findIndex((letter, index) => letter !== again[index]);
    return expect(
      again === text,
      `the address does not hold the state of the view: "${text.slice(at, at + 60)}" became "${again.slice(at, at + 60)}"`,
    );
  },
  async 'copy-command'(page) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('tr.row').first().click();
    await page.locator('.command button').first().click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    return expect(copied.startsWith('./opbench '), `Copy gives "${copied}"`);
  },
  async 'unknown-view'(page, noted) {
    for (const path of ['model/graph', 'tuning/task']) {
      await page.route(`**/api/${path}?*`, (route) =>
        route.fulfill({ status: 404, json: { error: `unknown view "${path}"`, known: ['overview'] } }),
      );
    }
    const findings = [];
    for (const hash of ['#/model?view=graph', '#/tuning?task=k3']) {
      await goTo(page, hash);
      await settled(page);
      const text = await page.locator('main').innerText();
      findings.push(
        ...expect(text.includes('The server does not have this part.'), `${hash} does not say that a part is not there`),
        ...expect((await page.locator('main [role="alert"]').count()) === 0, `${hash} shows an error`),
      );
    }
    const others = noted.filter((line) => !line.includes('404'));
    noted.length = 0; // the browser itself writes a line for each 404
    return [...others, ...findings];
  },
  async 'no-network'(page) {
    const foreign = [];
    page.on(
      'request',
      (request) =>
        !request.url().startsWith(new URL(page.url()).origin) &&
        !request.url().startsWith('data:') &&
        foreign.push(request.url()),
    );
    for (const name of ['series', 'tonight', 'model']) {
      await goTo(page, `#/${name}`);
      await settled(page);
    }
    return foreign.map((url) => `asks another host: ${url}`);
  },
};

export async function keyboardCases(browser, wanted, report) {
  const { server, url } = await serveDrawn('full');
  for (const [name, run] of Object.entries(CASES)) {
    if (!wanted(name)) continue;
    const { context, page, noted } = await openWindow(browser, { width: 1280, theme: 'light' });
    const findings = await page
      .goto(`${url}#/compare`)
      .then(() => settled(page))
      .then(() => run(page, noted))
      .catch((error) => [error.message.split('\n')[0]]);
    report(name, [...noted, ...findings]);
    await context.close();
  }
  server.close();
}
