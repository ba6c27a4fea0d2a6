import type { Selector, SeriesId } from './shared';

// Alerts stand in the answers of the pages Series and Tonight.
export type AlertState = 'suspected' | 'confirmed' | 'settled';
export type AlertLife = 'new' | 'acknowledged' | 'accepted' | 'fixed' | 'noise';
export interface AlertInfo {
  id: string; // "halide@31-32"
  kind: 'change' | 'missing';
  engine: string;
  state: AlertState;
  life: AlertLife;
  is_open: boolean;
  is_slower: boolean;
  cause: string | null; // kernel rebuilt, library rebuilt, …
  why_suspected: string | null;
  good_night: string; bad_night: string;
  reported_night: string | null; confirmed_night: string | null; settled_night: string | null;
  commits: { id: string; url: string | null; kind: 'code' | 'docs' }[];
  rows: { series: string; id: SeriesId | null; label: string; change_pct: number; low_pct: number; high_pct: number; z: number;
          pairs: number }[]; // at most 50
  row_total: number;
  annotations: { verb: string; text: string; said_at: string; link: string | null }[];
  compare: { a: Selector; b: Selector } | null; // good night against bad night
  commands: { title: string; command: string }[]; // bisect, accept, ignore, acknowledge, fixed, nudge
}
