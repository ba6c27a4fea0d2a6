// Sorting, filtering and paging of a list that an exported site holds whole. A server does the same for its lists.

import type { Query } from './source';

type Row = Record<string, any>;

const VIEW = [
  'q',
  'sort',
  'order',
  'offset',
  'limit',
  'verdict',
  'scope',
  'kind',
  'alerts',
  'engine',
  'suite',
  'machine',
  'target',
];
// An exported history has all points: its charts show a part of them.
const VIEW_OF: Record<string, string[]> = { 'api/series': ['from', 'to', 'around', 'by'] };
const ALWAYS_BASE: Record<string, string[]> = {
  // parameters that choose another answer and no rows of it
  'api/tonight': ['suite', 'branch', 'machine'],
  'api/sql': ['q', 'limit'],
  'api/model/graph': ['model', 'engine'],
};
const FIRST_SORT: Record<string, string> = {
  'api/compare': 'factor',
  'api/series/list': 'alerts',
  'api/model': 'total',
  'api/workloads': 'records',
  'api/tuning': 'trials',
};

/// `base` names the answer in the export; `view` is what is done to its rows here.
export function splitQuery(path: string, query: Query): { base: Query; view: Record<string, string> } {
  const base: Query = {};
  const view: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    const isView =
      (VIEW.includes(name) ||
        VIEW_OF[path]?.includes(name) ||
        (name === 'model' && path !== 'api/model')) &&
      !ALWAYS_BASE[path]?.includes(name);
    if (!isView) base[name] = value;
    else if (value !== null && value !== undefined && value !== '') view[name] = String(value);
  }
  return { base, view };
}

/// The answer with the rows that the view asks for. `total` counts the rows behind the filters.
export function localAnswer(path: string, answer: any, view: Record<string, string>): unknown {
  const list = path === 'api/model' ? 'units' : 'rows';
  if (!Array.isArray(answer?.[list]) || path === 'api/sql') return answer;
  const found = (answer[list] as Row[]).filter((row) => matches(row, view));
  const rows = found.filter((row) => hasVerdict(row, view.verdict));
  sortRows(path, rows, view, answer);
  const offset = Number(view.offset ?? 0);
  const limit = Number(view.limit ?? 100);
  const changed: Row = { ...answer, offset, limit, total: rows.length, [list]: rows.slice(offset, offset + limit) };
  if (answer.counts) {
    changed.counts = { faster: 0, slower: 0, same: 0, inconclusive: 0 };
    changed.without_verdict = found.filter((row) => row.verdict === null).length;
    for (const row of found) if (row.verdict) changed.counts[row.verdict] += 1;
    changed.matched = found.length;
  }
  return changed;
}

function matches(row: Row, view: Record<string, string>): boolean {
  for (const name of ['scope', 'kind', 'model', 'engine', 'suite', 'machine', 'target']) {
    const wanted = view[name];
    if (!wanted || (name === 'scope' && wanted === 'all') || row.by_engine) continue;
    const has = row[name] ?? row[`${name}s`];
    if (Array.isArray(has) ? !has.includes(wanted) : has !== undefined && has !== wanted) return false;
  }
  if (view.alerts === '1' && !(row.alerts > 0)) return false;
  if (!view.q) return true;
  const text = Object.values(row)
    .filter((value) => typeof value === 'string' || Array.isArray(value))
    .join(' ')
    .toLowerCase();
  return view.q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function hasVerdict(row: Row, wanted?: string): boolean {
  if (!wanted || row.verdict === undefined) return true;
  return (wanted === 'relevant' ? ['faster', 'slower'] : wanted.split(',')).includes(row.verdict);
}

function sortRows(path: string, rows: Row[], view: Record<string, string>, answer: any): void {
  const sort = view.sort ?? FIRST_SORT[path];
  if (!sort || (!view.sort && !view.order)) return; // the file is in the first order
  const engine = view.engine ?? answer.engines?.[0]?.key;
  const valueOf = (row: Row) => sortValue(row, sort, engine);
  const sign = (view.order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
  rows.sort((x, y) => {
    const a = valueOf(x),
      b = valueOf(y);
    if (a === b) return 0;
    if (a === null || a === undefined) return 1; // what is not known stands at the end
    if (b === null || b === undefined) return -1;
    return (a < b ? -1 : 1) * sign;
  });
}

function sortValue(row: Row, sort: string, engine: string): any {
  if (row.by_engine && sort !== 'name') {
    const time = row.by_engine[engine];
    return (
      time && { total: time.total_ms, ms: time.ms, share: time.share_pct, percent_of_peak: time.percent_of_peak }[sort]
    );
  }
  if (sort === 'name') return row.label ?? row.unit ?? row.workload ?? row.task;
  if (sort === 'last') return row.last_ms ?? row.last_at;
  return row[sort] ?? row[`${sort}_pct`] ?? row[`${sort}_ms`];
}
