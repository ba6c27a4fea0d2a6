// What is asked of a page, run inside the browser: returns one line a finding.

/// Runs in the page. Nothing outside its body can be used.
export function findingsOf() {
  const findings = [];
  const visible = (element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
    !element.closest('.hidden-word, .skip, noscript, option');
  const parse = (text) => {
    const parts = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return [...parts.slice(0, 3), parts[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const grounds = (element) => {
    const layers = [];
    if (element instanceof SVGElement) {
      // boxes that were drawn before the text in its group
      for (const shape of element.parentElement?.querySelectorAll(':scope > rect') ?? []) {
        if (shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING && inside(element, shape))
          layers.unshift(parse(getComputedStyle(shape).fill));
      }
    }
    for (let at = element; at; at = at.parentElement) {
      const ground = parse(getComputedStyle(at).backgroundColor);
      if (ground[3] > 0) layers.push(ground);
      if (ground[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const inside = (text, shape) => {
    const a = text.getBoundingClientRect(),
      b = shape.getBoundingClientRect();
    return a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 2 && a.bottom <= b.bottom + 2;
  };
  const light = (colour) => {
    const [r, g, b] = colour
      .slice(0, 3)
      .map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  // What of a text can be seen: boxes that scroll cut it off.
  const clip = (rect, element) => {
    let { left, right, top, bottom } = rect;
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      if (style.overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (style.overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : null;
  };
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const tested = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (
      !node.data.trim() ||
      !element ||
      ['SCRIPT', 'STYLE', 'TITLE', 'title', 'TEXTAREA'].includes(element.tagName) ||
      !visible(element)
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = element instanceof SVGElement ? [element.getBoundingClientRect()] : [...range.getClientRects()];
    const seen = rects.map((rect) => clip(rect, element)).filter(Boolean);
    if (seen.length === 0) continue;
    for (const rect of seen) boxes.push({ ...rect, text: node.data.trim().slice(0, 40), element });
    if (tested.has(element)) continue;
    tested.add(element);
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    if (size < 11) findings.push(`text of ${size} px: "${node.data.trim().slice(0, 40)}"`);
    const ground = grounds(element);
    const ratio = contrast(over(parse(element instanceof SVGElement ? style.fill : style.color), ground), ground);
    if (ratio < 4.5)
      findings.push(
        `contrast ${ratio.toFixed(2)}: "${node.data.trim().slice(0, 40)}" in ${element.tagName}.${element.getAttribute('class') ?? ''}`,
      );
  }
  boxes.sort((a, b) => a.top - b.top);
  for (let i = 0; i < boxes.length; i += 1) {
    for (let j = i + 1; j < boxes.length && boxes[j].top < boxes[i].bottom - 2; j += 1) {
      const a = boxes[i],
        b = boxes[j];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left),
        high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (
        wide > 2 &&
        high > 3 &&
        a.element !== b.element &&
        !a.element.contains(b.element) &&
        !b.element.contains(a.element)
      ) {
        findings.push(`"${a.text}" and "${b.text}" overlap`);
      }
    }
  }
  const excess = document.documentElement.scrollWidth - innerWidth;
  if (excess > 0) findings.push(`the page is ${excess} px wider than the window`);
  if (window.hacked) findings.push('a name was executed');
  if (document.querySelector('img, iframe, main script')) findings.push('markup in a name became an element');
  return [...new Set(findings)];
}

/// The names in a list, read when each has all the words; after 15 s, those that stand there.
export async function namesWith(page, selector, words) {
  await page
    .waitForFunction(
      ([rows, all]) => {
        const names = [...document.querySelectorAll(rows)].map((one) => one.textContent);
        return names.length > 0 && names.every((name) => all.every((word) => name.includes(word)));
      },
      [selector, words],
      { timeout: 15000 },
    )
    .catch(() => {}); // the names say what is wrong
  return page.locator(selector).allInnerTexts();
}

/// The page has its answer, and has drawn it.
export async function settled(page) {
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy="true"], .state[role="status"]') &&
      document.querySelector('main h1, main .state'),
    null,
    { timeout: 15000, polling: 50 }, // a window in the background may get no frames
  );
  await page.evaluate(() =>
    document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
  );
}
