// Dark or light: what the system asks for until the user chooses.

const KEY = 'opbench.theme';
export type Theme = 'light' | 'dark';
const listeners = new Set<() => void>();
let chosen = kept();

function kept(): Theme | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === 'light' || text === 'dark' ? text : null;
  } catch {
    return null; // storage is refused, as in some private windows
  }
}

export function currentTheme(): Theme {
  return chosen ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = currentTheme();
  for (const listener of listeners) listener();
}

export function switchTheme(): void {
  chosen = currentTheme() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // The choice then holds for this page.
  }
  applyTheme();
}

/// Charts that are drawn on a canvas read the colours again when the theme changes.
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
