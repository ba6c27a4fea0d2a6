import type { Page, Selector } from './shared';

// GET api/plans?offset=&limit=
export interface Plans extends Page {
  why_none: string | null;
  rows: { run: Selector; label: string; at: string; engine: string; threads: number; end_to_end_ms: number | null }[]; // runs of plans
  /** that the store keeps: `opbench plan` and `opbench interference` write them; newest first, at most 100 of each. A file that
   *  cannot be read has `fault` and only id and at beside it. */
  plans: ({ id: string; at: string; fault: null } & PlanFacts | KeptFault)[];
  interference: ({ id: string; at: string; fault: null } & InterferenceFacts | KeptFault)[];
}
export interface KeptFault { id: string; at: string; fault: string }
export interface PlanFacts {
  model: string; planner: string; workers: number; units: number;
  predicted_ms: number; sequential_ms: number;
  ceiling: number; // the largest speed-up that any plan can have
  measured: { speedup: number; low: number; high: number; verdict: string; reason: string } | null; // null: not run
}
export interface InterferenceFacts {
  target: string; units: number; pairs: number;
  worst: number | null; worst_pair: string; // the largest slow-down: "A beside B"
}

// GET api/plans/timeline?id=
export interface PlanTimeline extends PlanFacts {
  id: string; target: string; times: string; reason: string;
  command: string | null; // runs it; null in an export
  cpus: number[]; // of the workers
  makespan_ms: number; // simulated
  busy_pct: number; // of all workers' time
  spans: { name: string; operator: string; workload: string | null; workers: number[]; start_ms: number; end_ms: number }[];
}

// GET api/plans/interference?id=
export interface InterferenceMatrix extends InterferenceFacts {
  id: string;
  unit_list: { key: string; workload: string; alone_ms: number | null; pressure: number | null }[]; // pressure: slow-down of a probe beside it
  cells: ({ ratio: number; low: number | null; high: number | null; forecast: number | null } | null)[][]; // [of][beside]: times as long as alone
}
