import type { Page } from './shared';

// GET api/tuning?q=&target=&sort=trials|best|name|last&order=&offset=&limit=
export interface Tuning extends Page {
  rows: { key: string; task: string; args: string; target: string; trials: number; failed: number; best_ms: number | null;
          first_ms: number | null; last_at: string | null }[];
  targets: string[];
}
// GET api/tuning/task?key=
export interface TuningTask {
  key: string; task: string; args: string; target: string;
  trials: number; failed: number;
  errors: { error: string; count: number }[];
  /** about 1000 of the timed trials, with each that was faster than all before; ms: the trial's own */
  best_so_far: { trial: number[]; ms: number[]; best_ms: number[]; best_at_trial: number | null };
  /** explained: how much of the variance of ln(ms) lies between the values, corrected for their number; kind: AutoTVM's, "sp", "ot" … */
  knobs: { name: string; kind: string; values: string[]; explained_pct: number | null; best_value: string }[];
  why_no_knobs: string | null;
  configs: { ms: number; config_index: number | null; values: number[]; // index into knobs[i].values
             is_best: boolean }[]; // the best 100 and at most 200 evenly drawn ones, fastest first
  command: string | null;
}
