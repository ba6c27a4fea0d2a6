// Histories under each other, with one pointer and one zoom over all of them.

import { useMemo } from 'preact/hooks';
import type { SeriesAnswer, SeriesData } from '../api';
import type { PageProps } from '../app';
import { commitsOf, inCommitOrder, placesOf } from '../charts/commit_order';
import { SeriesChart } from '../charts/series_chart';
import { change as changeText, date, plural, time } from '../core/format';
import { change, formatHash, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Empty, Panel } from '../parts/basics';
import { PageHead, Tabs } from '../parts/page_head';
import { AlertList } from './alert_list';
import { PointView } from './series_point';
import { SeriesTable } from './series_table';

const MOST = 12;
const WEEK = 7 * 86400;

export function SeriesPage({ state, overview }: PageProps) {
  const ids = (state.id === undefined ? (overview.pages.series?.id ?? []) : state.id.split(','))
    .filter(Boolean)
    .slice(0, MOST);
  const query = {
    id: ids,
    around: state.around,
    from: state.axis === 'commit' ? '' : state.from,
    to: state.axis === 'commit' ? '' : state.to,
    by: state.axis === 'commit' ? 'commit' : '',
  };
  const answer = useAnswer<SeriesAnswer>(ids.length ? 'api/series' : null, query);
  const toggle = (id: string) =>
    change({
      id: (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id].slice(-MOST)).join(',') || ',',
      point: '',
    });
  return (
    <>
      <PageHead
        title="Series"
        text="Times over commits, with the level and noise of each stretch, steps, alerts and notes."
        path={ids.length ? 'api/series' : null}
        query={query}
        tools={<Axis state={state} />}
      />
      {ids.length === 0 && (
        <section class="panel">
          <Empty title="No series is chosen" text="Choose some in the list below: Enter adds a row to the charts." />
        </section>
      )}
      <Answered answer={answer}>{(value) => <Charts value={value} state={state} onClose={toggle} />}</Answered>
      <SeriesTable state={state} shown={ids} onToggle={toggle} />
    </>
  );
}

function Axis({ state }: { state: State }) {
  const isZoomed = Boolean(state.from || state.to || state.around || state.first || state.last);
  return (
    <>
      {isZoomed && (
        <button
          type="button"
          class="button button-small"
          onClick={() => change({ from: '', to: '', around: '', first: '', last: '' })}>
          Whole range
        </button>
      )}
      <Tabs
        label="Axis"
        value={state.axis ?? 'date'}
        options={[
          ['date', 'By date'],
          ['commit', 'By commit'],
        ]}
        onChange={(axis) =>
          change({ axis: axis === 'date' ? '' : axis, from: '', to: '', first: '', last: '', around: '' })
        }
      />
    </>
  );
}

function Charts({ value, state, onClose }: { value: SeriesAnswer; state: State; onClose: (id: string) => void }) {
  const axis = state.axis === 'commit' ? 'commit' : 'date';
  const commits = useMemo(() => (axis === 'commit' ? commitsOf(value.series, value.commits) : []), [value, axis]);
  const series = useMemo(
    () => (axis === 'commit' ? value.series.map((data) => inCommitOrder(data, commits)) : value.series),
    [value, commits],
  );
  const range = rangeOf({ ...value, series }, state, axis, commits);
  return (
    <div class="spaced">
      <div class="series-list">
        {series.map((data) => (
          <One
            key={data.info.id}
            data={data}
            axis={axis}
            commits={commits}
            range={range}
            state={state}
            onClose={onClose}
          />
        ))}
      </div>
      <Key />
      <AlertList
        alerts={value.alerts}
        state={state}
        empty="No alert lies on these series."
        title="Alerts on these series"
        isOnSeries
      />
    </div>
  );
}

function rangeOf(
  value: SeriesAnswer,
  state: State,
  axis: 'date' | 'commit',
  commits: string[],
): [number, number] | null {
  if (axis === 'commit')
    return state.first && state.last
      ? [Number(state.first), Number(state.last)]
      : wholeOf(value.series, axis, commits);
  if (state.from && state.to) return [Date.parse(state.from) / 1000, Date.parse(state.to) / 1000];
  if (state.around) {
    for (const data of value.series) {
      const alert = data.alerts.find((one) => one.id === state.around);
      const at = alert && data.points.at_epoch_ms[alert.to];
      if (at) return [at / 1000 - WEEK, at / 1000 + WEEK];
    }
  }
  return wholeOf(value.series, axis, []);
}

