// Contract between the views of OpBench (C++) and the front end (TypeScript).
// Changes, newest first (dated lines):
//   2026-11-28 16:22  all views answer but api/tuning/task and api/model/graph (404 unknown view); nulls so far: commit_url,
//                     ModelUnitTime.bound, noise.peak_gflops, noise.memory_gbytes_per_s, workload rows' schedule and percent_of_peak,
//                     tuning best_at_trial; workload.tasks is empty
//   2026-11-28 16:22  series.csv has a row a point; SQL limit up to 10000; ran.failures of kept findings: engine "" and threads 0
//   2026-11-28 16:22  an export keeps requests of lists without limit: their answers hold up to 5000 rows
//   2026-11-28 15:15  first version
//
// --- How to ask -----------------------------------------------------------------------------------------------------
// All requests are GET, paths are relative to the page ("api/compare?a=…"), answers are JSON (UTF-8).
// Each path also answers CSV with ".csv" behind it: "api/compare.csv?a=…" (its list, one line a row; not for exports).
// Errors: HTTP 400, 401, 403, 404, 408, 413, 414, 429, 500, 503 with ErrorAnswer. 503 + `retry_after_ms`: the store is
// still being read, ask again.  401: a token is needed: the page was opened without "?token=…"; the server sets a
// cookie (HttpOnly, SameSite=Strict) when it is, and redirects to the path without it: the front end never sees it.
// Absent values are null, never missing, unless the member has a `?`.
// Times are milliseconds (_ms), sizes bytes (_bytes), percent _pct (5 means 5 %), dates RFC 3339 UTC text (_at),
// or epoch milliseconds (`at_epoch_ms`) in the columnar arrays of charts. Lower times are better everywhere.
// Paged lists take `offset` (0) and `limit` (100; at most 500) and answer `total`. `order` is asc or desc.
// Texts (names of models, units, labels, annotations) may hold any character, markup too: textContent only.
//
// --- Exported sites ---------------------------------------------------------------------------------------------------
// `opbench web --export SITE/` writes index.html, app.js, app.css and data/*.js. index.html of the bundle must load, before
// app.js, the script `data/manifest.js` when it is there. Rule: the exporter writes into index.html, in place of the line
// `<!-- opbench-data -->`, the line `<script src="data/manifest.js"></script>`; a served index.html has the comment.
// Inside: opbenchManifest({"answers": {"api/overview": "data/overview.js", …}, "left_out": ["…"], "exported_at": "…"}).
// Each file: opbenchData("api/compare?a=…&b=…", {...answer...}); load it by appending a <script>, never fetch.
// Key of a request: path, then its parameters sorted by name (then value), empty ones and defaults left out
// (offset 0, limit 100, sort/order at their defaults), each encodeURIComponent(name)=encodeURIComponent(value), joined
// with &. The exporter writes the key in exactly this form. For lists the exported answer holds all rows (total <= 5000):
// the front end sorts, filters and pages them itself. A request that is not in the manifest: say "not in this export".
// No inline script or style attribute set from HTML text: the CSP is
//   default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self';
//   base-uri 'none'; form-action 'none'; frame-ancestors 'none'
// (element.style.x = … from script is allowed by CSP; style="" in HTML text and <style> are not.)
//
// --- Files ----------------------------------------------------------------------------------------------------------
// The bundle lies in build/web/ (index.html, app.js, app.css, and what else lies flat or in assets/). $OPBENCH_WEB_BUNDLE
// names another folder. `./dev web` builds program and bundle; it calls `node web/build.mjs build/web` in the checkout.

export interface ErrorAnswer {
  error: string; // one line
  known?: string[];
  valid?: string[];
  did_you_mean?: string;
  facts?: { name: string; value: string }[]; // further lines
  retry_after_ms?: number; // 503
}

export interface Page {
  offset: number;
  limit: number;
  total: number; // rows behind the filters
}

