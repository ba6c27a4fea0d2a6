// Where answers come from: the program that serves the pages, or the script files of an exported site.

import type { ErrorAnswer } from '../api';
import { localAnswer, splitQuery } from './exported';

export type Query = Record<string, string | number | string[] | null | undefined>;

export class AnswerError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly lines: string[] = [],
    /// Nothing failed: this server, or this export, does not have the view.
    readonly isAbsent = false,
  ) {
    super(message);
  }
}

interface Manifest {
  answers: Record<string, string>;
  left_out: string[];
  exported_at: string;
}

let manifest: Manifest | null = null;
const arrived = new Map<string, unknown>(); // what script files have handed over
Object.assign(globalThis, {
  opbenchManifest: (given: Manifest) => {
    manifest = given;
  },
  opbenchData: (key: string, answer: unknown) => {
    arrived.set(key, answer);
  },
});

export function isExported(): boolean {
  return manifest !== null;
}

/// The request as text: parameters in order, those that are empty left out.
export function keyOf(path: string, query: Query = {}): string {
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (
        one === null ||
        one === undefined ||
        one === '' ||
        (name === 'offset' && Number(one) === 0) ||
        (name === 'limit' && Number(one) === 100)
      )
        continue;
      pairs.push([name, String(one)]);
    }
  }
  pairs.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1));
  const text = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return text ? `${path}?${text}` : path;
}

/// The address of the same list as CSV; nothing in an exported site, which has no program to write it.
export function csvOf(path: string, query: Query = {}): string | null {
  return manifest ? null : keyOf(`${path}.csv`, query);
}

const KEPT = 60;
const MOST_MS = 60000; // for one answer: the server gives no statement that long
interface Asked {
  answer: Promise<unknown>;
  waiting: number; // who still wants it
  isOver: boolean;
  stop: AbortController;
}
const asked = new Map<string, Asked>();

/// An answer that is on its way or there, until `leave` is called.
export interface Wanted<T> {
  answer: Promise<T>;
  leave: () => void;
}

/// The answer to a request. Answers are kept for a while, so that a way back is quick. A request that nobody waits for any more is given up:
/// browsers send six at once, and the newest one would stand behind it.
export function want<T>(path: string, query: Query = {}): Wanted<T> {
  const key = keyOf(path, query);
  const one = asked.get(key) ?? begun(key, path, query);
  one.waiting += 1;
  let isLeft = false;
  const leave = () => {
    if (isLeft) return;
    isLeft = true;
    one.waiting -= 1;
    if (one.waiting > 0 || one.isOver) return;
    forget(key, one);
    one.stop.abort();
  };
  return { answer: one.answer as Promise<T>, leave };
}

function begun(key: string, path: string, query: Query): Asked {
  const stop = new AbortController();
  const answer = manifest ? exported(path, query) : served(key, stop.signal);
  const one = { answer, waiting: 0, isOver: false, stop };
  asked.set(key, one);
  answer.then(
    () => (one.isOver = true),
    () => {
      one.isOver = true;
      forget(key, one);
    },
  );
  for (const [old, other] of asked) {
    if (asked.size <= KEPT) break;
    if (other.isOver) asked.delete(old);
  }
  return one;
}

/// Another request of the same text may have begun meanwhile.
function forget(key: string, one: Asked): void {
  if (asked.get(key) === one) asked.delete(key);
}

async function served(key: string, stop: AbortSignal, tries = 300): Promise<unknown> {
  const { response, answer } = await fetched(key, stop);
  if (response.ok && answer !== null) return answer;
  if (response.status === 503 && answer?.retry_after_ms && tries > 0) {
    await new Promise((done) => setTimeout(done, answer.retry_after_ms));
    if (stop.aborted) throw new AnswerError('Nobody waits for this answer any more.', 0);
    return served(key, stop, tries - 1);
  }
  throw errorOf(response.status, answer);
}

/// Ends in any case: a connection that stays silent counts as one that fails.
async function fetched(key: string, stop: AbortSignal): Promise<{ response: Response; answer: any }> {
  const ends = new AbortController();
  const end = () => ends.abort();
  stop.addEventListener('abort', end);
  const timer = setTimeout(end, MOST_MS);
  try {
    const response = await fetch(key, { headers: { accept: 'application/json' }, signal: ends.signal });
    const text = await response.text();
    return { response, answer: parsed(text) };
  } catch {
    if (stop.aborted) throw new AnswerError('Nobody waits for this answer any more.', 0);
    throw new AnswerError('The program that serves these pages does not answer.', 0, ['start it again: opbench web']);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
  }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function errorOf(status: number, answer: ErrorAnswer | null): AnswerError {
  if (status === 404 && answer?.error.startsWith('unknown view '))
    return new AnswerError('The server does not have this part.', status, [], true);
  const lines: string[] = [];
  if (answer?.known?.length) lines.push(`known: ${answer.known.join(', ')}`);
  if (answer?.valid?.length) lines.push(`valid: ${answer.valid.join(', ')}`);
  if (answer?.did_you_mean) lines.push(`did you mean: ${answer.did_you_mean}?`);
  for (const fact of answer?.facts ?? []) lines.push(`${fact.name}: ${fact.value}`);
  return new AnswerError(answer?.error ?? `The server answered with code ${status}.`, status, lines);
}

async function exported(path: string, query: Query): Promise<unknown> {
  const whole = keyOf(path, query);
  const exact = (manifest as Manifest).answers[whole];
  if (exact) return loaded(whole, exact);
  const { base, view } = splitQuery(path, query);
  const key = keyOf(path, base);
  const file = (manifest as Manifest).answers[key];
  if (!file) throw new AnswerError('This is not in this export.', 404, (manifest as Manifest).left_out, true);
  return localAnswer(path, await loaded(key, file), view);
}

function loaded(key: string, file: string): Promise<unknown> {
  if (arrived.has(key)) return Promise.resolve(arrived.get(key));
  return new Promise((done, fail) => {
    const script = document.createElement('script');
    script.src = file;
    script.onload = () => {
      script.remove();
      if (arrived.has(key)) done(arrived.get(key));
      else fail(new AnswerError(`The file ${file} of this export does not hold ${key}.`, 404));
    };
    script.onerror = () => {
      script.remove();
      fail(new AnswerError(`The file ${file} of this export is missing.`, 404));
    };
    document.head.append(script);
  });
}
