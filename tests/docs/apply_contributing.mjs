#!/usr/bin/env node
// Follows CONTRIBUTING.md in a copy of the tree: adds its planner, its page and its record field, builds them, runs
// their tests, and prints the files that were touched by hand and those that the update wrote.
//   apply_contributing.mjs TREE FOLDER     FOLDER: empty, for the copy and its build
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [tree, folder] = process.argv.slice(2);
if (!tree || !folder) {
  console.error('usage: apply_contributing.mjs TREE FOLDER');
  process.exit(2);
}
const copy = join(folder, 'copy');
const build = join(folder, 'build');

function run(program, words, options = {}) {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28, ...options });
  } catch (error) {
    console.error(`${program} ${words.join(' ')}\n${(error.stdout ?? '').slice(-4000)}${(error.stderr ?? '').slice(-4000)}`);
    process.exit(1);
  }
}

function write(path, text) {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

for (const file of run('git', ['-C', tree, 'ls-files', '-co', '--exclude-standard', '-z']).split('\0').filter((name) => name && name !== 'node_modules')) {
  cpSync(join(tree, file), join(copy, file));
}
symlinkSync(join(tree, 'node_modules'), join(copy, 'node_modules'));
const git = (...words) => run('git', ['-C', copy, '-c', 'user.name=x', '-c', 'user.email=x', ...words]);
git('init', '-q');
appendFileSync(join(copy, '.git/info/exclude'), 'node_modules\n');
git('add', '-A');
git('commit', '-qm', 'copy');

const guide = readFileSync(join(copy, 'CONTRIBUTING.md'), 'utf8');
const section = (title) => guide.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
// A block of code belongs to the last path of a new file before it.
function newFiles(title) {
  const text = section(title);
  return [...text.matchAll(/^```cpp\n([^]*?)^```/gm)].map((block) => {
    const paths = [...text.slice(0, block.index).matchAll(/`(src\/\w[\w/]*\.(?:h|cpp))`/g)];
    return { path: paths.at(-1)[1], code: block[1] };
  });
}
const touched = () => git('status', '--porcelain', '-uall').split('\n').filter(Boolean).map((line) => line.slice(3)).sort();

const counts = {};
for (const title of ['Add a planner', 'Add a page to the reports']) {
  const before = touched();
  for (const { path, code } of newFiles(title)) write(path, code);
  counts[title] = touched().filter((path) => !before.includes(path));
}
const entry = /^ *(OPBENCH_FIELD\(Number, runtime_ms_max[^\n]*)/m.exec(section('Add a record field'))[1];
const fields = 'src/records/record/benchmark_fields.inc';
const before = touched();
const text = readFileSync(join(copy, fields), 'utf8');
write(fields, text.replace(/^OPBENCH_FIELD\(\w+, runtime_ms_min,[^]*?\)\n(?=\S|\n)/m, (least) => `${least}${entry}\n`));
counts['Add a record field'] = touched().filter((path) => !before.includes(path));

run('cmake', ['-S', copy, '-B', build, '-G', 'Ninja']);
run('ninja', ['-C', build, 'test_planning_planners', 'test_records_record']);
run(join(build, 'bin/test_planning_planners'), [], { cwd: build });
run(join(build, 'bin/test_records_record'), [], { cwd: build, env: { ...process.env, OPBENCH_UPDATE: '1' } });
run(join(build, 'bin/test_records_record'), [], { cwd: build });
for (const path of counts['Add a page to the reports'].filter((name) => name.endsWith('.cpp'))) {
  run('c++', ['-std=c++20', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-Wno-missing-field-initializers', '-I', join(copy, 'src'), join(copy, path)]);
}
for (const [title, paths] of Object.entries(counts)) console.log(`${title}: ${paths.length}: ${paths.join(', ')}`);
const byHand = Object.values(counts).flat();
console.log(`written by the update: ${touched().filter((path) => !byHand.includes(path)).join(', ')}`);
