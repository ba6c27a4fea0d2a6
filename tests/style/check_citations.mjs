#!/usr/bin/env node
// Checks that every page that a comment or document cites exists, and with `page, "Heading"` the
// heading too. Prints one line a finding; exit 1 if there are any.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const places = ['src', 'tests', 'benchmarks', 'docs', 'cmake', 'proto', 'schemas', 'dev', 'opbench',
  'CMakeLists.txt', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
const list = execFileSync('git', ['-C', root, 'ls-files', '-z', '--cached', '--others',
  '--exclude-standard', '--', ...places], { encoding: 'utf8', maxBuffer: 1 << 26 });
const files = [...new Set(list.split('\0'))].filter(
  (file) => file && existsSync(join(root, file)) && statSync(join(root, file)).isFile());

const contents = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

// What of a line is comment or document; undefined if it is neither.
function textOf(line, file) {
  if (/\.(md|json)$/.test(file)) return line.trim();
  const isScript = !basename(file).includes('.') && contents.get(file).startsWith('#!/usr/bin/env node');
  const slashes = isScript || /\.(h|cpp|mjs|js|ts|proto|css)$/.test(file);
  return (slashes ? /(?:^|[^:])\/\/[/<!]*(.*)/ : /(?:^|\s)#+(?=\s)(.*)/).exec(line)?.[1].trim();
}

// Lines of comment that follow each other are one text, so that a citation may be wrapped.
function blocksOf(file) {
  const blocks = [[]];
  contents.get(file).split('\n').forEach((line, i) => {
    const text = textOf(line, file);
    if (text === undefined) blocks.push([]);
    else blocks.at(-1).push({ text, line: i + 1 });
  });
  return blocks.filter((block) => block.some(({ text }) => text.includes('.md')));
}

const headingsOf = (page) => readFileSync(page, 'utf8').split('\n').filter((line) => /^#+ /.test(line))
  .map((line) => line.replace(/^#+ +|`|\s+$/g, ''));
// What a command writes (`-o week.md`) is cited by nobody.
const cited = /(?<!(?:-o|--output) )(?<![\w/:.<*-])((?:\.{1,2}\/)*\w[\w./-]*\.md)\b`?(, \\?"[^"]+"(?:(?:,| and|, and) \\?"[^"]+")*)?/g;
let findings = 0;
for (const file of files) {
  for (const block of blocksOf(file)) {
    const text = block.map((part) => part.text).join(' ');
    for (const [, name, quoted = '', at] of [...text.matchAll(cited)].map((m) => [...m, m.index])) {
      let end = -1;
      const { line } = block.find((part) => (end += part.text.length + 1) > at);
      const page = [join(root, name), join(root, dirname(file), name)].find(existsSync);
      const wrong = page ? [...quoted.matchAll(/"([^"\\]+)\\?"/g)].map(([, heading]) => heading)
        .filter((heading) => !headingsOf(page).includes(heading.replaceAll('`', '')))
        .map((heading) => `no heading "${heading}" in "${name}"`) : [`no such page "${name}"`];
      for (const finding of wrong) console.log(`${file}:${line}: ${finding}`);
      findings += wrong.length;
    }
  }
}
process.exit(findings ? 1 : 0);
