import { useEffect, useState } from 'preact/hooks';
import { AnswerError, keyOf, want, type Query } from './source';

export interface Answer<T> {
  value: T | null; // the last one, also while the next one is on its way
  error: AnswerError | null;
  isBusy: boolean;
}

/// Asks again whenever the request changes. Without a path nothing is asked.
export function useAnswer<T>(path: string | null, query: Query = {}): Answer<T> {
  const key = path === null ? null : keyOf(path, query);
  const [state, setState] = useState<Answer<T> & { path: string | null }>({
    value: null,
    error: null,
    isBusy: path !== null,
    path,
  });
  useEffect(() => {
    if (path === null || key === null) {
      setState({ value: null, error: null, isBusy: false, path });
      return;
    }
    setState((old) => ({ ...old, isBusy: true, value: old.path === path ? old.value : null, error: null, path }));
    // What this effect asked for counts until the next one begins, whatever was rendered meanwhile.
    let isWanted = true;
    const { answer, leave } = want<T>(path, query);
    answer.then(
      (value) => isWanted && setState({ value, error: null, isBusy: false, path }),
      (error) => isWanted && setState({ value: null, error: asAnswerError(error), isBusy: false, path }),
    );
    return () => {
      isWanted = false;
      leave();
    };
  }, [key]);
  return state;
}

function asAnswerError(error: unknown): AnswerError {
  return error instanceof AnswerError ? error : new AnswerError(String((error as Error)?.message ?? error), 0);
}
