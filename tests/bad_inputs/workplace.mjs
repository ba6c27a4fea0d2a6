// The files that bad and good command lines name.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

const TRIAL = JSON.stringify({
  input: ['llvm', 'dense_nopack.x86', [['TENSOR', [1, 16], 'float32'], ['TENSOR', [8, 16], 'float32'], null, 'float32'], {}],
  config: { index: 0, code_hash: null, entity: [['tile_y', 'sp', [-1, 1, 1]], ['tile_x', 'sp', [-1, 1, 1]], ['tile_k', 'sp', [-1, 1]]] },
  result: [[0.001], 0, 1.0, 1600000000.0],
  version: 0.2,
  tvm_version: '0.8.0',
});

export async function makeWorkplace(place, run) {
  const write = (name, content) => fs.writeFileSync(path.join(place, name), content);
  write('trial.log', TRIAL + '\n');
  write('garbage', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 0xff)));
  write('garbage.npy', 'no array\n');
  write('zeros', Buffer.alloc(4096));
  write('empty', '');
  write('truncated.log', TRIAL.slice(0, 120));
  // The kernel of the last night is slower: its paired run is asked for.
  write('history.csv', 'series,time,value,hash\n' + Array.from({ length: 20 }, (_, day) =>
    `mine/net/a,${day + 1},${(day < 19 ? 1 : 2) * (1 + (day * 7 % 5 - 2) / 1000)},${day < 19 ? 'a' : 'b'}\n`).join(''));
  fs.mkdirSync(path.join(place, 'folder'));
  for (const words of [
    ['zoo', 'export', 'conv2d', 'model.onnx'],
    ['op', 'relu 1x4', '--budget', '0.1', '--check', 'none', '--record', 'runs.jsonl'],
    ['records', 'import', 'trial.log'],
    ['profile', 'conv2d', '--budget', '1', '--check', 'none', '--record', 'samples.jsonl'],
    ['profile', 'conv2d', '--budget', '0.1', '--check', 'none', '--format', 'json', '-o', 'profile.json'],
  ]) {
    const answer = await run(words, place);
    if (answer.code !== 0) throw new Error(`${words.join(' ')}: ${answer.err}`);
  }
  // Disturbed samples count too: what is predicted does not matter.
  const samples = path.join(place, 'samples.jsonl');
  write('samples.jsonl', fs.readFileSync(samples, 'utf8').replace(/"samples_dropped":{[^}]*}/g, '"samples_dropped":{}'));
  const trained = await run(['predict', 'train', '--records', samples, '--budget', '0', '--predictors', path.join(place, 'predictors')], place);
  if (trained.code !== 0) throw new Error(`predict train: ${trained.err}`);
  await makeNights(place, run);
  const model = fs.readFileSync(path.join(place, 'model.onnx'));
  write('truncated.onnx', model.subarray(0, model.length / 2));
  const runs = fs.readFileSync(path.join(place, 'runs.jsonl'));
  write('truncated.jsonl', runs.subarray(0, runs.length / 2));
}

// Three nights of a suite of an engine in a repository. The last one lacks a row, which is an alert.
async function makeNights(place, run) {
  const repo = path.join(place, 'repo');
  fs.mkdirSync(repo);
  const git = (...words) => execFileSync('git', ['-C', repo, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words]);
  git('init', '-q', '-b', 'main');
  const engine = fs.readFileSync(new URL('../cli/scripted_engine.mjs', import.meta.url), 'utf8');
  fs.writeFileSync(path.join(repo, 'engine.mjs'), engine.replace('Number(process.argv[2])', '1'), { mode: 0o755 });
  git('add', '-A');
  for (const extents of [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [1, 2, 3, 4]]) {
    git('commit', '-q', '--allow-empty', '-m', 'a change');
    const workloads = extents.map((extent) => `"relu 1x${extent}"`).join(', ');
    fs.writeFileSync(path.join(place, 'suite.toml'), `workloads = [${workloads}]\nengines = ["mine"]\ncheck = "none"\nbudget = 0.1\n`);
    const words = ['regress', '--suite', '../suite.toml', '--build', 'true', '--engine', 'mine=engine.mjs', '-q'];
    const answer = await run(words, repo);
    if (![0, 6].includes(answer.code)) throw new Error(`${words.join(' ')}: ${answer.err}`);
  }
}

