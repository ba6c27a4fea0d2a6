import { useRef } from 'preact/hooks';
import type { Compare } from '../api';
import { Whisker } from '../charts/whisker';
import { VerdictWord } from '../parts/words';

/// Says how to read a row of the table.
export function CompareLegend({ value }: { value: Compare }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" class="button button-small" onClick={() => dialog.current?.showModal()}>
        How to read a row
      </button>
      <dialog ref={dialog} aria-label="How to read a row">
        <div class="spaced">
          <h2>How to read a row</h2>
          <dl class="facts">
            <dt>
              <Whisker change_pct={6} low={4.2} high={7.9} margin={2} most={10} tone="slower" />
            </dt>
            <dd>
              The dot is the change from A to B. The line is its interval. The grey band is the margin of this row.
            </dd>
            <dt>
              <VerdictWord verdict="slower" />
            </dt>
            <dd>The interval lies above the margin: B takes longer.</dd>
            <dt>
              <VerdictWord verdict="faster" />
            </dt>
            <dd>The interval lies below the margin: B takes less time.</dd>
            <dt>
              <VerdictWord verdict="same" />
            </dt>
            <dd>The interval lies inside the margin.</dd>
            <dt>
              <VerdictWord verdict="inconclusive" />
            </dt>
            <dd>The interval crosses the edge of the margin: more samples are needed.</dd>
            <dt>Over margin</dt>
            <dd>The change divided by the margin. Rows are sorted by it, so that noisy rows do not come first.</dd>
            <dt>Code</dt>
            <dd>
              Whether the machine code of the unit is another one. Where it is unchanged, look at the environment first.
            </dd>
          </dl>
          {value.legend.length > 0 && (
            <ul class="lines muted">
              {value.legend.map((line) => (
                <li>{line}</li>
              ))}
            </ul>
          )}
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}
