import type { CompareDetail } from '../api';
import { SeriesChart } from '../charts/series_chart';
import type { Mark } from '../charts/series_marks';
import { StripPlot } from '../charts/strip_plot';
import { percent, plural, time } from '../core/format';
import { formatHash, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Command } from '../parts/basics';

/// What stands behind a row: its history with both sides marked, the samples, what differs, the commands.
export function CompareDetailView({ sides, rowKey }: { sides: State; rowKey: string }) {
  const answer = useAnswer<CompareDetail>('api/compare/row', { ...sides, key: rowKey });
  return <Answered answer={answer}>{(value) => <Shown value={value} />}</Answered>;
}

function Shown({ value }: { value: CompareDetail }) {
  const { row } = value;
  const marks: Mark[] = [];
  if (value.mark_a !== null) marks.push({ at: value.mark_a, text: 'A' });
  if (value.mark_b !== null) marks.push({ at: value.mark_b, text: 'B' });
  const ids = [...new Set([row.series_a, row.series_b])].join(',');
  return (
    <div class="compare-detail">
      <div class="spaced">
        <div>
          <h3>
            History{' '}
            <a class="small" href={formatHash({ page: 'series', state: { id: ids } })}>
              open as a series
            </a>
          </h3>
          <SeriesChart data={value.history} axis="date" marks={marks} height={190} />
        </div>
        <div>
          <h3>Samples</h3>
          <StripPlot
            label="Samples"
            lanes={[
              { name: 'A', samples: value.samples_a, low_ms: row.a_low_ms, high_ms: row.a_high_ms, tone: 'one' },
              { name: 'B', samples: value.samples_b, low_ms: row.b_low_ms, high_ms: row.b_high_ms, tone: 'two' },
            ]}
          />
          <p class="small muted">
            The line is the median, the band its interval, a cross a sample that does not count. {stopWords(value)}
          </p>
        </div>
      </div>
      <div class="spaced">
        <div>
          <h3>Repeat it, find out why</h3>
          {value.commands.map((one) => (
            <Command title={one.title} text={one.command} />
          ))}
        </div>
        <div>
          <h3>This row</h3>
          <dl class="facts">
            <dt>Unit</dt>
            <dd>{row.unit}</dd>
            <dt>A</dt>
            <dd>
              {time(row.a_ms)}
              {intervalOf(row.a_low_ms, row.a_high_ms)}
              {deviceOf(row.device_a, row.a_device_ms)}
            </dd>
            <dt>B</dt>
            <dd>
              {time(row.b_ms)}
              {intervalOf(row.b_low_ms, row.b_high_ms)}
              {deviceOf(row.device_b, row.b_device_ms)}
            </dd>
            {row.no_verdict && (
              <>
                <dt>No verdict</dt>
                <dd>{row.no_verdict}</dd>
              </>
            )}
            <dt>Margin</dt>
            <dd>{percent(row.margin_pct)}</dd>
          </dl>
        </div>
        <div>
          <h3>What differs around it</h3>
          {value.environment.length === 0 ? (
            <p class="muted">The recorded environments are equal.</p>
          ) : (
            <dl class="facts">
              {value.environment.map((one) => (
                <>
                  <dt>{one.field}</dt>
                  <dd>
                    {one.a} <span class="muted">→</span> {one.b}
                  </dd>
                </>
              ))}
            </dl>
          )}
        </div>
      </div>
    </div>
  );
}

function intervalOf(low: number | null, high: number | null): string {
  return low !== null && high !== null ? `, ${time(low)} to ${time(high)}` : '';
}

function deviceOf(device: string | null, ms: number | null): string {
  if (device === null) return '';
  return ms === null ? `, on ${device}` : `, ${time(ms)} of it on ${device}`;
}

function stopWords(value: CompareDetail): string {
  const dropped = [...value.samples_a.dropped, ...value.samples_b.dropped];
  const causes = new Map<string, number>();
  for (const one of dropped) causes.set(one.cause, (causes.get(one.cause) ?? 0) + one.count);
  return causes.size
    ? `Left out: ${[...causes].map(([cause, n]) => `${plural(n, 'sample')} ${cause}`).join(', ')}.`
    : '';
}
