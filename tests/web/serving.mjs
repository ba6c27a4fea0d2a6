#!/usr/bin/env node
// serving.mjs FOLDER: starts FOLDER/opbench web on free ports and asks what no browser asks: other hosts, other origins,
// paths that climb, long addresses, SQL that writes or reads files, clients that send slowly. Prints one line a test,
// `ok NAME` or `FAILED NAME: why`.
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { generateStore } from './generated_store.mjs';
import { ask, memoryOf, startServer } from './started_server.mjs';

const program = path.resolve(process.argv[2], 'opbench');
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'opbench-web-'));
process.on('exit', () => {
  fs.rmSync(place, { recursive: true, force: true });
});
// The bundle is another program's business: one page is enough here.
const bundle = path.join(place, 'bundle');
fs.mkdirSync(path.join(bundle, 'assets'), { recursive: true });
fs.writeFileSync(path.join(bundle, 'index.html'), '<!doctype html><title>pages</title><!-- opbench-data -->\n');
fs.writeFileSync(path.join(bundle, 'app.js'), 'void 0;\n');
fs.writeFileSync(path.join(place, 'secret.txt'), 'secret\n');
const environment = { ...process.env, OPBENCH_WEB_BUNDLE: bundle, XDG_CACHE_HOME: path.join(place, 'cache') };
delete environment.OPBENCH_WEB_TOKEN;

const serve = (store, ...more) => startServer(program, store, { environment, more });

// What the server sends to bytes that may be no request; empty where it closes.
function send(server, bytes, seconds) {
  return new Promise((resolve) => {
    let text = '';
    const begin = Date.now();
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(seconds * 1000, () => socket.destroy());
    socket.on('data', (part) => { text += part; });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ text, seconds: (Date.now() - begin) / 1000, socket }));
  });
}

const json = (answer) => JSON.parse(answer.text);

async function test(name, run) {
  try {
    const fault = await run();
    console.log(fault ? `FAILED ${name}: ${fault}` : `ok ${name}`);
    if (fault) process.exitCode = 1;
  } catch (error) {
    console.log(`FAILED ${name}: ${error.message.split('\n')[0]}`);
    process.exitCode = 1;
  }
}

// Nothing where the answer has the status and its text matches.
function expected(answer, status, pattern = /(?:)/) {
  if (answer.status !== status) return `status ${answer.status}, not ${status}: ${answer.text.slice(0, 200)}`;
  return pattern.test(answer.text) ? '' : `"${answer.text.slice(0, 200)}" does not match ${pattern}`;
}

async function testAccess(server) {
  const port = server.port;
  await test('its own page opens', async () => expected(await ask(server, '/'), 200, /pages/));
  await test('nothing foreign runs in a page', async () => {
    const policy = (await ask(server, '/')).headers['content-security-policy'] ?? '';
    return /default-src 'none'/.test(policy) && !/unsafe/.test(policy) ? '' : `policy "${policy}"`;
  });
  await test('no other site may read an answer', async () => {
    const names = Object.keys((await ask(server, '/api/overview')).headers);
    return names.some((name) => name.startsWith('access-control')) ? `headers ${names}` : '';
  });
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1', `127.0.0.1.evil.example:${port}`]) {
    await test(`host ${host} is refused`, async () =>
      expected(await ask(server, '/api/overview', { headers: { Host: host } }), 403, /is not/));
  }
  await test('host localhost is taken', async () =>
    expected(await ask(server, '/api/overview', { headers: { Host: `localhost:${port}` } }), 200));
  for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
    await test(`origin ${origin} is refused`, async () =>
      expected(await ask(server, '/api/overview', { headers: { Origin: origin } }), 403, /may not ask/));
  }
  await test('its own origin is taken', async () =>
    expected(await ask(server, '/api/overview', { headers: { Origin: `http://127.0.0.1:${port}` } }), 200));
  await test('a request of another site is refused', async () =>
    expected(await ask(server, '/api/overview', { headers: { 'Sec-Fetch-Site': 'cross-site' } }), 403));
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    await test(`${method} is refused`, async () =>
      expected(await ask(server, '/api/overview', { method, body: 'x' }), 405, /GET/));
  }
}

