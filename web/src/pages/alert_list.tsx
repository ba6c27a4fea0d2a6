import type { AlertInfo } from '../api';
import { change as changeText, commit, count, date, plural } from '../core/format';
import { change, formatHash, type State } from '../core/route';
import { Command, Empty, Panel } from '../parts/basics';
import { Table, type Column } from '../parts/table';
import { LifeWord, StateWord } from '../parts/words';
import { isWebLink } from './series';

interface ListProps {
  alerts: AlertInfo[];
  state: State;
  title: string;
  empty: string;
  total?: number;
  isOnSeries?: boolean; // the list stands below the charts of its series
}

/// Alerts by cause. A row opens to what is behind it and to the commands that deal with it.
export function AlertList(props: ListProps) {
  const { alerts, state } = props;
  const open = alerts.filter((alert) => alert.is_open);
  const closed = alerts.length - open.length;
  const isAll = state.closed === '1' || props.isOnSeries === true;
  const shown = alerts.filter((alert) => alert.is_open || isAll || alert.id === state.alert);
  const tools = closed > 0 && !props.isOnSeries && (
    <button
      type="button"
      class="button button-small"
      aria-pressed={isAll}
      onClick={() => change({ closed: isAll ? '' : '1' })}>
      {isAll ? 'Only open ones' : `Show ${count(closed)} closed`}
    </button>
  );
  return (
    <Panel
      bare
      title={props.title}
      note={alerts.length ? `${count(open.length)} open, ${count(closed)} closed` : undefined}
      tools={tools}>
      {shown.length === 0 ? (
        <Empty title={alerts.length ? 'No alert is open' : props.empty} />
      ) : (
        <Table
          label={props.title}
          columns={columns}
          rows={shown}
          keyOf={(alert) => alert.id}
          open={state.alert}
          onOpen={(id) => change({ alert: id === state.alert ? '' : id })}
          detail={(alert) => <AlertDetail alert={alert} isOnSeries={props.isOnSeries === true} />}
        />
      )}
      {props.total !== undefined && props.total > alerts.length && (
        <div class="table-end">
          The first {count(alerts.length)} of {plural(props.total, 'alert')}.
        </div>
      )}
    </Panel>
  );
}

function rangeOf(alert: AlertInfo): [number, number] {
  const sizes = alert.rows.map((row) => row.change_pct);
  return [Math.min(...sizes), Math.max(...sizes)];
}

function changeOf(alert: AlertInfo): string {
  if (alert.kind === 'missing') return 'results missing';
  if (alert.rows.length === 0) return '';
  const [low, high] = rangeOf(alert);
  return low === high ? changeText(low) : `${changeText(low)} to ${changeText(high)}`;
}

const columns: Column<AlertInfo>[] = [
  {
    key: 'state',
    title: 'State',
    cell: (alert) => (
      <>
        <StateWord state={alert.state} /> <LifeWord life={alert.life} />
      </>
    ),
  },
  {
    key: 'what',
    title: 'What',
    class: 'strong',
    cell: (alert) =>
      alert.kind === 'missing' ? (
        <span class="text-unclear">– missing</span>
      ) : alert.is_slower ? (
        <span class="text-slower">▲ slower {changeOf(alert)}</span>
      ) : (
        <span class="text-faster">▼ faster {changeOf(alert)}</span>
      ),
  },
  {
    key: 'cause',
    title: 'Cause',
    class: 'name',
    cell: (alert) => (
      <>
        {alert.cause ?? 'not known'}
        <span class="small muted">
          {alert.engine} · {plural(alert.row_total, 'series', 'series')}
          {alert.why_suspected && alert.state === 'suspected' ? ` · ${alert.why_suspected}` : ''}
        </span>
      </>
    ),
  },
  {
    key: 'nights',
    title: 'Nights',
    cell: (alert) => (
      <>
        {alert.good_night} <span class="muted">→</span> {alert.bad_night}
      </>
    ),
  },
  { key: 'commits', title: 'Commits', cell: (alert) => commitWords(alert) },
];

function commitWords(alert: AlertInfo): string {
  const docs = alert.commits.filter((one) => one.kind === 'docs').length;
  return alert.commits.length === 0
    ? 'none'
    : `${plural(alert.commits.length, 'commit')}${docs ? `, ${docs} of documentation` : ''}`;
}

