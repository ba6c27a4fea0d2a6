#!/usr/bin/env node
// Runs every command of README.md, docs/tutorial.md and docs/how-to/*.md as the page shows it:
//   run_pages.mjs BIN [--slow] [--list] [PAGE…]
// A page's commands run in order in a folder of its own, which begins with what make_fixtures.mjs writes. Budgets become
// short: how long a page measures is no part of what is tested. Without --slow, small models stand for the built-in ones.
// Remarks before a block say more of it:
//   <!-- not run: REASON -->    it is left out and printed; at most 12 commands of all pages
//   <!-- slow -->               it runs with --slow alone
//   <!-- ends with 0 or 7 -->   its commands end with one of these codes
//   <!-- prints this -->        each line below a command is a line of its output, numbers aside; `…` is any text
//   <!-- file: NAME -->         it is the content of this file, which is there before the page's first command
// Prints the CPU time of each command, and ends with 0 when all others run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFixtures } from './make_fixtures.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const kMostNotRun = 12;
const kLimitSeconds = 600;
const kTool = /^(\.\/)?(opbench|dev)\b|^build\/bin\/|^[A-Z_]+=\S* (\.\/)?opbench\b|^git clone /;
const kMark = /<!-- (?:not run: (?<notRun>.*)|(?<slow>slow)|(?<prints>prints this)|ends with (?<codes>\d+(?: or \d+)*)|file: (?<file>\S+)) -->$/;

// What stands for a built-in model where `--slow` is not given: fixtures of make_fixtures.mjs.
const kStandIns = {
  'resnet-18': 'chain',
  'resnet-50': 'chain',
  inception_v3: 'branches',
  'squeezenet_v1.1': 'arms',
  bert: 'arms',
  mobilenet_v2: 'arms',
  gpt2: 'words',
};
// These commands compile and run nothing, so built-in models cost little.
const kKeepsModels = /opbench (space|operators) /;

const words = process.argv.slice(2);
const isSlow = words.includes('--slow');
const onlyLists = words.includes('--list');
const [folderOfPrograms, ...wanted] = words.filter((word) => !word.startsWith('--'));
if (folderOfPrograms === undefined) {
  console.error('usage: run_pages.mjs BIN [--slow] [--list] [PAGE…]');
  process.exit(2);
}
const bin = resolve(folderOfPrograms);

function pages() {
  const howTo = readdirSync(join(root, 'docs/how-to')).sort();
  const all = ['README.md', 'docs/tutorial.md', ...howTo.map((name) => `docs/how-to/${name}`)];
  return wanted.length === 0 ? all : all.filter((page) => wanted.some((word) => page.endsWith(word)));
}

