#!/usr/bin/env node
// Runs every command of README.md, docs/tutorial.md and docs/how-to/*.md as the page shows it:
//   run_pages.mjs BIN [--slow] [--list] [PAGE…]
// A page's commands run in order in a folder of its own, which begins with what tests/docs/fixtures holds. `--budget` and
// `--time-budget` become two seconds: how long a page measures is no part of what is tested. A block below a line
// `<!-- not run: REASON -->` is left out and printed; one below `<!-- ends with 3 -->` ends with another code than 0; one below
// `<!-- slow -->` runs with --slow alone. Ends with 0 when all others run.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const kMostNotRun = 12;
const kLimitSeconds = 300;
const kTool = /^(\.\/)?(opbench|dev)\b|^build\/bin\/|^[A-Z_]+=\S* (\.\/)?opbench\b/;

const words = process.argv.slice(2);
const isSlow = words.includes('--slow');
const onlyLists = words.includes('--list');
const [bin, ...wanted] = words.filter((word) => !word.startsWith('--'));
if (bin === undefined) {
  console.error('usage: run_pages.mjs BIN [--slow] [--list] [PAGE…]');
  process.exit(2);
}

function pages() {
  const howTo = readdirSync(join(root, 'docs/how-to')).sort();
  const all = ['README.md', 'docs/tutorial.md', ...howTo.map((name) => `docs/how-to/${name}`)];
  return wanted.length === 0 ? all : all.filter((page) => wanted.some((word) => page.endsWith(word)));
}

// Blocks of code: indented by four spaces, or between fences.
function blocksOf(page) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const blocks = [];
  let block = null;
  let isFenced = false;
  let mark = '';
  lines.forEach((line, index) => {
    const fence = /^```/.test(line);
    const isCode = isFenced ? !fence : /^ {4}/.test(line);
    if (fence) isFenced = !isFenced;
    const marked = /^<!-- (not run: .*|slow|ends with \d+) -->$/.exec(line);
    if (marked) mark = marked[1];
    if (isCode) {
      if (block === null) blocks.push((block = { page, mark, lines: [] }));
      block.lines.push({ number: index + 1, text: line.replace(/^ {4}/, '') });
    } else if (line.trim() !== '' || fence) {
      block = null;
      if (!marked && !fence) mark = '';
    }
  });
  return blocks;
}

// The commands of a block: lines after `$ `, or all of one that begins with a command.
function commandsOf(block) {
  const isTranscript = block.lines.some(({ text }) => text.startsWith('$ '));
  const isScript = block.lines.some(({ text }) => kTool.test(text));
  if (!isTranscript && !isScript) return [];
  const commands = [];
  let open = null;
  for (const { number, text } of block.lines) {
    if (open !== null) {
      open.text += `\n${text}`;
    } else if (!isTranscript || text.startsWith('$ ')) {
      if (text.trim() === '' || text.startsWith('#')) continue;
      commands.push((open = { number, text: text.replace(/^\$ /, '') }));
    } else {
      continue;
    }
    if (!text.endsWith('\\')) open = null;
  }
  return commands;
}

function folderOf(page) {
  const folder = mkdtempSync(join(tmpdir(), 'opbench-page-'));
  cpSync(join(root, 'tests/docs/fixtures'), folder, { recursive: true });
  for (const tool of ['opbench']) symlinkSync(join(bin, tool), join(folder, tool));
  mkdirSync(join(folder, 'build'));
  symlinkSync(bin, join(folder, 'build/bin'));
  writeFileSync(join(folder, 'opbench.toml'), '[defaults]\nbudget = 1\n');
  return folder;
}

const brief = (text) => text.replace(/(--(?:time-)?budget)[ =]\S+/g, '$1 2');

let passed = 0;
let failed = 0;
const skipped = [];
const left = [];
for (const page of pages()) {
  const folder = folderOf(page);
  const environment = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    XDG_DATA_HOME: join(folder, 'data-home'),
    XDG_CONFIG_HOME: join(folder, 'config-home'),
    OPBENCH_STORE: join(folder, 'store'),
    OPBENCH_PROGRESS: 'never',
  };
  for (const block of blocksOf(page)) {
    const code = Number(/^ends with (\d+)$/.exec(block.mark)?.[1] ?? 0);
    for (const { number, text } of commandsOf(block)) {
      const place = `${page}:${number}`;
      if (onlyLists) {
        console.log(`${place}: ${block.mark === '' ? '' : `[${block.mark}] `}${text}`);
        continue;
      }
      if (block.mark.startsWith('not run: ')) {
        skipped.push(`${place}: ${block.mark.slice('not run: '.length)}: ${text}`);
        continue;
      }
      if (block.mark === 'slow' && !isSlow) {
        left.push(place);
        continue;
      }
      const begin = Date.now();
      const run = spawnSync('bash', ['-c', brief(text)], {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
        timeout: kLimitSeconds * 1000,
        maxBuffer: 1 << 28,
      });
      const seconds = ((Date.now() - begin) / 1000).toFixed(1);
      if (run.status === code) {
        passed += 1;
        console.log(`ok     ${place} ${seconds} s`);
        continue;
      }
      failed += 1;
      console.log(`FAILED ${place} ends with ${run.status ?? run.signal}: ${text}`);
      console.log((run.stderr || run.stdout).split('\n').slice(-8).join('\n').replace(/^/gm, '         '));
    }
  }
  rmSync(folder, { recursive: true, force: true });
}
if (onlyLists) process.exit(0);
for (const line of skipped) console.log(`not run ${line}`);
if (left.length > 0) console.log(`${left.length} commands take long and run with --slow`);
if (skipped.length > kMostNotRun) {
  console.log(`FAILED ${skipped.length} commands are not run, and ${kMostNotRun} may be`);
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed, ${skipped.length} not run`);
process.exit(failed === 0 ? 0 : 1);
