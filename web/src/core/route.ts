// The address of a view: the page and all its state stand behind the #, so that a link holds them, also from a file.

import { useEffect, useState } from 'preact/hooks';

export type State = Record<string, string>;

export interface Route {
  page: string;
  state: State;
}

export const FIRST_PAGE = 'compare';

export function parseHash(hash: string): Route {
  const text = hash.replace(/^#\/?/, '');
  const mark = text.indexOf('?');
  const page = decode(mark < 0 ? text : text.slice(0, mark)) || FIRST_PAGE;
  const state: State = {};
  if (mark >= 0) for (const [key, value] of new URLSearchParams(text.slice(mark + 1))) state[key] = value;
  return { page, state };
}

/// Keys stand in order, and empty values are left out: equal states have equal addresses.
export function formatHash({ page, state }: Route): string {
  const query = new URLSearchParams();
  for (const key of Object.keys(state).sort()) if (state[key]) query.set(key, state[key]);
  const text = query.toString();
  return `#/${encodeURIComponent(page)}${text ? `?${text}` : ''}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/// Goes to the page and starts a new entry of the browser's history.
export function go(page: string, state: State = {}): void {
  location.hash = formatHash({ page, state });
}

/// Changes some state of the view that is shown; an empty text removes a key. No new entry in the history.
export function change(patch: State): void {
  const route = parseHash(location.hash);
  location.replace(formatHash({ page: route.page, state: { ...route.state, ...patch } }));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseHash(location.hash));
  useEffect(() => {
    const read = () => setRoute(parseHash(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
}