// Blocks of code, indented by four spaces or between fences, each with the marks before it.
function blocksOf(page) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const blocks = [];
  let block = null;
  let isFenced = false;
  let marks = {};
  lines.forEach((line, index) => {
    const fence = /^```/.test(line);
    const isCode = isFenced ? !fence : /^ {4}/.test(line);
    if (fence) isFenced = !isFenced;
    const mark = kMark.exec(line);
    if (mark) marks = { ...marks, ...Object.fromEntries(Object.entries(mark.groups).filter(([, value]) => value)) };
    if (isCode) {
      if (block === null) blocks.push((block = { page, marks, lines: [] }));
      block.lines.push({ number: index + 1, text: isFenced ? line : line.slice(4) });
    } else if (line.trim() !== '' || fence) {
      if (block !== null) marks = mark ? { ...mark.groups } : {};
      else if (!mark && !fence) marks = {};
      block = null;
    }
  });
  return blocks;
}

// The commands of a block: lines after `$ `, or all of one that begins with a command.
function commandsOf(block) {
  if (block.marks.file) return [];
  const isTranscript = block.lines.some(({ text }) => text.startsWith('$ '));
  const isScript = kTool.test(block.lines[0].text);
  if (!isTranscript && !isScript) return [];
  const commands = [];
  let open = null;
  for (const { number, text } of block.lines) {
    if (open !== null) {
      open.text += `\n${text}`;
    } else if (!isTranscript || text.startsWith('$ ')) {
      if (text.trim() === '' || text.startsWith('#')) continue;
      commands.push((open = { number, text: text.replace(/^\$ /, ''), shown: [] }));
    } else {
      commands.at(-1)?.shown.push(text);
      continue;
    }
    if (!text.endsWith('\\')) open = null;
  }
  return commands;
}

const kModel = new RegExp(`(?<![\\w.-])(${Object.keys(kStandIns).join('|').replaceAll('.', '\\.')})(?![\\w-]|\\.\\w)`, 'g');

function standIn(text) {
  if (isSlow || kKeepsModels.test(text)) return text;
  return text.replace(kModel, (_, name) => `${kStandIns[name]}.onnx`);
}

// A few trials end a search on a machine of any speed; a predictor must have measured a little.
function brief(text) {
  const training = /predict train/.test(text) ? '2m' : isSlow ? '20' : '2';
  const search = / --trials /.test(text) ? '--time-budget 60' : '--time-budget 60 --trials 4';
  return text.replace(/--time-budget[ =]\S+/g, search).replace(/--budget[ =](?!0\b)\S+/g, `--budget ${training}`);
}

function folderOf(page, blocks) {
  const folder = mkdtempSync(join(tmpdir(), 'opbench-page-'));
  makeFixtures(folder);
  for (const block of blocks.filter(({ marks }) => marks.file)) {
    writeFileSync(join(folder, block.marks.file), block.lines.map(({ text }) => `${standIn(text)}\n`).join(''));
  }
  symlinkSync(join(bin, 'opbench'), join(folder, 'opbench'));
  writeFileSync(join(folder, 'opbench.toml'), `[defaults]\nbudget = ${isSlow ? 20 : 1}\n`);
  return folder;
}

// Kernels and predictors of all pages: not those of the user.
const cache = mkdtempSync(join(tmpdir(), 'opbench-pages-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));

function environmentIn(folder) {
  const environment = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    XDG_CACHE_HOME: cache,
    XDG_DATA_HOME: join(folder, '.data'),
    XDG_CONFIG_HOME: join(folder, '.config'),
    OPBENCH_PROGRESS: 'never',
    OPBENCH_TIME_LIMITS: '5',
  };
  delete environment.OPBENCH_STORE;
  return environment;
}

// A file takes the output: a process that a command leaves behind would keep a pipe open for ever.
function run(text, folder) {
  const log = join(folder, '.output');
  const times = join(folder, '.times');
  const script = `TIMEFORMAT='%U %S'; { time { ${text}\n} >"$0" 2>&1; } 2>"$1"`;
  writeFileSync(times, '');
  const { status, signal } = spawnSync('timeout', ['--kill-after=10', `${kLimitSeconds}`, 'bash', '-c', script, log, times], {
    cwd: folder,
    env: environmentIn(folder),
    stdio: 'ignore',
  });
  const seconds = readFileSync(times, 'utf8').trim().split(/\s+/).reduce((sum, one) => sum + Number(one.replace(',', '.')), 0);
  return { code: status ?? signal, output: readFileSync(log, 'utf8'), seconds };
}

const plain = (line) => line.replace(/\d+(\.\d+)?/g, '0').replace(/\s+/g, ' ').trim();

// The first line that the page shows and that is not in the output, numbers and order aside.
function missingLine(shown, output) {
  const printed = output.split('\n').map(plain);
  return shown.find((line) => {
    const parts = plain(line).split('…').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const pattern = new RegExp(`^${parts.join('.*')}$`);
    return !printed.some((one) => pattern.test(one));
  });
}

let passed = 0;
let failed = 0;
let cpuSeconds = 0;
const skipped = [];
const left = [];

function runPage(page) {
  const blocks = blocksOf(page);
  const folder = folderOf(page, blocks);
  for (const block of blocks) {
    const codes = (block.marks.codes ?? '0').split(' or ').map(Number);
    for (const { number, text, shown } of commandsOf(block)) {
      const place = `${page}:${number}`;
      if (block.marks.notRun) {
        skipped.push(`${place}: ${block.marks.notRun}: ${text}`);
      } else if (block.marks.slow && !isSlow) {
        left.push(place);
      } else {
        const { code, output, seconds } = run(brief(standIn(text)), folder);
        cpuSeconds += seconds;
        const missing = block.marks.prints ? missingLine(shown, output) : undefined;
        if (codes.includes(code) && missing === undefined) {
          passed += 1;
          console.log(`ok ${place} ${seconds.toFixed(1)} s`);
          continue;
        }
        failed += 1;
        const fault = codes.includes(code) ? `does not print "${missing}"` : `ends with ${code}`;
        console.log(`FAILED ${place} ${fault}: ${text}`);
        console.log(output.trimEnd().split('\n').slice(-8).join('\n').replace(/^/gm, '    '));
      }
    }
  }
  rmSync(folder, { recursive: true, force: true });
}

function list(page) {
  for (const block of blocksOf(page)) {
    const { notRun, slow, codes } = block.marks;
    const mark = notRun ? '[not run] ' : slow ? '[slow] ' : codes ? `[${codes}] ` : '';
    for (const { number, text } of commandsOf(block)) console.log(`${page}:${number}: ${mark}${text}`);
  }
}

for (const page of pages()) {
  if (onlyLists) list(page);
  else runPage(page);
}
if (onlyLists) process.exit(0);
for (const line of skipped) console.log(`not run ${line}`);
if (left.length > 0) console.log(`left to --slow: ${left.length} commands`);
if (skipped.length > kMostNotRun) {
  console.log(`FAILED ${skipped.length} commands are not run, and ${kMostNotRun} may be`);
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed, ${skipped.length} not run; ${cpuSeconds.toFixed(0)} s of CPU time`);
process.exit(failed === 0 ? 0 : 1);
