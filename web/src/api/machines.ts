// GET api/machines
export interface Machines {
  machines: {
    machine: string; name: string; cpu: string | null; cpu_count: number | null; memory_gb: number | null; os: string | null;
    engines: string[]; records: number; first_at: string; last_at: string;
    software: { software: string; first_at: string; last_at: string; records: number }[]; // environments, newest first
    /** by day: how far apart samples lay (median of (high - low) / median of its rows, in percent), ceilings */
    noise: { at_epoch_ms: number[]; spread_pct: number[]; peak_gflops: (number | null)[]; memory_gbytes_per_s: (number | null)[] };
  }[];
}
// GET api/machines/diff?a=SOFTWARE_OR_SELECTOR&b=
export interface EnvironmentDiff {
  a: string; b: string;
  same: number;
  rows: { field: string; a: string | null; b: string | null }[];
}
