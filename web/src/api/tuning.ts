import type { Page } from './shared';

// GET api/tuning?q=&target=&sort=trials|best|name|last&order=&offset=&limit=
export interface Tuning extends Page {
  rows: { key: string; task: string; args: string; target: string; trials: number; failed: number; best_ms: number | null;
          first_ms: number | null; best_at_trial: number | null; last_at: string | null }[];
  targets: string[];
}
// GET api/tuning/task?key=
export interface TuningTask {
  key: string; task: string; args: string; target: string;
  trials: number; failed: number;
  errors: { error: string; count: number }[];
  best_so_far: { trial: number[]; ms: number[]; best_ms: number[] }; // thinned to 1000; ms: the trial's own
  knobs: { name: string; values: string[]; explained_pct: number | null; best_value: string }[]; // explained: variance of ln(ms) between values
  configs: { ms: number; config_index: number | null; values: number[]; // index into knobs[i].values
             is_best: boolean }[]; // the best 100 and 200 evenly drawn ones
  command: string | null;
}
