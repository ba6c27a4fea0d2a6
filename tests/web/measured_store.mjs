// A small store that the program itself fills: generated records, profiles with and without a plan, trials of tuning, and nights of a suite whose engine gets slower.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './bundled.mjs';
import { generateStore } from './generated_store.mjs';

const NIGHTS = 9;

/// Nights of an engine in a repository of its own. It takes the times that its commit says: the last one is 5 % slower, which is confirmed.
function measureNights(opbench, folder) {
  const repository = join(folder, 'repository');
  const engine = join(repository, 'engine.mjs');
  fs.mkdirSync(repository, { recursive: true });
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: repository, stdio: 'ignore' });
  const commit = (text, message) => {
    fs.writeFileSync(engine, text, { mode: 0o755 });
    git('add', '-A');
    git('commit', '-qm', message);
  };
  fs.writeFileSync(
    join(folder, 'small.toml'),
    'name = "small"\nworkloads = ["relu 1x4"]\nengines = ["mine"]\ncheck = "none"\nfreeze = false\nbudget = 0.1\n',
  );
  let text = fs
    .readFileSync(join(root, 'tests/cli/scripted_engine.mjs'), 'utf8')
    .replace('Number(process.argv[2])', '1');
  git('init', '-q', '-b', 'main');
  for (let night = 0; night <= NIGHTS; night += 1) {
    text += `// ${night}\n`;
    if (night === NIGHTS) text = text.replace('= 1 / 1000', '= 1.05 / 1000');
    commit(text, `change ${night}`);
    // The first night has no history, and the last one finds something: neither ends with code 0.
    opbench(
      repository,
      [6, 0, 3],
      ...['regress', '--suite', '../small.toml', '--build', 'true', '--engine', 'mine=engine.mjs', '--night', `d${night}`, '-q'],
    );
  }
}

/// Makes the store in `folder`/store.
export async function fillStore(program, folder, records = 5000) {
  const store = join(folder, 'store');
  const environment = { ...process.env, OPBENCH_STORE: store };
  const opbench = (place, codes, ...words) => {
    try {
      execFileSync(program, words, { cwd: place, env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
      if (!codes.includes(error.status)) throw error;
    }
  };
  await generateStore(program, store, records);
  opbench(folder, [0], 'records', 'import', join(root, 'tests/fixtures/logs/cpu.log'), join(root, 'tests/fixtures/logs/trials.log'));
  opbench(folder, [0], 'profile', 'conv2d', '--engine', 'halide,onednn', '--check', 'none', '--budget', '1s', '-q');
  opbench(folder, [0], 'plan', 'conv2d', '-o', 'plan.json', '--budget', '0.5s', '-q');
  opbench(folder, [0], 'profile', 'conv2d', '--plan', 'plan.json', '--check', 'none', '--budget', '1s', '-q');
  measureNights(opbench, folder);
  return store;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await fillStore(process.argv[2], process.argv[3]));
