import type { Finding } from '../api';
import { number } from '../core/format';
import { Command, Panel } from '../parts/basics';

/// What to do first, largest expected gain first, with the gain that was measured where it was tried.
export function FindingList({ findings }: { findings: Finding[] }) {
  return (
    <Panel bare title="What to do first" note="ranked by the expected gain of the whole model">
      {findings.length === 0 && <p class="muted">Nothing that should gain 1 % or more was found.</p>}
      <ul class="plain">
        {findings.map((one, index) => (
          <li class="finding" data-row tabIndex={index === 0 ? 0 : -1}>
            <div class="finding-gain">
              <strong>{number(one.gain_pct, 2)} %</strong>
              <span class="small muted">
                {number(one.gain_low_pct, 2)} to {number(one.gain_high_pct, 2)} %
              </span>
              {one.measured_pct !== null && (
                <span class="small text-faster">measured {number(one.measured_pct, 2)} %</span>
              )}
              {one.not_measured && <span class="small muted">not measured: {one.not_measured}</span>}
            </div>
            <div class="finding-text">
              <h3>{one.finding}</h3>
              <p>{one.where}</p>
              <p class="muted">{one.evidence}</p>
              <Command text={one.command} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
