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
const answers = new Map<string, Promise<unknown>>();

/// The answer to a request. Answers are kept for a while, so that a way back is quick.
export function ask<T>(path: string, query: Query = {}): Promise<T> {
  const key = keyOf(path, query);
  let answer = answers.get(key);
  if (!answer) {
    answer = manifest ? exported(path, query) : served(key);
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    if (answers.size > KEPT) answers.delete(answers.keys().next().value as string);
  }
  return answer as Promise<T>;
}

async function served(key: string, tries = 300): Promise<unknown> {
  let response;
  try {
    response = await fetch(key, { headers: { accept: 'application/json' } });
  } catch {
    throw new AnswerError('The program that serves these pages does not answer.', 0, ['start it again: opbench web']);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  if (response.status === 503 && answer?.retry_after_ms && tries > 0) {
    await new Promise((done) => setTimeout(done, answer.retry_after_ms));
    return served(key, tries - 1);
  }
  throw errorOf(response.status, answer);
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
