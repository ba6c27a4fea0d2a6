// How answers are asked for: node --test tests/web/source_test.mjs
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { bundled } from './bundled.mjs';

const { want } = await bundled('core/source.ts');

/// Requests that were sent, each with a way to answer it; one that is given up fails as in a browser.
let sent = [];
globalThis.fetch = (key, { signal }) =>
  new Promise((done, fail) => {
    const one = { key, isGivenUp: false };
    one.answer = (value, status = 200) =>
      done({ ok: status < 400, status, text: async () => (typeof value === 'string' ? value : JSON.stringify(value)) });
    one.fail = () => fail(new TypeError('Failed to fetch'));
    signal.addEventListener('abort', () => {
      one.isGivenUp = true;
      fail(new DOMException('The user aborted a request.', 'AbortError'));
    });
    sent.push(one);
  });
afterEach(() => {
  sent = [];
});

test('one request serves all who want its answer, also later', async () => {
  const first = want('api/a', { q: 'x' });
  const second = want('api/a', { q: 'x' });
  assert.equal(sent.length, 1);
  sent[0].answer({ n: 1 });
  assert.deepEqual(await first.answer, { n: 1 });
  assert.deepEqual(await second.answer, { n: 1 });
  first.leave();
  second.leave();
  assert.deepEqual(await want('api/a', { q: 'x' }).answer, { n: 1 });
  assert.equal(sent.length, 1);
});

test('a request that nobody waits for is given up, and is asked anew', async () => {
  const old = want('api/b');
  const oldEnd = old.answer.catch((error) => error.message);
  old.leave();
  assert.ok(sent[0].isGivenUp);
  const next = want('api/b'); // before the old one has ended
  assert.equal(sent.length, 2);
  assert.match(await oldEnd, /Nobody waits/);
  sent[1].answer({ n: 2 });
  assert.deepEqual(await next.answer, { n: 2 });
  assert.deepEqual(await want('api/b').answer, { n: 2 }); // the end of the old one took nothing away
  assert.equal(sent.length, 2);
});

test('a request that somebody else waits for goes on', async () => {
  const one = want('api/c');
  const other = want('api/c');
  one.leave();
  one.leave();
  assert.ok(!sent[0].isGivenUp);
  sent[0].answer({ n: 3 });
  assert.deepEqual(await other.answer, { n: 3 });
});

test('a failure is not kept', async () => {
  const one = want('api/d');
  sent[0].fail();
  await assert.rejects(one.answer, /does not answer/);
  const next = want('api/d');
  sent[1].answer({ error: 'no such thing', did_you_mean: 'thing' }, 404);
  await assert.rejects(next.answer, (error) => error.status === 404 && error.lines[0] === 'did you mean: thing?');
  const third = want('api/d');
  sent[2].answer('{"cut', 200);
  await assert.rejects(third.answer, /code 200/);
});

test('a silent connection ends', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const one = want('api/e');
  const end = one.answer.catch((error) => error.message);
  context.mock.timers.tick(60000);
  assert.match(await end, /does not answer/);
});

test('a store that is being read is asked again, until nobody waits', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const one = want('api/f');
  const end = one.answer.catch((error) => error.message);
  sent[0].answer({ error: 'the store is being read', retry_after_ms: 200 }, 503);
  await new Promise((done) => setImmediate(() => setImmediate(done)));
  context.mock.timers.tick(200);
  await new Promise((done) => setImmediate(done));
  assert.equal(sent.length, 2);
  sent[1].answer({ error: 'the store is being read', retry_after_ms: 200 }, 503);
  await new Promise((done) => setImmediate(() => setImmediate(done)));
  one.leave();
  context.mock.timers.tick(200);
  assert.match(await end, /Nobody waits/);
  assert.equal(sent.length, 2);
});
