import type { Page, Selector } from './shared';

// GET api/runs?q=&kind=&model=&offset=&limit=      newest first
// kind: run | night | compare_side ; q: words, all of which occur in label, model, commit, machine
export interface Runs extends Page {
  rows: RunInfo[];
}
export interface RunInfo {
  selector: Selector;
  kind: 'run' | 'night' | 'compare_side';
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
