import type { Page, Selector } from './shared';

// GET api/plans?offset=&limit=
export interface Plans extends Page {
  why_none: string | null;
  rows: { run: Selector; label: string; at: string; engine: string; threads: number; end_to_end_ms: number | null }[];
}
