// What the last night says: whether it ran, what it found, what is missing, what changed.

import type { Tonight } from '../api';
import type { PageProps } from '../app';
import { NightBars } from '../charts/night_bars';
import { commit, count, moment, plural } from '../core/format';
import { change, formatHash, type State } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Command, Notes, Panel, Tile } from '../parts/basics';
import { Choice, PageHead } from '../parts/page_head';
import { AlertList, CommitLinks } from './alert_list';

export function TonightPage({ state, overview }: PageProps) {
  const first = overview.pages.tonight;
  const query = {
    suite: state.suite ?? first?.suite,
    branch: state.branch ?? first?.branch,
    machine: state.machine ?? first?.machine,
  };
  const answer = useAnswer<Tonight>('api/tonight', query);
  const suites = overview.suites;
  const chosen = suites.findIndex(
    (one) => one.suite === query.suite && one.branch === query.branch && one.machine === query.machine,
  );
  const pick = (index: string) => {
    const { suite, branch, machine } = suites[Number(index)];
    change({ suite, branch, machine, alert: '' });
  };
  return (
    <>
      <PageHead
        title="Tonight"
        text="The last night of a suite: whether it ran, what it found, what is missing, what changed before it."
        path="api/tonight"
        query={query}
        tools={
          suites.length > 1 && (
            <Choice
              label="Suite"
              value={String(chosen)}
              onChange={pick}
              options={suites.map((one, index): [string, string] => [
                String(index),
                `${one.suite} · ${one.branch} · ${one.machine_name}`,
              ])}
            />
          )
        }
      />
      <Answered answer={answer}>{(value) => <Shown value={value} state={state} />}</Answered>
    </>
  );
}

function Shown({ value, state }: { value: Tonight; state: State }) {
  return (
    <div class="spaced">
      <Banner value={value} />
      <Tiles value={value} />
      {value.why && <Notes lines={[value.why]} tone="unclear" />}
      <Notes lines={value.notes} />
      <AlertList
        alerts={value.alerts}
        total={value.alert_total}
        state={state}
        title="Alerts by cause"
        empty={value.is_analysed ? 'It ran and found nothing.' : 'Not analysed yet.'}
      />
      <div class="grid">
        <Changed value={value} />
        <Missing value={value} />
      </div>
      <div class="grid">
        <Failures value={value} />
        <Panel title="The last nights" note="bars: rows measured; ▲ alerts; amber: rows failed">
          <NightBars history={value.history} />
        </Panel>
      </div>
      {value.commands.length > 0 && (
        <Panel title="At the command line">
          {value.commands.map((one) => (
            <Command title={one.title} text={one.command} />
          ))}
        </Panel>
      )}
    </div>
  );
}

function Banner({ value }: { value: Tonight }) {
  const slower = value.alerts.some((alert) => alert.is_open && alert.is_slower);
  const tone = !value.is_analysed ? 'unclear' : value.is_quiet ? 'good' : slower ? 'bad' : 'unclear';
  return (
    <div class={`notice notice-${tone} banner`} role="status">
      <strong>{value.is_analysed ? value.verdict : 'The night was measured, and not analysed.'}</strong>
      <span class="muted">
        Night {value.night} ran {moment(value.began_at)} to {moment(value.ended_at)} on {value.machine_name}, commit{' '}
        <CommitLinks commits={[{ id: value.commit, url: value.commit_url, kind: 'code' }]} />
        {value.analysed_at
          ? `; analysed ${moment(value.analysed_at)}${value.detector ? ` by ${value.detector}` : ''}`
          : ''}
        .
      </span>
      {value.compare && (
        <a href={formatHash({ page: 'compare', state: { a: value.compare.a, b: value.compare.b } })}>
          Compare with the night before
        </a>
      )}
    </div>
  );
}

function Tiles({ value }: { value: Tonight }) {
  const open = value.alerts.filter((alert) => alert.is_open);
  const slower = open.filter((alert) => alert.is_slower && alert.kind === 'change').length;
  return (
    <div class="tiles">
      <Tile
        name="Rows measured"
        value={count(value.ran.rows)}
        note={`${plural(value.ran.cases, 'case')}, ${value.ran.left_out} left out`}
      />
      <Tile
        name="Failed"
        value={count(value.ran.failures.length)}
        tone={value.ran.failures.length ? 'slower' : undefined}
        note="each listed below"
      />
      <Tile
        name="Missing"
        value={count(value.missing.length)}
        tone={value.missing.length ? 'unclear' : undefined}
        note="had results the night before"
      />
      <Tile
        name="Open, slower"
        value={count(slower)}
        tone={slower ? 'slower' : undefined}
        note={`${plural(open.length, 'open alert')} in all`}
      />
      <Tile name="Paired runs" value={count(value.paired_runs)} note={`${plural(value.pairs, 'pair')} to confirm`} />
      <Tile name="History" value={plural(value.nights, 'night')} note={`${count(value.series)} series`} />
    </div>
  );
}

function Changed({ value }: { value: Tonight }) {
  return (
    <Panel title="What changed since the night before" note={plural(value.commits.length, 'commit')}>
      <dl class="facts">
        {value.changed.map((one) => (
          <>
            <dt>{one.what}</dt>
            <dd>
              {one.before && (
                <>
                  {commit(one.before)} <span class="muted">→</span>{' '}
                </>
              )}
              {commit(one.after)}
            </dd>
          </>
        ))}
        <dt>Commits</dt>
        <dd>
          <CommitLinks commits={value.commits} />
        </dd>
      </dl>
      {value.changed.length === 0 && value.commits.length === 0 && (
        <p class="muted">Nothing that was recorded changed.</p>
      )}
    </Panel>
  );
}

function Missing({ value }: { value: Tonight }) {
  const line = (one: { label: string; id: string | null }) =>
    one.id ? <a href={formatHash({ page: 'series', state: { id: one.id } })}>{one.label}</a> : one.label;
  return (
    <Panel title="Missing and new" note="missing series count in no average">
      {value.missing.length === 0 ? (
        <p class="muted">Every series of the night before has results.</p>
      ) : (
        <ul class="lines">
          {value.missing.map((one) => (
            <li>
              {line(one)} <span class="muted">{one.since ? `missing since ${one.since}` : 'missing'}</span>
            </li>
          ))}
        </ul>
      )}
      {value.appeared.length > 0 && (
        <>
          <h3 class="gap-above">New tonight</h3>
          <ul class="lines">
            {value.appeared.map((one) => (
              <li>{line(one)}</li>
            ))}
          </ul>
        </>
      )}
      {value.noisiest.length > 0 && (
        <>
          <h3 class="gap-above">Noisiest series</h3>
          <ul class="lines">
            {value.noisiest.map((one) => (
              <li>{one}</li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Failures({ value }: { value: Tonight }) {
  return (
    <Panel title="Failures" note={plural(value.ran.failures.length, 'failure')}>
      {value.ran.failures.length === 0 ? (
        <p class="muted">Every case ran to its end.</p>
      ) : (
        <ul class="lines">
          {value.ran.failures.map((one) => (
            <li>
              {one.subject}
              {one.engine && (
                <span class="muted">
                  {' '}
                  {one.engine}, {plural(one.threads, 'thread')}
                </span>
              )}
              : {one.reason}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
