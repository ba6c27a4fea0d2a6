// Numbers, times and addresses as the pages write and read them: node --test tests/web/format_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const format = await bundled('core/format.ts');
const plain = (text) => text.replace(/\u2009/g, ' ');

test('times have the unit in which they have one to three digits', () => {
  const cases = [
    [1.234567, '1.23 ms'],
    [0.0004567, '457 ns'],
    [0.01234, '12.3 µs'],
    [999.96, '1.00 s'],
    [61234, '61.2 s'],
    [0, '0'],
    [null, '–'],
    [NaN, '–'],
  ];
  for (const [ms, text] of cases) assert.equal(plain(format.time(ms)), text, String(ms));
});

test('numbers have three digits, groups and a real minus', () => {
  const cases = [
    [1234567, '1 234 567'],
    [12.345, '12.3'],
    [-0.5, '−0.500'],
    [1e18, '1.00e+18'],
    [undefined, '–'],
    [0.999999, '1.00'],
  ];
  for (const [value, text] of cases) assert.equal(plain(format.number(value)), text, String(value));
});

test('changes say their direction, and nothing where they round to nothing', () => {
  const cases = [
    [5.234, '+5.2 %'],
    [-0.04, '±0 %'],
    [-12, '−12.0 %'],
    [1234.5, '+1 235 %'],
    [null, '–'],
  ];
  for (const [value, text] of cases) assert.equal(plain(format.change(value)), text, String(value));
});

test('shares that are not zero are not shown as zero', () => {
  assert.equal(plain(format.percent(0.02)), '< 0.1 %');
  assert.equal(plain(format.percent(0)), '0.0 %');
  assert.equal(plain(format.percent(63.26)), '63.3 %');
});

test('bytes and rates have prefixes', () => {
  assert.equal(plain(format.bytes(1536)), '1.50 KiB');
  assert.equal(plain(format.bytes(12)), '12 B');
  assert.equal(plain(format.scaled(3.21e9, 'FLOP/s')), '3.21 GFLOP/s');
});

test('dates are read from seconds, milliseconds and texts', () => {
  for (const when of [1795831200, 1795831200000, '2026-11-28T02:00:00Z']) assert.equal(format.date(when), '2026-11-28');
  assert.equal(format.date('yesterday'), '–');
});

test('long names lose their middle', () => {
  assert.equal(format.shortened('conv2d 64x56x56 64x64x3x3', 12), 'conv2d …x3x3');
  assert.equal(format.shortened('short', 12), 'short');
});

test('an address holds a state and gives it back', async () => {
  const { parseHash, formatHash } = await bundled('core/route.ts');
  const route = { page: 'compare', state: { a: 'run:7@A/B %2F', q: '<img> & "x"', empty: '' } };
  const { empty, ...kept } = route.state;
  assert.deepEqual(parseHash(formatHash(route)), { page: 'compare', state: kept });
  assert.equal(formatHash({ page: 'x', state: { b: '1', a: '2' } }), '#/x?a=2&b=1');
  assert.deepEqual(parseHash('#/%E0%A4%A?q=1'), { page: '%E0%A4%A', state: { q: '1' } });
  assert.deepEqual(parseHash(''), { page: 'compare', state: {} });
});

test('requests have one key, whatever the order of their parameters', async () => {
  const { keyOf } = await bundled('core/source.ts');
  assert.equal(
    keyOf('api/x', { b: 2, a: 'ä b', id: ['2', '1'], none: '', gone: null, offset: 0, limit: 100 }),
    'api/x?a=%C3%A4%20b&b=2&id=1&id=2',
  );
  assert.equal(keyOf('api/x'), 'api/x');
});

test('histories of an exported site are whole, whatever part is shown', async () => {
  const { splitQuery } = await bundled('core/exported.ts');
  const { base } = splitQuery('api/series', { id: ['1', '2'], from: '2026-11-01', to: '2026-11-02', around: 'halide@1-2' });
  assert.deepEqual(base, { id: ['1', '2'] });
});

test('an exported graph is that of the chosen engine', async () => {
  const { splitQuery } = await bundled('core/exported.ts');
  const query = { run: '7', model: 'net', engine: 'halide@1' };
  assert.deepEqual(splitQuery('api/model/graph', query), { base: query, view: {} });
});

test('lists of an exported site are filtered, sorted and paged', async () => {
  const { localAnswer, splitQuery } = await bundled('core/exported.ts');
  const rows = [
    { unit: 'conv', verdict: 'slower', factor: 3, b_ms: 1 },
    { unit: 'pool', verdict: 'same', factor: 0.2, b_ms: 2 },
    { unit: 'conv big', verdict: 'faster', factor: 2, b_ms: null },
  ];
  const answer = { counts: { faster: 1, slower: 1, same: 1, inconclusive: 0 }, matched: 3, total: 3, rows };
  const { base, view } = splitQuery('api/compare', {
    a: '1',
    b: '2',
    verdict: 'relevant',
    q: 'conv',
    sort: 'b_ms',
    order: 'asc',
  });
  assert.deepEqual(base, { a: '1', b: '2' });
  const shown = localAnswer('api/compare', answer, view);
  assert.deepEqual(
    shown.rows.map((row) => row.unit),
    ['conv', 'conv big'],
  ); // what is not known stands last
  assert.deepEqual(shown.counts, { faster: 1, slower: 1, same: 0, inconclusive: 0 });
  assert.equal(localAnswer('api/compare', answer, { offset: '2', limit: '2' }).rows.length, 1);
  assert.equal(answer.rows[0].unit, 'conv');
});
