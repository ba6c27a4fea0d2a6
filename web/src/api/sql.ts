// GET api/sql?q=SQL&limit=500 (at most 10000)   |   GET api/sql/schema
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
