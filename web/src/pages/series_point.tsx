import type { SeriesData } from '../api';
import { change as changeText, commit, moment, time } from '../core/format';
import { formatHash } from '../core/route';

/// A chosen point: its numbers, its neighbours, the ways to its run.
export function PointView({
  data,
  index,
  onMove,
}: {
  data: SeriesData;
  index: number;
  onMove: (index: number) => void;
}) {
  const { points } = data;
  const before = lastKnown(points.ms, index - 1);
  const ms = points.ms[index];
  const move = ms !== null && before >= 0 ? 100 * (ms / points.ms[before]! - 1) : null;
  return (
    <div class="notice point">
      <div class="point-head">
        <strong>{points.failure[index] !== null ? `failed: ${points.failure[index]}` : time(ms)}</strong>
        <span>{changeText(move)} against the point before</span>
        <span class="muted">{moment(points.at_epoch_ms[index])}</span>
        {points.commit[index] && (
          <span class="muted">
            commit <span class="mono">{commit(points.commit[index])}</span>
          </span>
        )}
        {points.night[index] && <span class="muted">night {points.night[index]}</span>}
        {points.is_rebuilt[index] && <span class="word word-accent">code rebuilt</span>}
      </div>
      <div class="point-head">
        <button type="button" class="button button-small" disabled={index === 0} onClick={() => onMove(index - 1)}>
          Point before
        </button>
        <button
          type="button"
          class="button button-small"
          disabled={index === points.ms.length - 1}
          onClick={() => onMove(index + 1)}>
          Next point
        </button>
        <a class="button button-small" href={formatHash({ page: 'model', state: { run: points.run[index] } })}>
          Its run
        </a>
        {index > 0 && (
          <a
            class="button button-small"
            href={formatHash({ page: 'compare', state: { a: points.run[index - 1], b: points.run[index] } })}>
            Compare with the point before
          </a>
        )}
      </div>
    </div>
  );
}

function lastKnown(values: (number | null)[], from: number): number {
  let at = from;
  while (at >= 0 && values[at] === null) at -= 1;
  return at;
}
