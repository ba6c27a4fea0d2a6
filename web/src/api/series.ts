import type { AlertInfo, AlertLife, AlertState } from './alerts';
import type { Page, Selector, SeriesId } from './shared';

// GET api/series/list?q=&model=&engine=&suite=&machine=&scope=&alerts=1&sort=&order=&offset=&limit=
// sort: alerts (default) | change | points | last | name ; alerts=1: only series with alerts
export interface SeriesList extends Page {
  rows: SeriesInfo[];
  engines: string[]; models: string[]; suites: string[]; machines: { machine: string; name: string }[]; // for filters; at most 200
}
export interface SeriesInfo {
  id: SeriesId;
  label: string; // "halide · resnet-18 @2 · conv2d 64x56x56 …"
  engine: string; threads: number; model: string; unit: string; shapes: string | null; scope: 'unit' | 'model';
  cache: string | null; machine: string; machine_name: string; suite: string | null; branch: string | null;
  points: number;
  first_at: string; last_at: string;
  last_ms: number | null;
  change_pct: number | null; // last against the median of up to 7 before it
  alerts: number; // open ones
}

// GET api/series?id=ID&id=ID…(at most 12)&from=&to=&around=ALERT_ID&by=time|commit&limit=
// from, to: RFC 3339 or a date; around: one week on both sides of an alert. limit: most points a series before buckets (2000)
export interface SeriesAnswer {
  series: SeriesData[];
  alerts: AlertInfo[]; // of these series, all states
  commits: string[]; // of their points, in the order of the branch as nights know it, else as they were measured first
}
export interface SeriesData {
  info: SeriesInfo;
  /** Columnar, equal lengths, in the order of their times; by=commit: of their commits, those of unknown ones behind what was measured before them.
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
  breaks: { at: number; what: 'environment' | 'method' | 'machine'; text: string }[];
  alerts: { id: string; from: number; to: number; change_pct: number; state: AlertState; life: AlertLife }[]; // good..bad index
  annotations: { at: number; verb: string; text: string; said_at: string; link: string | null }[];
}
