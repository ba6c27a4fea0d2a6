import type { RunInfo } from './runs';
import type { Clock, Page, SeriesId } from './shared';

// GET api/model?run=&base=&engine=&sort=&order=&offset=&limit=       base: a second selector to stand beside
// sort: total (default, desc) | ms | share | name | percent_of_peak ; engine: rows sorted by this engine (default: the first)
export interface ModelAnswer extends Page {
  run: RunInfo;
  base: RunInfo | null;
  model: string;
  models: string[]; // of the run: a night has several; choose with &model=
  source: string | null;
  sha256: string | null;
  target: string | null;
  engines: ModelEngine[];
  findings: Finding[] | null; // largest expected gain first; null: the run looked for none
  units: ModelUnit[]; // paged; a unit stands once, engines side by side
  command: string | null;
}
export interface ModelEngine {
  key: string; // "halide@2"
  engine: string; version: string | null; threads: number;
  device: string | null; // what runs its kernels beside the CPU; null: nothing
  clock: Clock; // of its times
  device_clock: Clock | null; // of device_ms
  device_ms: number | null; // what launches and copies of a call took by the device's own clock
  copies_ms: number | null; without_copies_ms: number | null; // the part of copies; the whole model less that
  end_to_end_ms: number | null; end_to_end_low_ms: number | null; end_to_end_high_ms: number | null;
  base_end_to_end_ms: number | null;
  sum_in_place_ms: number | null; dispatch_ms: number | null; call_overhead_ms: number | null; gap_pct: number | null;
  peak_memory_mb: number | null;
  peak_gflops: number | null; memory_gbytes_per_s: number | null; // ceilings measured beside the run
  failure: string | null;
  check: { engine: string; passed: boolean | null; max_relative_error: number | null } | null;
  schedules_known: boolean;
}
export interface ModelUnit {
  unit: string; // canonical text
  shapes: string | null;
  operator: string;
  nodes: string[]; // of ONNX
  count: number;
  by_engine: Record<string, ModelUnitTime | null>; // by ModelEngine.key
}
export interface ModelUnitTime {
  series: SeriesId;
  ms: number | null; low_ms: number | null; high_ms: number | null; // alone
  in_place_ms: number | null; // a call inside the running model
  total_ms: number | null; share_pct: number | null;
  device_ms: number | null; // alone, by the device's own clock
  base_ms: number | null; base_in_place_ms: number | null; // of `base`, same engine
  flops: number | null; bytes: number | null; gflops_per_s: number | null; percent_of_peak: number | null; gbytes_per_s: number | null;
  intensity: number | null; // flops per byte: x of the roofline
  bound: string | null;
  schedule: string | null; layouts: string | null; tuned_from: string | null;
  failure: string | null;
  reproducer: string | null;
}
export interface Finding {
  finding: string; where: string; evidence: string;
  gain_pct: number; gain_low_pct: number; gain_high_pct: number; command: string;
  measured_pct: number | null; // null: not tried, or it gave none
  not_measured: string | null; // why trying it gave no gain
}

// GET api/model/graph?run=&model=&engine=       engine: default: the first whose records name the steps of a call
export interface ModelGraph {
  model: string;
  engine: string | null; // whose steps these are; null: no engine tells them
  engines: string[]; // that tell them
  why_no_edges: string | null; // a sentence: why nothing is drawn, or why only in the order of the steps
  steps: number;
  width: number; // pixels that the boxes of 148 take
  layers: number;
  /** A box is a step of the call; of a large model, steps that follow each other: then it has no unit. layer: longest path from
   *  an input; x: pixels, the middle of the box. */
  nodes: { id: number; name: string; operator: string; unit: string | null; steps: number; in_place_ms: number | null;
           share_pct: number | null; layer: number; x: number }[];
  edges: { from: number; to: number; x: number[] }[]; // x: where the edge passes each layer, from that of `from` to that of `to`
}