/** Names one side of a comparison, or what is shown on the page Model:
 *    "run:ID"                          one profile, op or sweep run
 *    "run:ID@LABEL"                    one side of a compare run (label of the side)
 *    "night:SUITE/BRANCH/NIGHT"        all results of one night (of the machine with most of them)
 *    "night:SUITE/BRANCH/NIGHT@MACHINE_HASH_PREFIX"
 *  Parts are percent-encoded inside the selector where they hold "/", "@", ":" or "%". */
export type Selector = string;

/** Series id: 16 hex digits, stable while the store stays. One series = engine, threads, model (or workload), unit, scope,
 *  cache mode, machine, and suite+branch of nights (or none). */
export type SeriesId = string;

export type Verdict = "faster" | "slower" | "same" | "inconclusive";

// --- GET api/overview ---------------------------------------------------------------------------------------------------
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

// --- GET api/runs?q=&kind=&model=&offset=&limit=      newest first -----------------------------------------------------
// kind: run | night | compare_side ; q: words, all of which occur in label, model, commit, machine
export interface Runs extends Page {
  rows: RunInfo[];
}
export interface RunInfo {
  selector: Selector;
  kind: "run" | "night" | "compare_side";
  label: string; // for people: "resnet-18 · halide, onnxruntime · 2 threads"
  at: string;
  models: string[]; // at most 6
  engines: string[];
  threads: number[];
  machine: string; // machine_hash, 12 digits
  machine_name: string;
  commit: string | null; // of a night or of a side's build
  commit_url: string | null;
  suite: string | null;
  branch: string | null;
  night: string | null;
  rows: number;
  failures: number;
  command: string | null; // the command line that wrote it
}

// --- GET api/compare?a=&b=&a_engine=&b_engine=&a_threads=&b_threads=&model=&scope=&verdict=&q=&sort=&order=&offset=&limit=
// scope: all (default) | unit | model. verdict: a comma-separated list; default: all; "relevant" = faster,slower.
// sort: factor (default, desc; largest first whatever the direction) | change | a_ms | b_ms | name | share ; order
// Engines belong to the key of a row unless a_engine and b_engine are given (then those two are compared); threads likewise.
export interface Compare extends Page {
  a: RunInfo; // the base: "before"
  b: RunInfo; // "after"
  basis: "paired" | "separate"; // paired: measured in turns by `compare`; separate: two runs at different times
  notes: string[]; // other machine, other environment, other method, …: sentences
  legend: string[]; // how a verdict is made: sentences
  counts: Record<Verdict, number>; // of all matched rows behind model/scope/q filters, whatever `verdict` says
  ranges: Record<"faster" | "slower", { smallest_pct: number; median_pct: number; largest_pct: number } | null>;
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
  scope: "unit" | "model";
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
  verdict: Verdict;
  code_changed: boolean | null; // null: hashes not known
}

// --- GET api/compare/only?a=&b=&…as above…&side=a|b&offset=&limit= ---------------------------------------------------
export interface CompareOnly extends Page {
  rows: { model: string; unit: string; shapes: string | null; scope: "unit" | "model"; engine: string; threads: number;
          ms: number | null; failure: string | null; series: SeriesId }[];
}

// --- GET api/compare/row?a=&b=&…as above…&key= -------------------------------------------------------------------------
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

// --- GET api/series/list?q=&model=&engine=&suite=&machine=&scope=&alerts=1&sort=&order=&offset=&limit= ------------------
// sort: alerts (default) | change | points | last | name ; alerts=1: only series with alerts
export interface SeriesList extends Page {
  rows: SeriesInfo[];
  engines: string[]; models: string[]; suites: string[]; machines: { machine: string; name: string }[]; // for filters; at most 200
}
export interface SeriesInfo {
  id: SeriesId;
  label: string; // "halide · resnet-18 @2 · conv2d 64x56x56 …"
  engine: string; threads: number; model: string; unit: string; shapes: string | null; scope: "unit" | "model";
  cache: string | null; machine: string; machine_name: string; suite: string | null; branch: string | null;
  points: number;
  first_at: string; last_at: string;
  last_ms: number | null;
  change_pct: number | null; // last against the median of up to 7 before it
  alerts: number; // open ones
}