async function testPaths(server) {
  for (const target of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/../../secret.txt',
    '//etc/passwd', '/%00', '/etc/passwd', '/index.html%00.js', '/api/../../secret.txt']) {
    await test(`${target} is not served`, async () => {
      const answer = await ask(server, target);
      if (/secret|root:/.test(answer.text.replaceAll('secret.txt', ''))) return `it was: ${answer.text.slice(0, 80)}`;
      return answer.status >= 400 && answer.status < 500 ? '' : `status ${answer.status}`;
    });
  }
  await test('a long address is refused', async () => expected(await ask(server, `/api/runs?q=${'x'.repeat(20000)}`), 414));
  await test('endless headers end', async () => {
    const answer = await send(server, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${'A: b\r\n'.repeat(40000)}`, 20);
    return answer.text.startsWith('HTTP/1.1 2') ? 'they were taken' : '';
  });
  await test('a large body is refused', async () =>
    expected(await ask(server, '/api/overview', { method: 'POST', body: 'x'.repeat(100000) }).catch(() => ({ status: 405, text: '' })), 405));
}

async function testSlowClients(server) {
  await test('slow clients do not keep others waiting', async () => {
    const slow = Array.from({ length: 8 }, () => send(server, 'GET / HTTP/1.1\r\nHost: a', 15));
    const begin = Date.now();
    const fault = expected(await ask(server, '/'), 200);
    if (fault || Date.now() - begin > 5000) return fault || `it took ${Date.now() - begin} ms`;
    const ends = await Promise.all(slow);
    const longest = Math.max(...ends.map((end) => end.seconds));
    return longest < 14 ? '' : `one was kept for ${longest} s`;
  });
}

async function testSql(server) {
  const sql = (text, more = '') => ask(server, `/api/sql?q=${encodeURIComponent(text)}${more}`);
  await test('a statement that reads has rows', async () => {
    const answer = json(await sql('SELECT count(*) AS n FROM benchmarks'));
    return answer.rows?.[0]?.[0] > 0 && answer.columns[0].name === 'n' ? '' : JSON.stringify(answer).slice(0, 200);
  });
  const out = path.join(place, 'written.csv');
  for (const text of [`COPY (SELECT 1) TO '${out}'`, 'CREATE TABLE t (a INT)', 'DROP VIEW benchmarks', `ATTACH '${out}'`,
    `EXPORT DATABASE '${out}'`, 'INSTALL httpfs', 'LOAD httpfs', 'SET enable_external_access = true',
    'PRAGMA enable_external_access = true', 'SELECT 1; SELECT 2', 'DELETE FROM benchmarks', '']) {
    await test(`SQL "${text.slice(0, 24)}" is refused`, async () => {
      const fault = expected(await sql(text), 400, /error/);
      return fault || (fs.existsSync(out) ? 'a file was written' : '');
    });
  }
  for (const text of [`SELECT * FROM read_text('${place}/secret.txt')`, "SELECT * FROM '/etc/passwd'",
    `SELECT * FROM read_csv('${place}/secret.txt')`, `SELECT * FROM read_blob('${place}/*')`, `SELECT * FROM glob('${place}/*')`,
    "SELECT * FROM read_parquet('http://127.0.0.1:1/x.parquet')", "SELECT getenv('HOME')"]) {
    await test(`SQL "${text.slice(14, 40)}" reads nothing`, async () => expected(await sql(text), 400, /error/));
  }
  await test('rows beyond the limit are cut', async () => {
    const answer = json(await sql('SELECT * FROM range(1000)', '&limit=10'));
    return answer.rows.length === 10 && answer.is_cut ? '' : `${answer.rows.length} rows, cut: ${answer.is_cut}`;
  });
  await test('an endless statement ends', async () =>
    expected(await sql('SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c'), 408, /longer than/));
  await test('a large statement ends', async () =>
    expected(await sql('SELECT len(list(a || b::VARCHAR)) FROM (SELECT repeat(md5(range::VARCHAR), 100) AS a, range AS b FROM range(100000000))'),
      500, /[Mm]emory|longer/).replace(/^status 408.*/, ''));
}

async function testMemory(server) {
  const targets = ['/api/overview', '/api/runs', '/api/series/list', '/api/tonight', '/', '/api/runs?q=nothing', '/api/x'];
  await test('memory does not grow with requests', async () => {
    let before = 0;
    for (let i = 0; i < 400; ++i) {
      await ask(server, targets[i % targets.length]);
      if (i === 99) before = memoryOf(server.child.pid);
    }
    const grown = memoryOf(server.child.pid) - before;
    return grown <= 10 ? '' : `from ${before.toFixed(0)} MB by ${grown.toFixed(1)} MB`;
  });
}

async function testStores() {
  const empty = path.join(place, 'empty');
  fs.mkdirSync(empty);
  const server = await serve(empty);
  await test('an empty store says what fills it', async () => {
    const answer = json(await ask(server, '/api/overview'));
    return answer.store.runs === 0 && answer.pages.compare === null && answer.empty_hints.length > 3 ? '' : JSON.stringify(answer);
  });
  await test('an empty store has no nights', async () => expected(await ask(server, '/api/tonight'), 404, /no nights/));
  server.child.kill('SIGTERM');
  const one = path.join(place, 'one');
  await generateStore(program, one, 1);
  const single = await serve(one);
  await test('one record is shown', async () => {
    const answer = json(await ask(single, '/api/series/list'));
    return answer.total === 1 ? '' : `${answer.total} series`;
  });
  single.child.kill('SIGTERM');
}

async function testToken(store) {
  const token = 'abcdefghijklmnop0123';
  const server = await serve(store, '--token', token);
  await test('without its token it answers nothing', async () => expected(await ask(server, '/'), 401, /token/));
  await test('a wrong token is refused', async () => expected(await ask(server, '/?token=abcdefghijklmnop0124'), 401));
  await test('a token becomes a cookie that no script sees', async () => {
    const answer = await ask(server, `/?token=${token}`);
    const cookie = String(answer.headers['set-cookie']);
    if (answer.status !== 303 || answer.headers.location !== '/') return `status ${answer.status}`;
    if (!/HttpOnly/.test(cookie) || !/SameSite=Strict/.test(cookie)) return cookie;
    return expected(await ask(server, '/', { headers: { Cookie: cookie.split(';')[0] } }), 200);
  });
  server.child.kill('SIGTERM');
}

async function testNames(server) {
  await test('names with markup stay text', async () => {
    const answer = await ask(server, '/api/series/list?q=%3Cscript%3E');
    const rows = json(answer).rows;
    if (!/application\/json/.test(answer.headers['content-type'])) return answer.headers['content-type'];
    return rows.length > 0 && rows[0].model.includes('<script>') ? '' : `${rows.length} rows`;
  });
}

await testStores();
const store = path.join(place, 'store');
await generateStore(program, store, 10000);
const server = await serve(store);
await testAccess(server);
await testPaths(server);
await testNames(server);
await testSql(server);
await testMemory(server);
await testSlowClients(server);
await testToken(store);
await test('a signal ends it', async () => {
  const ended = new Promise((resolve) => server.child.on('exit', (code) => resolve(code)));
  server.child.kill('SIGTERM');
  const code = await ended;
  return code === 0 ? '' : `code ${code}`;
});
