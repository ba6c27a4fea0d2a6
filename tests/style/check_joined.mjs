#!/usr/bin/env node
// Whether the sources of a room can be joined into compilation units in any grouping: two sources of one room must
// not share a file-local name, a local constant must not shadow another source's, a file-local name must not repeat
// one that a header declares where the room sees it, and two headers must not define one type. Prints one line a finding; exit 1 if there are any.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarations } from './file_local_names.mjs';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../..');
const list = execFileSync('git', ['-C', root, 'ls-files', '--cached', '--others', '--exclude-standard', '--',
  'src/*.h', 'src/*.cpp', 'tests/unit/*', 'benchmarks/*.h', 'benchmarks/*.cpp'], { encoding: 'utf8', maxBuffer: 1 << 26 });
const files = [...new Set(list.split('\n'))].filter((file) => /\.(h|cpp)$/.test(file) && existsSync(join(root, file)));

// The rooms, each with the rooms that it sees: those it names after USES and, through their headers, what these see.
const rooms = new Map();
const declared = readFileSync(join(root, 'CMakeLists.txt'), 'utf8');
for (const [, path, rest] of declared.matchAll(/^opbench_module\(([\w/]+)([^)]*)\)/gm)) {
  const uses = /\bUSES\s+([\w\s/]*?)\s*(?:\bLINKS\b|\bTABLE\b|$)/.exec(rest)?.[1].split(/\s+/) ?? [];
  const seen = new Set([path]);
  for (const name of uses) for (const room of rooms.get(name)?.seen ?? []) seen.add(room);
  rooms.set(path, { path: `src/${path}/`, seen });
}
// All benchmarks are compiled together.
const roomOf = (file) => (file.startsWith('benchmarks/') ? 'benchmarks'
  : [...rooms].find(([, { path }]) => file.startsWith(path))?.[0] ?? dirname(file));

const ofHeaders = new Map();  // name -> what headers declare
const ofRooms = new Map();    // room -> what its sources declare for themselves
const constants = [];         // those inside functions
for (const file of files) {
  const room = roomOf(file);
  const text = readFileSync(join(root, file), 'utf8');
  for (const found of declarations(text)) {
    if (file.endsWith('.h')) ofHeaders.set(found.name, [...ofHeaders.get(found.name) ?? [], { ...found, file, room }]);
    else if (found.local) ofRooms.set(room, [...ofRooms.get(room) ?? [], { ...found, file }]);
  }
  if (file.endsWith('.h')) continue;
  text.split('\n').forEach((line, i) => {
    if (!/^\s+(?:static |constexpr |const )+/.test(line)) return;
    for (const [, name] of line.matchAll(/[\s,*&](k[A-Z]\w*)\s*(?:\[[^\]]*\])?\s*[={]/g)) {
      constants.push({ name, file, line: i + 1, room });
    }
  });
}

const stemOf = (file) => file.replace(/\.(h|cpp)$/, '');
const findings = [];
const place = ({ file, line }) => `${file}:${line}`;
// One type, one header: where two headers differ, no source may include both. Headers of tests are read by one room.
for (const [name, headers] of ofHeaders) {
  for (const [i, two] of headers.entries()) {
    const one = headers.find((header, at) => at < i && header.file !== two.file && !header.isForward && !two.isForward &&
      (rooms.has(two.room) && rooms.has(header.room) ? /^[A-Z]/.test(name) : header.room === two.room &&
      header.parameters === two.parameters));
    if (one) findings.push(`${place(two)}: "${name}" is declared in ${place(one)} too`);
  }
}
for (const [room, local] of ofRooms) {
  const first = new Map();
  for (const found of local) {
    const other = first.get(found.name);
    if (!other) first.set(found.name, found);
    else if (other.file !== found.file) findings.push(`${place(found)}: "${found.name}" is file-local in ${place(other)} too`);
    const seen = rooms.get(room)?.seen ?? (room === 'benchmarks' ? new Set([room, ...rooms.keys()]) : new Set([room]));
    // In an unnamed namespace a name hides those around it, whatever their parameters.
    const inHeader = ofHeaders.get(found.name)?.find((header) => (header.room === room
      ? stemOf(header.file) !== stemOf(found.file)
      : seen.has(header.room) && (header.parameters === found.parameters || header.parameters === null)));
    if (inHeader) findings.push(`${place(found)}: "${found.name}" is declared in ${place(inHeader)} too`);
  }
  for (const constant of constants) {
    const other = constant.room === room ? first.get(constant.name) : null;
    if (other && other.file !== constant.file) findings.push(`${place(constant)}: "${constant.name}" shadows ${place(other)}`);
  }
}
for (const finding of findings) console.log(`joined: ${finding}`);
process.exit(findings.length ? 1 : 0);
