#!/usr/bin/env node
// Serves the built pages with drawn answers: node tests/web/drawn_server.mjs [PORT [full|empty|one|markup]]. The headers are those of
// `opbench web`, so that what its policy forbids fails here as well.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawStore } from './drawn_answers.mjs';
import { drawnAnswer } from './drawn_rest.mjs';

const BUNDLE = process.env.OPBENCH_WEB_BUNDLE ?? join(dirname(fileURLToPath(import.meta.url)), '../../build/web');
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};
export const MARKUP = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'"&`;

export function storeOf(kind) {
  if (kind === 'empty') return drawStore({ models: [], nights: 0 });
  if (kind === 'one') return drawStore({ models: ['resnet-18'], units: 0, nights: 1 });
  if (kind === 'markup')
    return drawStore({ models: [`model ${MARKUP}`, 'javascript:alert(1)'], units: 8, nights: 40, tail: ` ${MARKUP}` });
  return drawStore();
}

export function serveDrawn(kind, port = 0) {
  const store = storeOf(kind);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const path = normalize(url.pathname).replace(/^\/+/, '') || 'index.html';
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('x-content-type-options', 'nosniff');
    try {
      const isCsv = path.endsWith('.csv');
      const answer = path.startsWith('api/') ? drawnAnswer(store, path.replace(/\.csv$/, ''), url.searchParams) : null;
      if (path.startsWith('api/') && answer === null) throw new Error(`unknown path "${path}"`);
      if (answer) response.setHeader('content-type', isCsv ? 'text/csv' : 'application/json');
      else response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
      response.end(answer ? JSON.stringify(answer) : await readFile(join(BUNDLE, path)));
    } catch (error) {
      response.statusCode = 404;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ error: error.message }));
    }
  });
  return new Promise((done) =>
    server.listen(port, '127.0.0.1', () => done({ server, url: `http://127.0.0.1:${server.address().port}/` })),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serveDrawn(process.argv[3] ?? 'full', Number(process.argv[2] ?? 8787));
  console.log(url);
}