const SHOWN_COMMITS = 10;

export function CommitLinks({ commits }: { commits: AlertInfo['commits'] }) {
  if (commits.length === 0) return <span class="muted">none</span>;
  return (
    <>
      {commits.slice(0, SHOWN_COMMITS).map((one, index) => (
        <>
          {index > 0 && ' '}
          {one.url && isWebLink(one.url) ? (
            <a class="mono" href={one.url}>
              {commit(one.id)}
            </a>
          ) : (
            <span class="mono">{commit(one.id)}</span>
          )}
          {one.kind === 'docs' && <span class="muted"> docs</span>}
        </>
      ))}
      {commits.length > SHOWN_COMMITS && <span class="muted"> and {commits.length - SHOWN_COMMITS} more</span>}
    </>
  );
}

function AlertDetail({ alert, isOnSeries }: { alert: AlertInfo; isOnSeries: boolean }) {
  const ids = alert.rows
    .map((row) => row.id)
    .filter((id): id is string => id !== null)
    .slice(0, 4)
    .join(',');
  return (
    <div class="compare-detail">
      <div class="spaced">
        <div class="point-head">
          {isOnSeries ? (
            <button
              type="button"
              class="button button-small"
              onClick={() => change({ around: alert.id, from: '', to: '', axis: '' })}>
              A week around it
            </button>
          ) : (
            ids && (
              <a
                class="button button-small"
                href={formatHash({ page: 'series', state: { id: ids, around: alert.id } })}>
                Show its series
              </a>
            )
          )}
          {alert.compare && (
            <a
              class="button button-small"
              href={formatHash({ page: 'compare', state: { a: alert.compare.a, b: alert.compare.b } })}>
              Compare good with bad
            </a>
          )}
        </div>
        <Rows alert={alert} />
      </div>
      <div class="spaced">
        <dl class="facts">
          <dt>Commits</dt>
          <dd>
            <CommitLinks commits={alert.commits} />
          </dd>
          <dt>Reported</dt>
          <dd>{alert.reported_night ?? 'not yet'}</dd>
          <dt>Confirmed</dt>
          <dd>{alert.confirmed_night ?? 'not yet'}</dd>
          <dt>Settled</dt>
          <dd>{alert.settled_night ?? 'not yet'}</dd>
        </dl>
        {alert.annotations.length > 0 && (
          <ul class="lines">
            {alert.annotations.map((note) => (
              <li>
                {note.verb}: {note.text} <span class="muted">{date(note.said_at)}</span>
                {note.link && isWebLink(note.link) && (
                  <>
                    {' '}
                    <a href={note.link}>link</a>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        <div>
          {alert.commands.map((one) => (
            <Command title={one.title} text={one.command} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Rows({ alert }: { alert: AlertInfo }) {
  const columnsOfRows: Column<AlertInfo['rows'][number]>[] = [
    {
      key: 'label',
      title: 'Series',
      class: 'name',
      cell: (row) =>
        row.id ? (
          <a href={formatHash({ page: 'series', state: { id: row.id, around: alert.id } })}>{row.label}</a>
        ) : (
          row.label
        ),
    },
    {
      key: 'change',
      title: 'Change',
      isRight: true,
      cell: (row) => (
        <span class={row.change_pct > 0 ? 'text-slower' : 'text-faster'}>{changeText(row.change_pct)}</span>
      ),
    },
    {
      key: 'interval',
      title: 'Interval',
      isRight: true,
      cell: (row) => `${changeText(row.low_pct)} to ${changeText(row.high_pct)}`,
    },
    { key: 'z', title: 'z', isRight: true, help: 'Change over its standard error', cell: (row) => row.z.toFixed(1) },
    {
      key: 'pairs',
      title: 'Pairs',
      isRight: true,
      help: 'Paired samples of the good and the bad build',
      cell: (row) => count(row.pairs),
    },
  ];
  return (
    <div>
      <div class="inner-table">
        <Table label="Series of this alert" columns={columnsOfRows} rows={alert.rows} keyOf={(row) => row.series} />
      </div>
      {alert.row_total > alert.rows.length && (
        <p class="small muted">
          The first {alert.rows.length} of {plural(alert.row_total, 'series', 'series')}.
        </p>
      )}
    </div>
  );
}