// --- GET api/series?id=ID&id=ID…(at most 12)&from=&to=&around=ALERT_ID&limit= -------------------------------------------
// from, to: RFC 3339 or a date; around: one week on both sides of an alert. limit: most points a series before buckets (2000)
export interface SeriesAnswer {
  series: SeriesData[];
  alerts: AlertInfo[]; // of these series, all states
}
export interface SeriesData {
  info: SeriesInfo;
  /** Columnar, equal lengths, ordered by `position` (place of the commit on the branch where known, else time).
   *  is_bucketed: then each entry is a bucket: ms = median, low_ms = minimum, high_ms = maximum, n > 1 and
   *  commit/night/run those of its last point. */
  is_bucketed: boolean;
  points: {
    at_epoch_ms: number[];
    ms: (number | null)[]; // null: failed
    low_ms: (number | null)[]; // 95 % interval of the median (bucket: minimum)
    high_ms: (number | null)[];
    n: number[]; // points in it
    commit: (string | null)[];
    night: (string | null)[];
    run: Selector[]; // for links to Compare and Model
    is_rebuilt: boolean[]; // another code hash than before
    failure: (string | null)[];
  };
  segments: { from: number; to: number; level_ms: number; low_ms: number; high_ms: number }[]; // indexes (inclusive) into points;
                                                   // band: level ± 2 robust standard deviations of its points
  changes: { at: number; change_pct: number; z: number }[]; // first index of a new segment (detector l1)
  breaks: { at: number; what: "environment" | "method" | "machine"; text: string }[];
  alerts: { id: string; from: number; to: number; change_pct: number; state: AlertState; life: AlertLife }[]; // good..bad index
  annotations: { at: number; verb: string; text: string; said_at: string; link: string | null }[];
}

// --- GET api/tonight?suite=&branch=&machine=       defaults: the suite measured last --------------------------------------
export interface Tonight {
  suite: string; branch: string; machine: string; machine_name: string;
  is_analysed: boolean; // false: nights are there, but `opbench regress` has kept no findings; `why` says so
  why: string | null;
  night: string; // the last one
  began_at: string; ended_at: string;
  analysed_at: string | null;
  commit: string; commit_url: string | null;
  ran: { cases: number; rows: number; failures: { subject: string; engine: string; threads: number; reason: string }[]; left_out: number };
  verdict: string; // "2 confirmed regressions, 1 improvement" or "it ran and found nothing"
  is_quiet: boolean; // nothing found
  detector: string | null;
  paired_runs: number; pairs: number;
  nights: number; series: number;
  alerts: AlertInfo[]; // open ones first, then by night, newest first; at most 200
  alert_total: number;
  missing: { series: string; label: string; since: string | null; id: SeriesId | null }[]; // had results the night before, not tonight
  appeared: { series: string; label: string; id: SeriesId | null }[]; // the reverse
  changed: { what: string; before: string; after: string }[]; // since the night before: commit range, environment, method, rebuilt units
  notes: string[];
  noisiest: string[];
  commits: { id: string; url: string | null; kind: "code" | "docs" }[]; // since the night before
  history: { night: string; at: string; rows: number; failures: number; alerts: number; commit: string }[]; // last 60 nights, oldest first
  compare: { a: Selector; b: Selector } | null; // the night before against this one
  commands: { title: string; command: string }[]; // regress, digest, bisect …
}
export type AlertState = "suspected" | "confirmed" | "settled";
export type AlertLife = "new" | "acknowledged" | "accepted" | "fixed" | "noise";
export interface AlertInfo {
  id: string; // "halide@31-32"
  kind: "change" | "missing";
  engine: string;
  state: AlertState;
  life: AlertLife;
  is_open: boolean;
  is_slower: boolean;
  cause: string | null; // kernel rebuilt, library rebuilt, …
  why_suspected: string | null;
  good_night: string; bad_night: string;
  reported_night: string | null; confirmed_night: string | null; settled_night: string | null;
  commits: { id: string; url: string | null; kind: "code" | "docs" }[];
  rows: { series: string; id: SeriesId | null; label: string; change_pct: number; low_pct: number; high_pct: number; z: number; pairs: number }[]; // at most 50
  row_total: number;
  annotations: { verb: string; text: string; said_at: string; link: string | null }[];
  compare: { a: Selector; b: Selector } | null; // good night against bad night
  commands: { title: string; command: string }[]; // bisect, accept, ignore, acknowledge, fixed, nudge
}

