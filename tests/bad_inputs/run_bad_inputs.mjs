#!/usr/bin/env node
// run_bad_inputs FOLDER [WORD]: tries bad values for every argument of every command of FOLDER/opbench (of
// those cases alone whose name has WORD in it). The cases are made from `opbench list options`, so that new
// commands and options are covered as soon as they are there. Of each is asked: a documented exit code, a
// first line that names the value, no signal, no bytes that steer a terminal, nothing half written.
// Prints `ok NAME` or `FAILED NAME: why`.
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { casesOf } from './cases.mjs';
import { makeWorkplace, goodValues } from './workplace.mjs';

const SECONDS = 240;
const GRACE_SECONDS = 30;
const program = path.resolve(process.argv[2], 'opbench');
const wanted = process.argv[3] ?? '';
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'opbench-bad-inputs-'));
process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));

const environment = { ...process.env, HOME: place, LC_ALL: 'C.UTF-8', OPBENCH_STORE: path.join(place, 'store') };
environment.XDG_CACHE_HOME = process.env.XDG_CACHE_HOME ?? path.join(process.env.HOME ?? '/tmp', '.cache');
for (const name of ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'NO_COLOR', 'CLICOLOR_FORCE']) delete environment[name];

// Runs a command line; everything is kept as bytes (latin1), so that nothing is repaired on the way.
function run(words, folder) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const texts = { out: [], err: [] };
    child.stdout.on('data', (bytes) => texts.out.push(bytes));
    child.stderr.on('data', (bytes) => texts.err.push(bytes));
    let isLate = false;
    let leavesProcess = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid, 'SIGKILL');
    }, SECONDS * 1000);
    // A process that the command leaves behind keeps the pipes open.
    let grace;
    child.on('exit', () => {
      grace = setTimeout(() => {
        leavesProcess = true;
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_SECONDS * 1000);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      clearTimeout(grace);
      const text = (parts) => Buffer.concat(parts).toString('latin1');
      resolve({ code, signal, isLate, leavesProcess, out: text(texts.out), err: text(texts.err) });
    });
  });
}

// As error messages show a value: escaped, and cut when it is long.
function shown(value) {
  const escaped = [...value].map((c) => {
    const code = c.codePointAt(0);
    if (c === '\n') return '\\n';
    if (c === '\t') return '\\t';
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code >= 0x202a && code <= 0x202e ? `\\u${code.toString(16)}` : c;
  });
  return Buffer.from(escaped.join('').slice(0, 60)).toString('latin1');
}

// What is wrong with the answer; empty if nothing is.
function faultOf(test, answer, left) {
  if (answer.isLate) return `no end within ${SECONDS} s`;
  if (answer.leavesProcess) return 'a process left behind';
  if (answer.signal) return `ended by ${answer.signal}`;
  const lines = answer.err.split('\n');
  const first = lines.find((line) => line.startsWith('error: ')) ?? '';
  const said = first || lines[0];
  if (!test.codes.includes(answer.code)) return `exit ${answer.code}, wanted ${test.codes.join(' or ')}: ${said}`;
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(answer.err)) return `control characters in: ${JSON.stringify(said)}`;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(answer.err, 'latin1'));
  } catch {
    return `bytes that are not UTF-8 in: ${JSON.stringify(said)}`;
  }
  if (answer.code !== 0 && !first) return `no line that begins with "error: ": ${said}`;
  const place = test.mayNameBelow ? answer.err : first;
  if (answer.code !== 0 && !test.names.some((name) => place.includes(shown(name)))) {
    return `the first line names none of ${test.names.map((name) => JSON.stringify(name.slice(0, 60))).join(', ')}: ${first}`;
  }
  if (first.length > 1300) return `a first line of ${first.length} bytes`;
  if (answer.code === 2 && answer.out !== '' && !test.mayPrint) return `exit 2 after output: ${JSON.stringify(answer.out.slice(0, 80))}`;
  if (answer.code === 2 && left.length > 0) return `exit 2 leaves ${left.join(', ')} behind`;
  return '';
}

async function tryCase(test, number) {
  const folder = path.join(place, `case-${number}`);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, '.git'), ''); // no settings from above
  if (test.settings) fs.writeFileSync(path.join(folder, 'opbench.toml'), test.settings);
  for (const [name, content] of Object.entries(test.files ?? {})) fs.writeFileSync(path.join(folder, name), content);
  const before = fs.readdirSync(folder);
  const answer = await run(test.words, folder);
  const left = fs.readdirSync(folder).filter((name) => !before.includes(name));
  const fault = faultOf(test, answer, left);
  fs.rmSync(folder, { recursive: true, force: true });
  console.log(fault ? `FAILED ${test.name}: ${fault}` : `ok ${test.name}`);
  return fault === '';
}

async function main() {
  const listed = await run(['list', 'options', '--format', 'json'], place);
  const rows = JSON.parse(Buffer.from(listed.out, 'latin1').toString()).options;
  await makeWorkplace(place, run);
  const cases = casesOf(rows, goodValues(place), place).filter((test) => test.name.includes(wanted));
  // Those that measure before they find a full disk take longest: they start first.
  const isLong = (test) => Number(test.codes.includes(1));
  cases.sort((a, b) => isLong(b) - isLong(a));
  let next = 0;
  let failed = 0;
  const worker = async () => {
    while (next < cases.length) {
      const number = next++;
      if (!(await tryCase(cases[number], number))) ++failed;
    }
  };
  const workers = 1 + (os.availableParallelism?.() ?? os.cpus().length); // many wait for a process to start or end
  await Promise.all(Array.from({ length: workers }, worker));
  process.exitCode = failed === 0 ? 0 : 1;
}

await main();
