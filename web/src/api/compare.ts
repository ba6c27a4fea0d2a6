import type { RunInfo } from './runs';
import type { SeriesData } from './series';
import type { Clock, Page, SeriesId, Verdict } from './shared';

// GET api/compare?a=&b=&a_engine=&b_engine=&a_threads=&b_threads=&model=&scope=&verdict=&q=&sort=&order=&offset=&limit=
// scope: all (default) | unit | model. verdict: a comma-separated list; default: all; "relevant" = faster,slower.
// sort: factor (default, desc; largest first whatever the direction) | change | a_ms | b_ms | name | share ; order
// Engines belong to the key of a row unless a_engine and b_engine are given (then those two are compared); threads likewise.
export interface Compare extends Page {
  a: RunInfo; // the base: "before"
  b: RunInfo; // "after"
  basis: 'paired' | 'separate'; // paired: measured in turns by `compare`; separate: two runs at different times
  notes: string[]; // other machine, other environment, other method, …: sentences
  legend: string[]; // how a verdict is made: sentences
  counts: Record<Verdict, number>; // of all matched rows behind model/scope/q filters, whatever `verdict` says
  without_verdict: number; // rows whose sides' clocks allow none; they are among the rows where no `verdict` is asked for
  ranges: Record<'faster' | 'slower', { smallest_pct: number; median_pct: number; largest_pct: number } | null>;
  geomean_pct: number | null; // of matched unit or model rows, b against a
  matched: number;
  only_a: number; // rows that b has not; see api/compare/only
  only_b: number;
  failed: number; // matched, but one of them failed: no times
  rows: CompareRow[];
  command_compare: string | null; // measures both side by side, in turns
}
export interface CompareRow {
  key: string; // opaque; for api/compare/row
  series_a: SeriesId;
  series_b: SeriesId;
  model: string;
  unit: string; // canonical text of the unit's workload; "model" for a whole model
  shapes: string | null; // short form for people: "conv2d 64x56x56 64x64x3x3"
  scope: 'unit' | 'model';
  engine_a: string;
  engine_b: string;
  threads_a: number;
  threads_b: number;
  count: number; // how often the unit runs in the model
  share_pct: number | null; // of the model, in a
  a_ms: number; a_low_ms: number | null; a_high_ms: number | null;
  b_ms: number; b_low_ms: number | null; b_high_ms: number | null;
  change_pct: number; // 100 * (b/a - 1); above 0: slower
  change_low_pct: number | null;
  change_high_pct: number | null;
  margin_pct: number; // the threshold of this row
  factor: number; // |ln(b/a)| / ln(1 + margin)
  verdict: Verdict | null; // null: none, no_verdict says why
  no_verdict: string | null;
  clock_a: Clock; clock_b: Clock;
  device_a: string | null; device_b: string | null; // null: the CPU
  a_device_ms: number | null; b_device_ms: number | null; // by the devices' own clocks
  code_changed: boolean | null; // null: hashes not known
}

// GET api/compare/only?a=&b=&…as above…&side=a|b&offset=&limit=
export interface CompareOnly extends Page {
  rows: { model: string; unit: string; shapes: string | null; scope: 'unit' | 'model'; engine: string; threads: number;
          ms: number | null; failure: string | null; series: SeriesId }[];
}

// GET api/compare/row?a=&b=&…as above…&key=
export interface CompareDetail {
  row: CompareRow;
  history: SeriesData; // of b's series (or a's); the 60 points around the two
  mark_a: number | null; // index into history.points, null: not in it
  mark_b: number | null;
  samples_a: Samples;
  samples_b: Samples;
  /** commands to repeat and to find out why; title for people */
  commands: { title: string; command: string }[];
  environment: { field: string; a: string; b: string }[]; // only what differs
}
export interface Samples {
  ms: number[]; // at most 500, evenly thinned
  flags: (string | null)[]; // why a sample does not count (preempted, migrated, …)
  total: number;
  dropped: { cause: string; count: number }[];
  stop_reason: string | null;
}
