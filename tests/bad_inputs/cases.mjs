// Command x argument x kind of bad value. A case: its name, the words of the command line, the exit
// codes that are right, and texts of which the first line must have one.
const LONG = 'x'.repeat(5000);
const WORDS = { unknown: 'no-such-☃', long: LONG, 'control characters': '\x1b[31mred', 'two lines': 'a\nerror: b', backwards: '\u202etxt' };
const NUMBERS = { text: 'x', negative: '-7', nan: 'nan', infinite: 'inf', huge: '1e999', 'beyond 64 bits': '99999999999999999999', unicode: '½', two: '1 2', 'control characters': '1\x1b[2J' };
const TIMES = { ...NUMBERS, zero: '0', days: '5d' };
delete TIMES['beyond 64 bits'];

// Bad values of an argument by what its help calls the value; `codes` where others than 2 are right.
const BY_VALUE = [
  [/^N$|^I$|^SEED$|^N,N|^N,N-N/, { values: NUMBERS }],
  [/^TIME$|^PERCENT$/, { values: TIMES }],
  [/^TIME\|0$/, { values: { ...TIMES, zero: '-0' } }],
  [/^FOLDER$/, { values: { 'a file': '@garbage@', 'below a file': '@garbage@/x' }, codes: [2, 6] }],
  [/^N\|ID$/, { values: { negative: '-7', unknown: 'no-such' }, codes: [2, 6] }],
  [/^NAME=D,D/, { values: { 'no name': '=1', 'no value': 'data=', text: 'data=x', negative: 'data=-1', nan: 'data=nan', huge: 'data=99999999999999999999', gap: 'data=1,,2' }, codes: [2], names: ['--shape'] }],
  [/^NAME=(FILE|VALUE)$/, { values: { 'no name': '=f', 'no value': 'data=', missing: 'data=missing.npy', folder: 'data=@folder@', garbage: 'data=@garbage.npy@' } }],
  [/^KEY=VALUE$/, { values: { 'no value': 'x', 'no name': '=v' } }],
  [/^NAME=NUMBER$/, { values: { 'no value': 'x', 'no name': '=1', text: 'm=x', nan: 'm=nan', infinite: 'm=inf' } }],
  [/^KEY=V,V/, { values: { 'no value': 'x', 'no name': '=1', zero: 'threads=0', text: 'threads=x', unknown: 'no-such=1', twice: 'threads=1,1', huge: 'threads=1e999' } }],
  [/^DIR$/, { values: { 'a file': '@garbage@', 'below a file': '@garbage@/x', none: 'none' } }],
  [/^MODEL$/, { values: WORDS, codes: [2, 6] }],
  [/^TARGET$/, { values: { unknown: 'no-such-☃', 'missing file': '@missing-☃', folder: '@@folder@', long: LONG }, codes: [2, 6] }],
  [/^SQL$/, { values: { garbage: 'garbage ☃', 'open quote': "'", long: LONG } }],
  [/^JSON$/, { values: { garbage: '{', text: 'x' }, codes: [2, 6] }],
  [/^REV$/, { values: WORDS, codes: [2, 6] }],
  [/^BRANCH$/, { values: { unknown: 'no-such-☃' }, codes: [2, 6] }],
  [/^ALERT$/, { values: WORDS }],
  [/^NAME=PATH$/, { values: { 'no value': 'x', 'no name': '=x' } }],
  [/^NIGHTS$/, { values: { ...NUMBERS, negative: '--7', zero: '0' } }],
  [/^SINCE$/, { values: { ...NUMBERS, 'unknown unit': '5y', 'no date': '2026-13-01' } }],
  [/^(COMMAND|TEXT)$/, { values: {} }], // any text will do
  [/^TASK$/, { values: { unknown: 'no-such-☃' }, codes: [2, 6] }],
];

function badValuesOf(row) {
  if (row.file === 'written') return { unwritable: true };
  const known = BY_VALUE.find(([pattern]) => pattern.test(row.value));
  if (known) return known[1];
  if (row.file === 'read') return { files: true };
  return { values: WORDS };
}