// What stands for an argument when another one is tried.
export function goodValues(place) {
  const inPlace = (name) => path.join(place, name);
  const ofSuite = ['--suite', inPlace('suite.toml'), '--repo', inPlace('repo'), '--build', 'true', '--engine', 'mine=engine.mjs'];
  return {
    positionals: {
      MODEL: 'conv2d',
      WORKLOAD: 'relu 1x4',
      'MODEL|WORKLOAD': 'conv2d 1x4x8x8 w:4x4x3x3',
      'NAME FILE': null,
      FILE: inPlace('trial.log'),
      STORE: inPlace('store'),
      SQL: 'SELECT 1',
      A: inPlace('trial.log'),
      B: inPlace('trial.log'),
      'A B': null,
      BASE: null,
      WHAT: 'models',
      ACTION: 'list',
      ALERT: 'missing-mine@2',
      FORMAT: 'trace',
    },
    // Of single commands, where the values above do not do.
    ofCommand: {
      'records export': { FILE: 'out.csv' },
      replay: { FILE: inPlace('runs.jsonl') },
      export: { FILE: inPlace('profile.json') },
      report: { FILE: inPlace('profile.json') },
      'records validate': { FILE: inPlace('trial.log') },
      partition: { WORKLOAD: 'conv2d 1x8x8x8 w:64x8x3x3' },
      verify: { PATH: '/usr/share/libonnx-testdata/data/node/test_relu' },
    },
    // What a command cannot do without, and what keeps it short.
    extras: {
      profile: ['--budget', '0.1', '--check', 'none'],
      op: ['--budget', '0.1', '--check', 'none'],
      compare: ['--budget', '0.1', '--check', 'none', '--base-threads', '1'],
      sweep: ['--budget', '0.1', '--check', 'none', '--over', 'threads=1'],
      'turning-point': ['--budget', '0.1', '--check', 'none', '--over', 'batch=1,2,3'],
      correlate: ['--from', inPlace('trial.log')],
      regress: ['--from', inPlace('history.csv')],
      bisect: [...ofSuite, '--good', 'HEAD~1', '--bad', 'HEAD'],
      'regress nudge': [...ofSuite, '--by', '1'],
      ...Object.fromEntries(['accept', 'acknowledge', 'digest', 'fixed', 'ignore'].map((verb) => [`regress ${verb}`, [...ofSuite, '--reason', 'why']])),
      replay: ['--budget', '0.1'],
      web: ['--export', 'site'],
      report: ['--output', 'page.html'],
      plan: ['--threads', '2', '--budget', '0.2'],
      place: ['--budget', '0.1', '--check', 'none'],
      partition: ['--budget', '0.1', '--check', 'none'],
      interference: ['--units', '1', '--budget', '0.5', '--check', 'none'],
      serve: ['--budget', '0.1', '--check', 'none', '--queries', '50', '--seeds', '2', '--load', '0.8'],
      'fusion-rules': ['--budget', '0.05', '--pair', 'conv+relu'],
      predict: ['--predictors', inPlace('predictors')],
      'predict show': ['--predictors', inPlace('predictors')],
      'predict evaluate': ['--predictors', inPlace('predictors')],
      'predict train': ['--budget', '0', '--records', inPlace('samples.jsonl'), '--predictors', inPlace('trained')],
      tune: ['--trials', '1', '--time-budget', '20'],
      'records convert': ['--format', 'autotvm'],
    },
    files: {
      missing: 'missing-☃',
      folder: inPlace('folder'),
      garbage: inPlace('garbage'),
      zeros: inPlace('zeros'),
      empty: inPlace('empty'),
      'truncated model': inPlace('truncated.onnx'),
      'truncated log': inPlace('truncated.log'),
      'truncated records': inPlace('truncated.jsonl'),
      'below a file': inPlace('garbage/x'),
    },
    unwritable: {
      folder: inPlace('folder'),
      'below a file': inPlace('garbage/x.csv'),
      'in a missing folder': inPlace('missing/x.csv'),
      'in /proc': '/proc/x.csv',
    },
    inPlace,
  };
}
