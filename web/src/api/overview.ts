import type { Selector, SeriesId } from './shared';

// GET api/overview
export interface Overview {
  api: 1;
  version: string; // of the program
  is_export: boolean;
  exported_at?: string;
  left_out?: string[]; // of an export: sentences
  store: {
    name: string; // last part of its path
    benchmarks: number;
    trials: number;
    predictions: number;
    runs: number;
    series: number;
    first_at: string | null;
    last_at: string | null;
  };
  /** What each page would show by default; null: nothing to show, `why` says what to do (a command). */
  pages: {
    compare: { a: Selector; b: Selector } | null;
    series: { id: SeriesId[] } | null; // those with alerts, else the longest ones; at most 4
    tonight: { suite: string; branch: string; machine: string } | null;
    model: { run: Selector } | null;
    tuning: { tasks: number } | null;
    machines: { machines: number } | null;
    workload: { workload: string } | null;
    plans: { plans: number } | null;
    sql: Record<string, never> | null; // null in an export
  };
  empty_hints: { page: string; text: string; command: string }[]; // for the pages that are null
  suites: {
    suite: string; branch: string; machine: string; machine_name: string;
    nights: number; last_night: string; last_at: string;
    open_alerts: number | null; // null: not analysed
  }[];
}
