import type { Compare } from '../api';
import { change, count, NOTHING } from '../core/format';
import { Tile } from '../parts/basics';

/// Counts and ranges by verdict; each opens its rows.
export function CompareTiles({
  value,
  verdict,
  onVerdict,
}: {
  value: Compare;
  verdict: string;
  onVerdict: (verdict: string) => void;
}) {
  const pick = (wanted: string) => () => onVerdict(verdict === wanted ? 'relevant' : wanted);
  const { counts, ranges, geomean_pct } = value;
  const tone = geomean_pct === null || Math.abs(geomean_pct) < 0.05 ? undefined : geomean_pct > 0 ? 'slower' : 'faster';
  return (
    <div class="tiles" role="group" aria-label="Rows by verdict">
      <Tile
        name="▲ slower"
        value={count(counts.slower)}
        tone={counts.slower ? 'slower' : undefined}
        note={rangeOf(ranges.slower)}
        pressed={verdict === 'slower'}
        onClick={pick('slower')}
      />
      <Tile
        name="▼ faster"
        value={count(counts.faster)}
        tone={counts.faster ? 'faster' : undefined}
        note={rangeOf(ranges.faster)}
        pressed={verdict === 'faster'}
        onClick={pick('faster')}
      />
      <Tile
        name="= the same"
        value={count(counts.same)}
        note="inside the margin"
        pressed={verdict === 'same'}
        onClick={pick('same')}
      />
      <Tile
        name="? inconclusive"
        value={count(counts.inconclusive)}
        note="too noisy to say"
        pressed={verdict === 'inconclusive'}
        onClick={pick('inconclusive')}
      />
      <Tile name="Geometric mean" value={change(geomean_pct)} tone={tone} note={`of ${count(value.matched)} rows`} />
      <Tile
        name="Not compared"
        value={count(value.only_a + value.only_b + value.failed)}
        note={`${count(value.only_a)} only A, ${count(value.only_b)} only B, ${count(value.failed)} failed`}
      />
    </div>
  );
}

function rangeOf(range: Compare['ranges']['slower']): string {
  if (!range) return NOTHING;
  return range.smallest_pct === range.largest_pct
    ? change(range.median_pct)
    : `${change(range.smallest_pct)} to ${change(range.largest_pct)}, median ${change(range.median_pct)}`;
}
