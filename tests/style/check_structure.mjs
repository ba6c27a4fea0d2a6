#!/usr/bin/env node
// Checks the tree below src against the rooms in CMakeLists.txt. It finds includes that go up, USES that do not
// name exactly the rooms whose headers a room includes, towers of rooms on the floor of experiments, rooms that
// ARCHITECTURE.md does not show, circles of files that include each other, large folders, requests with many
// members, structs with a copy of what UnitIdentity holds, code that asks for an engine by its name, and schemas that
// are written or read in two places. Prints one
// line a finding; exit 1 if there are any.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../..');
const MOST_FILES = 40;  // of a folder, those of a registry (`<x>_<kind>.cpp`) left out
const LONGEST_CHAIN = 4;  // of rooms of one floor that use each other
const FLOOR_OF_CHAINS = 'experiments';
const MOST_MEMBERS = 12;  // of a request
const IDENTITY = ['operator_text', 'workload', 'shapes', 'blocks', 'layouts', 'schedule', 'origin', 'nodes'];
const OTHER_THINGS = new Map([  // structs with two of these members that are of no unit
  ['UnitIdentity', 'the identity itself'],
  ['UnitTexts', 'its part that another program wrote'],
  ['Unit', 'nodes of a graph by index, before they have names'],
  ['KernelSpec', 'what code is generated from'],
  ['KernelChoice', 'which kernel a log or a user wants for a workload'],
  ['TunableTask', 'a config space to search'],
  ['ModelSpec', 'what a user asks for'],
  ['InterferenceSubject', 'the same'],
]);
const list = execFileSync('git', ['-C', root, 'ls-files', '--cached', '--others', '--exclude-standard', '--',
  'src/*.h', 'src/*.cpp'], { encoding: 'utf8', maxBuffer: 1 << 26 });