// --- GET api/model?run=&base=&engine=&sort=&order=&offset=&limit=       base: a second selector to stand beside -----------
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
  findings?: Finding[]; // later
  units: ModelUnit[]; // paged; a unit stands once, engines side by side
  command: string | null;
}
export interface ModelEngine {
  key: string; // "halide@2"
  engine: string; version: string | null; threads: number;
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
  gain_pct: number; gain_low_pct: number; gain_high_pct: number; command: string; measured_pct?: number | null;
}

// --- GET api/model/graph?run=&model= -------------------------------------------------------------------------------------
export interface ModelGraph {
  why_no_edges: string | null; // the model's file is not here: then units stand in the order of their nodes
  nodes: { id: number; name: string; operator: string; unit: string | null; layer: number }[]; // layer: longest path from an input
  edges: { from: number; to: number }[];
}

// --- GET api/machines -----------------------------------------------------------------------------------------------------
export interface Machines {
  machines: {
    machine: string; name: string; cpu: string | null; cpu_count: number | null; memory_gb: number | null; os: string | null;
    engines: string[]; records: number; first_at: string; last_at: string;
    software: { software: string; first_at: string; last_at: string; records: number }[]; // environments, newest first
    /** by day: how far apart samples lay (median of (high - low) / median of its rows, in percent), ceilings */
    noise: { at_epoch_ms: number[]; spread_pct: number[]; peak_gflops: (number | null)[]; memory_gbytes_per_s: (number | null)[] };
  }[];
}
// --- GET api/machines/diff?a=SOFTWARE_OR_SELECTOR&b= --------------------------------------------------------------------
export interface EnvironmentDiff {
  a: string; b: string;
  same: number;
  rows: { field: string; a: string | null; b: string | null }[];
}

// --- GET api/workloads?q=&sort=records|last|name&offset=&limit= -----------------------------------------------------------
export interface Workloads extends Page {
  rows: { workload: string; shapes: string | null; engines: string[]; records: number; best_ms: number | null; last_at: string }[];
}
// --- GET api/workload?workload= -----------------------------------------------------------------------------------------
export interface WorkloadAnswer {
  workload: string; shapes: string | null;
  rows: { engine: string; threads: number; machine: string; machine_name: string; schedule: string | null; models: string[];
          records: number; best_ms: number; median_ms: number; last_ms: number; last_at: string; series: SeriesId;
          percent_of_peak: number | null }[]; // at most 500
  predictions: { predictor: string; ms: number; low_ms: number | null; high_ms: number | null; at: string; machine: string }[];
  tasks: { task: string; target: string; trials: number; best_ms: number }[];
  command: string;
}

// --- GET api/tuning?q=&target=&sort=trials|best|name|last&order=&offset=&limit= ---------------------------------------------
export interface Tuning extends Page {
  rows: { key: string; task: string; args: string; target: string; trials: number; failed: number; best_ms: number | null;
          first_ms: number | null; best_at_trial: number | null; last_at: string | null }[];
  targets: string[];
}
// --- GET api/tuning/task?key= ----------------------------------------------------------------------------------------------
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

// --- GET api/plans?offset=&limit= -----------------------------------------------------------------------------------------
export interface Plans extends Page {
  why_none: string | null;
  rows: { run: Selector; label: string; at: string; engine: string; threads: number; end_to_end_ms: number | null }[];
}

// --- GET api/sql?q=SQL&limit=500 (at most 10000)   |   GET api/sql/schema --------------------------------------------------------
export interface SqlAnswer {
  columns: { name: string; type: string }[];
  rows: (string | number | boolean | null | object)[][];
  is_cut: boolean; // there are more than `limit`
  took_ms: number;
}
export interface SqlSchema {
  tables: { name: string; help: string; columns: { name: string; type: string }[] }[];
  examples: { title: string; sql: string }[];
}