// What a message may quote of a value: its key, what stands behind the key or the `@` of a file, or its
// first line.
function namesOf(value) {
  const equals = value.indexOf('=');
  const parts = [value.slice(0, Math.max(equals, 0)), value.slice(equals + 1), value.replace(/^@/, ''), value.split('\n')[0]];
  return parts.filter((part) => part !== '' && part !== value);
}

// `@name@` in a value is a file of the workplace.
const withPlaces = (value, good) => value.replace(/@([a-z.]+)@/g, (_, name) => good.inPlace(name));

function commandLines(rows, good) {
  const commands = new Map();
  for (const row of rows) {
    if (!commands.has(row.command)) commands.set(row.command, { name: row.command, positionals: [], options: [] });
    const command = commands.get(row.command);
    (row.argument.startsWith('--') ? command.options : command.positionals).push(row);
  }
  return [...commands.values()];
}

// The good value of a positional; null: left out.
function goodValue(command, positional, good) {
  const own = good.ofCommand[command.name]?.[positional.argument];
  if (own !== undefined) return own;
  const value = good.positionals[positional.argument];
  if (value === undefined) throw new Error(`no good value for ${positional.argument} of ${command.name}: see workplace.mjs`);
  return value;
}

// The words of a command line with `replaced` in the place of good positionals and without the extras that
// the option under test gives.
function wordsOf(command, good, { option = '', replaced = {} } = {}) {
  const words = command.name.split(' ');
  for (const positional of command.positionals) {
    const value = replaced[positional.argument] ?? goodValue(command, positional, good);
    if (value !== null) words.push(value);
  }
  const extras = good.extras[command.name] ?? [];
  for (let i = 0; i < extras.length; i += 2) {
    const isKnown = command.options.some((row) => row.argument === extras[i]);
    if (isKnown && extras[i] !== option) words.push(extras[i], extras[i + 1]);
  }
  return words;
}

const FULL_DISK = [1, 2];
// An empty file holds no record, which is no fault.
const FILE_CODES = [2, 5, 6];

// These print a table of faults though nothing could be read.
const reportsFaults = (command) => ['records validate', 'records stats'].includes(command.name);

function* optionCases(command, good) {
  for (const row of command.options) {
    const base = wordsOf(command, good, { option: row.argument });
    // Two cases that run at once compact one store; its lock refuses the second.
    const isLocked = command.name === 'records compact';
    const make = (kind, value, codes = [2], names = []) => ({
      name: `${command.name} ${row.argument} ${kind}`,
      words: [...base, row.argument, value],
      codes: isLocked ? [...codes, 7] : codes,
      names: [value, row.argument, ...names, ...(isLocked ? ['another program'] : []), ...(row.argument === '--where' ? ['DuckDB'] : [])],
    });
    if (row.kind === 'switch') {
      yield { ...make('with another word', ''), words: [...base, `${row.argument}=maybe-☃`], names: ['maybe-☃', row.argument] };
      continue;
    }
    yield { ...make('empty', ''), names: ['""'] };
    yield { ...make('without a value', ''), words: [...base, row.argument], names: [row.argument] };
    const bad = badValuesOf(row);
    for (const [kind, value] of Object.entries(bad.values ?? {})) {
      const given = withPlaces(value, good);
      yield make(kind, given, bad.codes, namesOf(given).concat(bad.names ?? []));
    }
    if (bad.files) for (const [kind, file] of Object.entries(good.files)) yield { ...make(kind, file, FILE_CODES), mayNameBelow: true };
    if (bad.unwritable) {
      for (const [kind, file] of Object.entries(good.unwritable)) yield make(kind, file);
      yield make('on a full disk', '/dev/full', FULL_DISK);
    }
    if (/--(base-|new-)?(threads|cpus)$/.test(row.argument) && row.kind === 'list') yield make('twice', '1,1', [2], ['"1"']);
    if (row.kind === 'list') yield make('with an empty part', '1,', [2]);
    if (row.settable === 'yes') yield* settingCases(command, row, base);
  }
}

function* settingCases(command, row, base) {
  for (const [kind, text] of Object.entries({ 'an empty list': '[]', 'an empty text': '""' })) {
    const key = row.argument.slice(2);
    yield {
      name: `${command.name} ${row.argument} ${kind} in opbench.toml`,
      words: base,
      settings: `[defaults]\n"${key}" = ${text}\n`,
      codes: [2],
      names: [key],
    };
  }
}

