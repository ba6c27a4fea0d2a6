#!/usr/bin/env node
// Checks the tree below src against the rooms in CMakeLists.txt. It finds includes that go up, circles of
// files that include each other, large folders, and code that asks for an engine by its name. Prints one
// line a finding; exit 1 if there are any.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../..');
const MOST_FILES = 40;  // of a folder, those of a registry (`<x>_<kind>.cpp`) left out
// Folders that are larger still, until somebody divides them.
const LARGER = ['experiments/sessions', 'prediction/units'];
const list = execFileSync('git', ['-C', root, 'ls-files', '--cached', '--others', '--exclude-standard', '--',
  'src/*.h', 'src/*.cpp'], { encoding: 'utf8', maxBuffer: 1 << 26 });
const files = [...new Set(list.split('\n'))].filter((file) => file && existsSync(join(root, file)))
  .map((file) => file.replace(/^src\//, ''));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, 'src', file), 'utf8')]));
const includes = new Map(files.map((file) => [file,
  [...texts.get(file).matchAll(/^#include "([^"]+)"/gm)].map(([, path]) => path).filter((path) => texts.has(path))]));

const declared = readFileSync(join(root, 'CMakeLists.txt'), 'utf8');
const rooms = [...declared.matchAll(/^opbench_module\(([\w/]+)/gm)].map(([, path]) => path);
const kinds = [...declared.matchAll(/\bTABLE\s+([\w\s]+?)\)/g)].flatMap(([, words]) => words.trim().split(/\s+/));
const roomOf = (file) => rooms.find((room) => file.startsWith(`${room}/`)) ?? dirname(file);
// Executables are made of rooms, and no room of them: they stand above all.
const height = (file) => (rooms.includes(roomOf(file)) ? rooms.indexOf(roomOf(file)) : rooms.length);

const findings = [];
for (const [file, paths] of includes) {
  for (const path of paths) {
    const goesUp = height(path) > height(file);
    const isForeign = height(path) === rooms.length && dirname(path) !== dirname(file);
    if (goesUp || isForeign) findings.push(`src/${file}: includes "${path}", which is not below it`);
  }
}

// A header and its source are one file here. Tarjan's algorithm: strongly connected components.
const stemOf = (file) => file.replace(/\.(h|cpp)$/, '');
const edges = new Map();
for (const [file, paths] of includes) {
  const from = stemOf(file);
  if (!edges.has(from)) edges.set(from, new Set());
  for (const path of paths) if (stemOf(path) !== from) edges.get(from).add(stemOf(path));
}
const order = new Map(), lowest = new Map(), open = [];
function visit(stem) {
  order.set(stem, order.size);
  lowest.set(stem, order.get(stem));
  open.push(stem);
  for (const next of edges.get(stem) ?? []) {
    if (!order.has(next)) visit(next);
    if (open.includes(next)) lowest.set(stem, Math.min(lowest.get(stem), lowest.get(next)));
  }
  if (lowest.get(stem) !== order.get(stem)) return;
  const circle = open.splice(open.indexOf(stem));
  if (circle.length > 1) findings.push(`files that include each other: ${circle.sort().join(', ')}`);
}
for (const stem of edges.keys()) if (!order.has(stem)) visit(stem);

const sizes = new Map();
for (const file of files) {
  if (kinds.some((kind) => basename(file).endsWith(`_${kind}.cpp`))) continue;
  sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
}
for (const [folder, size] of sizes) {
  if (size > MOST_FILES && !LARGER.includes(folder)) findings.push(`src/${folder}: ${size} files, ${MOST_FILES} at most`);
}

// Formats may write what an engine is called; everyone else asks EngineDef.
const named = /(?:[!=]= |find\(|engines, )"(halide|onednn|onednn-default|onnxruntime)"/;
for (const [file, text] of texts) {
  if (/^(engines|records\/formats)\//.test(file)) continue;
  text.split('\n').forEach((line, i) => {
    const [, engine] = named.exec(line) ?? [];
    if (engine) findings.push(`src/${file}:${i + 1}: asks for the engine "${engine}" by its name`);
  });
}

for (const finding of findings) console.log(finding);
process.exit(findings.length ? 1 : 0);
