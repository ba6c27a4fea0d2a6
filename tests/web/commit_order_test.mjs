// The axis of commits: node --test tests/web/commit_order_test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { commitsOf, inCommitOrder, placesOf } = await bundled('charts/commit_order.ts');

const historyOf = (commits) => ({
  points: {
    at_epoch_ms: commits.map((_, index) => 1000 * (index + 1)),
    ms: commits.map((_, index) => index + 1),
    commit: commits,
  },
  segments: [{ from: 0, to: 1, level_ms: 1, low_ms: 1, high_ms: 1 }],
  changes: [],
  breaks: [],
  alerts: [{ id: 'a', from: 0, to: 1 }],
  annotations: [{ at: 2, verb: 'accept' }],
});

test('commits stand as the branch has them, not as they were measured', () => {
  assert.deepEqual(commitsOf([historyOf(['c1', 'c3', 'c2'])], ['c1', 'c2', 'c3']), ['c1', 'c2', 'c3']);
});

test('a commit that nobody knows stands behind what was measured before it', () => {
  assert.deepEqual(commitsOf([historyOf(['c1', 'fix', 'c2'])], ['c1', 'c2']), ['c1', 'fix', 'c2']);
  assert.deepEqual(commitsOf([historyOf(['c1', null, 'c2'])], ['c1', 'c2']), ['c1', 'at 2000', 'c2']);
});

test('without a branch the first measurement decides', () => {
  assert.deepEqual(commitsOf([historyOf(['a', 'b', 'c']), historyOf(['b', 'b', 'b', 'd'])], []), ['a', 'b', 'c', 'd']);
});

test('points that were measured out of order move, and what is marked on them moves too', () => {
  const commits = ['c1', 'c2', 'c3'];
  const moved = inCommitOrder(historyOf(['c1', 'c3', 'c2']), commits);
  assert.deepEqual(moved.points.ms, [1, 3, 2]);
  assert.deepEqual(placesOf(moved, 'commit', commits), [0, 1, 2]);
  assert.equal(moved.annotations[0].at, 1);
  assert.equal(moved.alerts[0].to, 2);
  assert.deepEqual(moved.segments, []);
  const kept = historyOf(['c1', 'c2', 'c3']);
  assert.equal(inCommitOrder(kept, commits), kept);
});
