// A store with any number of benchmark records: nights of four suites with 20 models, two engines, steps and failures.
// One model's name holds markup. DuckDB writes the part, so that a million records take seconds.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

// Writes the store to a folder that is made.
export async function generateStore(program, folder, records) {
  const place = path.join(folder, 'kind=benchmark/date=2026-11-28');
  fs.mkdirSync(place, { recursive: true });
  const select = fs.readFileSync(path.join(here, 'generated_store.sql'), 'utf8').replace('RECORDS', String(records));
  const part = path.join(place, 'part-00000000000000000000000000000001.parquet').replaceAll("'", "''");
  const copy = `COPY (${select}) TO '${part}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, ` +
    'ROW_GROUP_SIZE 30720)';
  execFileSync(program, ['records', 'query', copy, '--store', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await generateStore(path.resolve(process.argv[2]), process.argv[3], Number(process.argv[4]));
}
