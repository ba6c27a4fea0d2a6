#!/usr/bin/env node
// model_server.mjs FOLDER: serves the files of FOLDER on a free port of the loopback, well or badly.
// Prints the port. Every request is a line of FOLDER/requests.log: its path, its Range or `-`.
// It ends when its standard input does.
//
//   /file/NAME              as a good server does, with ETag and Range
//   /plain/NAME             without ETag and time of change, and without Range
//   /chunked/NAME           without a length
//   /stall/NAME             half of the file, then nothing
//   /silent/NAME            no answer at all
//   /longer/NAME            announces 1000 bytes more than it has, then breaks the connection
//   /shorter/NAME           announces half of what it has
//   /break/BYTES/NAME       breaks the connection after so many bytes; has Range
//   /break-plain/BYTES/NAME the same, without Range
//   /once/BYTES/NAME        the same as /break, only for the first request
//   /changing/BYTES/NAME    the same as /once, and the file has another ETag afterwards
//   /wrong-part/BYTES/NAME  the same as /break, and sends another part than asked
//   /status/CODE/NAME       an error page
//   /page/NAME              a page in place of the file, with status 200
//   /loop/NAME              redirects to itself
//   /moved/NAME             redirects to /file/NAME
//   /elsewhere/NAME         redirects to a file of the user's own machine
//   /endless/NAME           zeros without end and length
//   /rubbish/NAME           no HTTP
import {appendFileSync, readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';

const folder = process.argv[2];
const visits = new Map();

/** Sends `bytes` from where the request wants them; `most`: breaks the connection behind so many. */
function send(request, response, bytes, {etag = '"1"', hasRange = true, most, headers = {}} = {}) {
  const range = hasRange && /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const isSame = !request.headers['if-range'] || request.headers['if-range'] === etag;
  const from = range && isSame ? Number(range[1]) : 0;
  if (from >= bytes.length && from > 0) {
    response.writeHead(416, {'Content-Range': `bytes */${bytes.length}`}).end();
    return;
  }
  const part = bytes.subarray(from);
  const all = {'Content-Length': part.length, ...headers};
  if (etag) all.ETag = etag;
  if (from > 0) all['Content-Range'] ??= `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  response.writeHead(from > 0 ? 206 : 200, all);
  if (most === undefined) response.end(part);
  else response.write(part.subarray(0, most), () => response.socket.destroySoon());
}

const kinds = {
  file: (request, response, bytes) => send(request, response, bytes),
  plain: (request, response, bytes) => send(request, response, bytes, {etag: '', hasRange: false}),
  chunked: (request, response, bytes) => {
    response.writeHead(200);
    response.end(bytes);
  },
  stall: (request, response, bytes) => {
    response.writeHead(200, {'Content-Length': bytes.length});
    response.write(bytes.subarray(0, bytes.length / 2));
  },
  silent: () => {},
  longer: (request, response, bytes) =>
    send(request, response, bytes,
         {most: bytes.length, headers: {'Content-Length': bytes.length + 1000}}),
  shorter: (request, response, bytes) => {
    response.strictContentLength = false;
    response.writeHead(200, {'Content-Length': Math.floor(bytes.length / 2)});
    response.end(bytes);
  },
  break: (request, response, bytes, most) => send(request, response, bytes, {most}),
  'break-plain': (request, response, bytes, most) =>
    send(request, response, bytes, {most, etag: '', hasRange: false}),
  once: (request, response, bytes, most, visit) =>
    send(request, response, bytes, visit === 1 ? {most} : {}),
  changing: (request, response, bytes, most, visit) =>
    send(request, response, bytes, visit === 1 ? {most} : {etag: '"2"'}),
  'wrong-part': (request, response, bytes, most) => {
    const headers = request.headers.range
      ? {'Content-Range': `bytes 1-${bytes.length - 1}/${bytes.length}`} : {};
    send(request, response, bytes, {most, headers});
  },
  status: (request, response, bytes, code) => {
    response.writeHead(code, {'Content-Type': 'text/html'}).end('<html>an error page</html>');
  },
  page: (request, response) => {
    response.writeHead(200, {'Content-Type': 'text/html'}).end('<!DOCTYPE html><html>hello');
  },
  loop: (request, response) => response.writeHead(302, {Location: request.url}).end(),
  moved: (request, response) =>
    response.writeHead(302, {Location: request.url.replace('/moved/', '/file/')}).end(),
  elsewhere: (request, response) =>
    response.writeHead(302, {Location: 'file:///etc/passwd'}).end(),
  endless: (request, response) => {
    const zeros = Buffer.alloc(1 << 16, 1);
    const more = () => {
      while (response.write(zeros));
    };
    response.on('drain', more);
    response.on('error', () => {});
    response.writeHead(200);
    more();
  },
  rubbish: (request, response) => response.socket.end('this is no HTTP\r\n\r\n'),
};

const server = createServer((request, response) => {
  appendFileSync(join(folder, 'requests.log'), `${request.url} ${request.headers.range ?? '-'}\n`);
  const parts = request.url.slice(1).split('?')[0].split('/');
  const name = decodeURIComponent(parts.at(-1));
  const visit = (visits.get(request.url) ?? 0) + 1;
  visits.set(request.url, visit);
  try {
    kinds[parts[0]](request, response, readFileSync(join(folder, name)), Number(parts[1]), visit);
  } catch {
    response.writeHead(404, {'Content-Type': 'text/html'}).end('<html>not here</html>');
  }
});
process.stdin.resume().on('end', () => process.exit());
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
