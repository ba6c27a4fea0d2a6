import type { AlertInfo } from './alerts';
import type { Selector, SeriesId } from './shared';

// GET api/tonight?suite=&branch=&machine=       defaults: the suite measured last
export interface Tonight {
  suite: string; branch: string; machine: string; machine_name: string;
  is_analysed: boolean; // false: nights are there, but `opbench regress` has kept no findings; `why` says so
  why: string | null;
  night: string; // the last one
  began_at: string; ended_at: string;
  analysed_at: string | null;
  commit: string; commit_url: string | null;
  ran: {
    cases: number; rows: number; left_out: number;
    failures: { subject: string; engine: string; threads: number; reason: string }[]; // engine "", threads 0: not known
  };
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
  commits: { id: string; url: string | null; kind: 'code' | 'docs' }[]; // since the night before
  history: { night: string; at: string; rows: number; failures: number; alerts: number; commit: string }[]; // last 60 nights, oldest first
  compare: { a: Selector; b: Selector } | null; // the night before against this one
  commands: { title: string; command: string }[]; // regress, digest, bisect …
}
