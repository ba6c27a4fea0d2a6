// Contract between the views of OpBench (C++) and the front end (TypeScript).
// This folder declares every answer, one file a page. Null in every answer so far: commit_url, noise.peak_gflops,
// noise.memory_gbytes_per_s, schedule and percent_of_peak of a workload's rows.
//
// --- How to ask -----------------------------------------------------------------------------------------------------
// All requests are GET, paths are relative to the page ("api/compare?a=…"), answers are JSON (UTF-8).
// Each path also answers CSV with ".csv" behind it: "api/compare.csv?a=…" (its list, one line a row; series.csv one line a point; not
// for exports).
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
// `opbench web --export SITE/` writes index.html, app.js, app.css and data/*.js. In index.html it replaces the line
// `<!-- opbench-data -->` with `<script src="data/manifest.js"></script>`; a served index.html keeps the comment.
// manifest.js: opbenchManifest({"answers": {"api/overview": "data/0001.js", …}, "left_out": ["…"], "exported_at": "…"}).
// Each other file: opbenchData("api/compare?a=…&b=…", {...answer...}). Pages load it by appending a <script>: a page that was
// opened from a file can fetch nothing.
// Key of a request: path, then its parameters sorted by name (then value), without empty ones, offset 0 and limit 100, each
// encodeURIComponent(name)=encodeURIComponent(value), joined with &. The exporter writes exactly this form. The answer of a list
// holds all rows (at most 5000), that of series all points: the front end sorts, filters, pages and zooms them itself. Of a request
// that the manifest lacks, pages say that it is not in this export.
// No inline script or style attribute set from HTML text: the CSP is
//   default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self';
//   base-uri 'none'; form-action 'none'; frame-ancestors 'none'
// (element.style.x = … from script is allowed by CSP; style="" in HTML text and <style> are not.)
//
// --- Files ----------------------------------------------------------------------------------------------------------
// The bundle lies in build/web/ (index.html, app.js, app.css, and what else lies flat or in assets/). $OPBENCH_WEB_BUNDLE
// names another folder. `./dev web` builds program and bundle; it calls `node web/build.mjs build/web` in the checkout.

export type * from './alerts';
export type * from './compare';
export type * from './machines';
export type * from './model';
export type * from './overview';
export type * from './plans';
export type * from './runs';
export type * from './series';
export type * from './shared';
export type * from './sql';
export type * from './tonight';
export type * from './tuning';
export type * from './workloads';