const files = [...new Set(list.split('\n'))].filter((file) => file && existsSync(join(root, file)))
  .map((file) => file.replace(/^src\//, ''));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, 'src', file), 'utf8')]));
const includes = new Map(files.map((file) => [file,
  [...texts.get(file).matchAll(/^#include "([^"]+)"/gm)].map(([, path]) => path).filter((path) => texts.has(path))]));

const declared = readFileSync(join(root, 'CMakeLists.txt'), 'utf8');
const uses = new Map();  // room -> the rooms that it names
for (const [, words] of declared.matchAll(/^opbench_module\(([^)]*)\)/gm)) {
  const [room, ...rest] = words.trim().split(/\s+/);
  const named = rest.includes('USES') ? rest.slice(rest.indexOf('USES') + 1) : [];
  const end = named.findIndex((word) => /^[A-Z]+$/.test(word));
  uses.set(room, end < 0 ? named : named.slice(0, end));
}
const rooms = [...uses.keys()];
const kinds = [...declared.matchAll(/\bTABLE\s+([\w\s]+?)\)/g)].flatMap(([, words]) => words.trim().split(/\s+/));
const roomOf = (file) => rooms.find((room) => file.startsWith(`${room}/`)) ?? dirname(file);
// Executables are made of rooms, and no room of them: they stand above all.
const height = (file) => (rooms.includes(roomOf(file)) ? rooms.indexOf(roomOf(file)) : rooms.length);

// The names of the members of a struct whose body begins at `begin`, each once.
function membersOf(text, begin) {
  let depth = 1, body = '';
  for (let at = begin; depth > 0 && at < text.length; ++at) {
    if (text.startsWith('//', at)) at = Math.max(text.indexOf('\n', at), at);
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 1 && text[at] === '}') body += ';';
    else if (depth === 1) body += text[at];
  }
  const names = new Set();
  for (const statement of body.replace(/<[^;]*>/g, '').split(';')) {  // no types of templates
    const [, declared] = /^\s*(?:\w+:\s*)?([\w:][\w:\s*&,]*)(?:=[^]*)?$/.exec(statement) ?? [];
    const [first, ...others] = (declared ?? '').split(',');
    const [, name] = /[\s*&](\w+)\s*$/.exec(first) ?? [];  // behind its type
    for (const member of name ? [name, ...others] : []) names.add(member.trim());
  }
  return [...names];
}

const findings = [];
const included = new Map(rooms.map((room) => [room, new Set()]));
for (const [file, paths] of includes) {
  const room = roomOf(file);
  for (const path of paths) {
    const goesUp = height(path) > height(file);
    const isForeign = height(path) === rooms.length && dirname(path) !== dirname(file);
    if (goesUp || isForeign) findings.push(`src/${file}: includes "${path}", which is not below it`);
    else if (uses.has(room) && roomOf(path) !== room) {
      included.get(room).add(roomOf(path));
      if (!uses.get(room).includes(roomOf(path))) {
        findings.push(`src/${file}: includes "${path}", and ${room} does not name ${roomOf(path)} after USES`);
      }
    }
  }
}
// Libraries are linked with all that theirs need: USES names what a room includes itself.
for (const [room, named] of uses) {
  for (const used of named) {
    if (!included.get(room).has(used)) findings.push(`CMakeLists.txt: ${room} USES ${used}, and includes none of its headers`);
  }
}

// The longest way down from a room over rooms of its own floor.
const floorOf = (room) => room.split('/')[0];
const chainOf = new Map();
for (const room of rooms) {  // a room stands after those that it uses
  const below = uses.get(room).filter((used) => floorOf(used) === floorOf(room)).map((used) => chainOf.get(used) ?? [])
    .reduce((longest, chain) => (chain.length > longest.length ? chain : longest), []);
  chainOf.set(room, [room, ...below]);
  if (floorOf(room) === FLOOR_OF_CHAINS && below.length >= LONGEST_CHAIN) {
    findings.push(`CMakeLists.txt: a chain of ${below.length + 1} rooms, ${LONGEST_CHAIN} at most: ${chainOf.get(room).join(' → ')}`);
  }
}

// The picture has a line for each floor, or several, with what it is for behind the rooms. A row of the table names
// one room, or several of a floor: `| floor/room, room | … |`.
const architecture = join(root, 'ARCHITECTURE.md');
if (existsSync(architecture)) {
  const PROSE_FROM = 66;  // column of the picture
  const text = readFileSync(architecture, 'utf8');
  const drawn = new Set(), listed = new Set();
  let floor = '';
  for (const line of (/^```\n([^]*?)^```/m.exec(text)?.[1] ?? '').split('\n')) {
    const [, name, names] = /^  (\w*) +(.*)/.exec(line.slice(0, PROSE_FROM)) ?? [];
    if (names === undefined) continue;
    floor = name || floor;
    for (const room of names.split(/\s+/)) drawn.add(`${floor}/${room}`);
    drawn.add(floor);
  }
  for (const [, cell] of text.matchAll(/^\| ([\w/]+(?:, \w+)*) \|/gm)) {
    const [first, ...others] = cell.split(', ');
    for (const room of [first, ...others.map((other) => `${floorOf(first)}/${other}`)]) listed.add(room);
  }
  for (const room of rooms) {
    if (!drawn.has(room)) findings.push(`ARCHITECTURE.md: the picture lacks ${room}`);
    if (!listed.has(room)) findings.push(`ARCHITECTURE.md: the table lacks ${room}`);
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
  if (size > MOST_FILES) findings.push(`src/${folder}: ${size} files, ${MOST_FILES} at most`);
}

// A request is made of parts (decision 79). Members end in a semicolon outside braces; functions have none of them.
for (const [file, text] of texts) {
  for (const [, name, body] of text.matchAll(/^struct (\w*Request) \{\n([^]*?)^\};/gm)) {
    const lines = body.replace(/\/\/.*/g, '').replace(/\{[^{}]*\}/g, '');
    const members = lines.split(';').map((line) => line.trim()).filter((line) => line && !/\)( const)?$|^using /.test(line));
    if (members.length > MOST_MEMBERS) findings.push(`src/${file}: ${name} has ${members.length} members, ${MOST_MEMBERS} at most`);
  }
}

// What a unit is stands in UnitIdentity; every stage holds one. Functions and what is nested in braces are left out.
for (const [file, text] of texts) {
  for (const { 0: opening, 1: name, index } of text.matchAll(/^[ \t]*(?:struct|class) (\w+)(?: final)?(?: : [^{;]*)? \{$/gm)) {
    if (OTHER_THINGS.has(name)) continue;
    const members = membersOf(text, index + opening.length).filter((member) => IDENTITY.includes(member));
    if (members.length > 1) findings.push(`src/${file}: ${name} copies ${members.join(', ')}: let it hold a UnitIdentity`);
  }
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

// The name of a schema, "opbench.NAME/VERSION", is a constant in one folder, beside its writer and its reader. Others ask
// these: they neither spell the name nor write or compare it. Comments and help texts may say it.
const homes = new Map();  // NAME -> where constants hold it
const constants = new Map();  // of headers -> NAME
const linesOf = new Map([...texts].map(([file, text]) => [file,
  text.split('\n').map((line) => line.replace(/(^|\s)\/\/.*/, ''))]));
for (const [file, lines] of linesOf) {
  lines.forEach((line, i) => {
    for (const [, name, version] of line.matchAll(/"opbench\.([\w.-]+)\/(\d*)\\?"/g)) {
      const [, constant] = /\bconstexpr\b.*\b(k\w+) =\s*"opbench/.exec(/^\s*"/.test(line) ? lines[i - 1] + line : line) ?? [];
      const place = { file, text: `opbench.${name}/${version}` };
      if (!constant) findings.push(`src/${file}:${i + 1}: spells ${place.text}, where a constant of its home is meant`);
      else homes.set(name, [...(homes.get(name) ?? []), place]);
      if (constant && file.endsWith('.h')) constants.set(constant, name);
    }
  });
}
for (const places of homes.values()) {
  for (const [i, { file, text }] of places.entries()) {
    const other = places.slice(0, i).find((place) => place.text === text || dirname(place.file) !== dirname(file));
    if (other) findings.push(`src/${file}: declares ${text}, and so does src/${other.file}`);
  }
}
for (const [file, lines] of linesOf) {
  for (const [constant, name] of constants) {
    const home = dirname(homes.get(name)[0].file);
    if (dirname(file) === home) continue;
    const uses = new RegExp(`[!=]= ${constant}\\b|\\b${constant} [!=]=|"schema".*\\b${constant}\\b`);
    const at = lines.findIndex((line) => uses.test(line));
    if (at >= 0) findings.push(`src/${file}:${at + 1}: writes or reads opbench.${name}, whose home is src/${home}`);
  }
}

for (const finding of findings) console.log(finding);
process.exit(findings.length ? 1 : 0);