// Charts that are shown together have the same axis, also where one series is shorter.
function wholeOf(series: SeriesData[], axis: 'date' | 'commit', commits: string[]): [number, number] | null {
  const ends = series.flatMap((data) => {
    const places = placesOf(data, axis, commits);
    return places.length ? [places[0], places[places.length - 1]] : [];
  });
  if (ends.length === 0) return null;
  const low = Math.min(...ends),
    high = Math.max(...ends);
  const room = (high - low) * 0.02 || (axis === 'date' ? 43200 : 1);
  return [low - room, high + room];
}

function zoomTo(axis: 'date' | 'commit', range: [number, number] | null): void {
  if (!range) change({ from: '', to: '', around: '', first: '', last: '', point: '' });
  else if (axis === 'commit') change({ first: range[0].toFixed(1), last: range[1].toFixed(1) });
  else change({ from: isoMinute(range[0]), to: isoMinute(range[1]), around: '' });
}

function isoMinute(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;
}

function One(props: {
  data: SeriesData;
  axis: 'date' | 'commit';
  commits: string[];
  range: [number, number] | null;
  state: State;
  onClose: (id: string) => void;
}) {
  const { data, state } = props;
  const { info } = data;
  const [chosenId, chosenAt] = (state.point ?? '').split('@');
  const index = chosenId === info.id ? data.points.at_epoch_ms.indexOf(Number(chosenAt)) : -1;
  const move = info.change_pct;
  return (
    <Panel
      title={info.scope === 'model' ? info.model : (info.shapes ?? info.unit)}
      note={[
        info.scope === 'model' ? '' : info.model,
        info.engine,
        plural(info.threads, 'thread'),
        info.suite,
        info.branch,
        info.machine_name,
      ]
        .filter(Boolean)
        .join(' · ')}
      tools={
        <>
          <span class="small">
            <strong>{time(info.last_ms)}</strong>{' '}
            <span class="muted">last, {changeText(move)} against the week before</span>
          </span>
          <button
            type="button"
            class="button button-small"
            aria-label={`Take away ${info.label}`}
            onClick={() => props.onClose(info.id)}>
            Close
          </button>
        </>
      }>
      {data.points.ms.length === 0 ? (
        <p class="muted">No point lies in this range.</p>
      ) : (
        <SeriesChart
          data={data}
          axis={props.axis}
          commits={props.commits}
          range={props.range}
          syncKey="series"
          chosenAlert={state.around ?? state.alert ?? ''}
          marks={index >= 0 ? [{ at: index, text: 'chosen' }] : []}
          onRange={(range) => zoomTo(props.axis, range)}
          onPoint={(at) => change({ point: `${info.id}@${data.points.at_epoch_ms[at]}` })}
        />
      )}
      {index >= 0 && (
        <PointView
          data={data}
          index={index}
          onMove={(at) => change({ point: `${info.id}@${data.points.at_epoch_ms[at]}` })}
        />
      )}
      <More data={data} />
    </Panel>
  );
}

function More({ data }: { data: SeriesData }) {
  const { points } = data;
  if (data.annotations.length + data.breaks.length + data.changes.length === 0) return null;
  const when = (at: number) => points.night[at] ?? date(points.at_epoch_ms[at]);
  return (
    <details class="fold small">
      <summary>
        {[
          plural(data.changes.length, 'step'),
          plural(data.breaks.length, 'break'),
          plural(data.annotations.length, 'note'),
        ].join(', ')}
      </summary>
      <ul class="lines">
        {data.changes.map((one) => (
          <li>
            {when(one.at)}: {changeText(one.change_pct)}, z {one.z.toFixed(1)}{' '}
            {one.at > 0 && (
              <a href={formatHash({ page: 'compare', state: { a: points.run[one.at - 1], b: points.run[one.at] } })}>
                compare before and after
              </a>
            )}
          </li>
        ))}
        {data.breaks.map((one) => (
          <li>
            {when(one.at)}: {one.what}: {one.text}
          </li>
        ))}
        {data.annotations.map((one) => (
          <li>
            {when(one.at)}: {one.verb}: {one.text} <span class="muted">{date(one.said_at)}</span>
            {one.link && isWebLink(one.link) && (
              <>
                {' '}
                <a href={one.link}>link</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/// Links come from results and may hold anything: only addresses of the web become links.
export function isWebLink(link: string): boolean {
  return /^https?:\/\//i.test(link);
}

function Key() {
  const keys: [string, string][] = [
    ['one', 'median and its interval'],
    ['line-strong', 'level of a stretch and its noise band'],
    ['slower', '▲ slower'],
    ['faster', '▼ faster'],
    ['muted', 'dotted: environment or method changed'],
    ['unclear', '⚑ note'],
  ];
  return (
    <div class="legend">
      {keys.map(([tone, text]) => (
        <span class="legend-key">
          <i style={{ color: `var(--${tone})` }} />
          {text}
        </span>
      ))}
      <span>Drag to zoom all charts, double click for the whole range, click a point for its run.</span>
    </div>
  );
}