function* positionalCases(command, good) {
  for (const row of command.positionals) {
    const make = (kind, value, codes = [2]) => ({
      name: `${command.name} ${row.argument} ${kind}`,
      words: wordsOf(command, good, { replaced: { [row.argument]: value } }),
      codes,
      names: [value, ...namesOf(value), ...(row.file === 'read' ? ['these files'] : [])],
      mayNameBelow: row.file === 'read',
      mayPrint: reportsFaults(command),
    });
    yield { ...make('empty', ''), names: ['""'] };
    if (row.file === 'written') {
      for (const [kind, file] of Object.entries(good.unwritable)) yield make(kind, file);
      yield make('without a known ending', 'out.☃');
    } else if (row.file === 'read' && !row.value.includes('WORKLOAD')) {
      for (const [kind, file] of Object.entries(good.files)) yield make(kind, file, kind === 'empty' && command.name.startsWith('records ') ? [0, ...FILE_CODES] : FILE_CODES);
    } else if (row.value === 'STORE') {
      for (const kind of ['missing', 'garbage', 'below a file']) yield make(kind, good.files[kind]);
    } else if (row.value === 'SQL') {
      for (const [kind, sql] of Object.entries({ garbage: 'SELECT garbage FROM trials', 'two statements': 'SELECT 1; SELECT 2', 'no statement': ' ; -- nothing' })) yield { ...make(kind, sql), names: [sql, 'garbage'] };
    } else {
      for (const [kind, value] of Object.entries(WORDS)) yield make(kind, value);
    }
  }
  const words = wordsOf(command, good);
  yield { name: `${command.name} with an unknown option`, words: [...words, '--no-such-☃'], codes: [2], names: ['--no-such-☃'] };
  if (!command.positionals.some((row) => row.argument === 'NAME FILE' || row.argument === 'A B')) {
    const isOpen = command.positionals.some((row) => !/^(WHAT|SQL|A|B)$/.test(row.argument));
    if (!isOpen) yield { name: `${command.name} with one argument more`, words: [...words, 'more-☃'], codes: [2], names: ['more-☃'] };
  }
}

// Two outputs that are one file, and outputs that are the input.
function* contradictions(command, good) {
  const written = command.options.filter((row) => row.file === 'written');
  const words = wordsOf(command, good);
  for (let i = 0; i < written.length; ++i) {
    for (let k = 0; k < i; ++k) {
      for (const other of ['same', './same']) {
        yield {
          name: `${command.name} ${written[k].argument} same ${written[i].argument} ${other}`,
          words: [...words, written[k].argument, 'same', written[i].argument, other],
          codes: [2],
          names: ['"same"', './same'],
        };
      }
    }
    for (const row of command.positionals.filter((positional) => positional.file === 'read')) {
      yield {
        name: `${command.name} ${written[i].argument} ${row.argument} as output and input`,
        words: [...wordsOf(command, good, { replaced: { [row.argument]: 'input' } }), written[i].argument, './input'],
        files: { input: 'text' },
        codes: [2],
        names: ['./input'],
      };
    }
  }
}

const OTHER = [
  ['a batch size that a key gives too', ['sweep', 'conv2d', '-b', '4', '--over', 'batch=1,2'], ['--batch-size 4']],
  ['threads that a key gives too', ['sweep', 'conv2d', '-t', '2', '--over', 'threads=1,2'], ['--threads 2']],
  ['--continue without a file', ['sweep', 'conv2d', '--over', 'batch=1,2', '--continue'], ['--continue']],
  ['a chart of data', ['sweep', 'conv2d', '--over', 'batch=1,2', '--chart', '--format', 'json'], ['--chart']],
  ['an empty command', [''], ['""']],
  ['an unknown command', ['no-such-☃'], ['no-such-☃']],
  ['an unknown verb', ['records', 'no-such-☃'], ['no-such-☃']],
];

export function casesOf(rows, good) {
  const cases = [];
  for (const command of commandLines(rows, good)) {
    cases.push(...positionalCases(command, good), ...optionCases(command, good), ...contradictions(command, good));
  }
  for (const [name, words, names] of OTHER) cases.push({ name, words, codes: [2], names });
  return cases;
}
