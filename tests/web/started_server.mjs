// `opbench web` over a store, on a free port.
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';

const servers = [];
process.on('exit', () => {
  for (const server of servers) server.kill('SIGKILL');
});

/// The server's process, its port and the address that it printed; it is ready when this resolves. `more`: further arguments. One with a
/// token is not waited for.
export async function startServer(program, store, { environment = process.env, more = [] } = {}) {
  const child = spawn(program, ['web', '--store', store, '--port', '0', ...more],
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  servers.push(child);
  let errors = '';
  child.stderr.on('data', (bytes) => { errors += bytes; });
  const line = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (bytes) => {
      text += bytes;
      if (text.includes('\n')) resolve(text.trim());
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
  });
  const server = { child, port: Number(/:(\d+)\//.exec(line)[1]), address: line };
  if (more.includes('--token')) return server;
  for (let tries = 0; tries < 2400; ++tries) {
    if ((await ask(server, '/api/overview')).status !== 503) return server;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the store was not read within 120 s');
}

/// One request on a connection of its own.
export function ask(server, target, { headers = {}, method = 'GET', body } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: server.port, path: target, method,
      headers: { Host: `127.0.0.1:${server.port}`, ...headers }, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => { text += part; });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/// Resident memory of a process in MB.
export const memoryOf = (pid) => Number(/VmRSS:\s*(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
