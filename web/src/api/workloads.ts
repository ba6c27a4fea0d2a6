import type { Page, SeriesId } from './shared';

// GET api/workloads?q=&sort=records|last|name&offset=&limit=
export interface Workloads extends Page {
  rows: { workload: string; shapes: string | null; engines: string[]; records: number; best_ms: number | null; last_at: string }[];
}
// GET api/workload?workload=
export interface WorkloadAnswer {
  workload: string; shapes: string | null;
  rows: { engine: string; threads: number; machine: string; machine_name: string; schedule: string | null; models: string[];
          records: number; best_ms: number; median_ms: number; last_ms: number; last_at: string; series: SeriesId;
          percent_of_peak: number | null }[]; // at most 500
  predictions: { predictor: string; ms: number; low_ms: number | null; high_ms: number | null; at: string; machine: string }[];
  tasks: { key: string; task: string; target: string; trials: number; best_ms: number }[];
  command: string;
}
