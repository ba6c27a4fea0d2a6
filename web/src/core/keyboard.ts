// Keys that work on every page. Rows and fields carry data attributes: whoever adds a page adds no key handling.

import { go } from './route';

const PAGES_BY_KEY: Record<string, string> = {
  c: 'compare',
  s: 'series',
  t: 'tonight',
  m: 'model',
  u: 'tuning',
  w: 'workload',
  p: 'plans',
  a: 'machines',
  q: 'sql',
};

export const KEYS: [string, string][] = [
  ['/', 'search in this page'],
  ['j  k', 'next row, previous row'],
  ['Enter', 'open or close the row'],
  ['Esc', 'close, leave the field'],
  ['g c', 'Compare; g s Series, g t Tonight, g m Model, g u Tuning, g w Workload, g p Plans, g a Machines, g q SQL'],
  ['[  ]', 'page before, page after'],
  ['?', 'this help'],
];

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input:not([type=checkbox]), textarea, select') || target.isContentEditable)
  );
}

function step(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1);
  rows[next].focus({ preventScroll: true });
  rows[next].scrollIntoView({ block: 'nearest' });
}

function search(): boolean {
  const field = document.querySelector<HTMLInputElement>('main [data-search]');
  field?.focus();
  field?.select();
  return field !== null;
}

export function listenToKeys(showHelp: () => void): () => void {
  let isAfterG = false;
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    const page = isAfterG ? PAGES_BY_KEY[event.key] : undefined;
    isAfterG = event.key === 'g';
    if (page) go(page);
    else if (event.key === '/') search();
    else if (event.key === 'j') step(1);
    else if (event.key === 'k') step(-1);
    else if (event.key === '?') showHelp();
    else if (event.key === '[' || event.key === ']') {
      document
        .querySelector<HTMLButtonElement>(`main [data-page="${event.key === '[' ? 'before' : 'after'}"]`)
        ?.click();
    } else return;
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
