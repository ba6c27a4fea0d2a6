// What answers of several pages have in common.
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
 *  cache mode, machine, device, clock, and suite+branch of nights (or none). */
export type SeriesId = string;

export type Verdict = 'faster' | 'slower' | 'same' | 'inconclusive';

/** The clock of a time: the CPU's, a device's own, a simulation's, the CPU's around an emulator. */
export type Clock = 'wall' | 'event' | 'simulated' | 'emulated';
