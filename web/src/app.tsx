import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Overview } from './api';
import { count, moment } from './core/format';
import { KEYS, listenToKeys } from './core/keyboard';
import { formatHash, useRoute, type State } from './core/route';
import { currentTheme, onThemeChange, switchTheme } from './core/theme';
import { useAnswer } from './core/use_answer';
import { Empty, Failure, Waiting } from './parts/basics';
import { ComparePage } from './pages/compare';
import { MachinesPage } from './pages/machines';
import { ModelPage } from './pages/model';
import { PlansPage } from './pages/plans';
import { SeriesPage } from './pages/series';
import { SqlPage } from './pages/sql';
import { TonightPage } from './pages/tonight';
import { TuningPage } from './pages/tuning';
import { WorkloadPage } from './pages/workload';

export interface PageProps {
  state: State;
  overview: Overview;
}

interface PageDef {
  name: string;
  title: string;
  group: string;
  view: ComponentType<PageProps>;
}

const PAGES: PageDef[] = [
  { name: 'compare', title: 'Compare', group: 'Changes', view: ComparePage },
  { name: 'series', title: 'Series', group: 'Changes', view: SeriesPage },
  { name: 'tonight', title: 'Tonight', group: 'Changes', view: TonightPage },
  { name: 'model', title: 'Model', group: 'Times', view: ModelPage },
  { name: 'workload', title: 'Workload', group: 'Times', view: WorkloadPage },
  { name: 'tuning', title: 'Tuning', group: 'Times', view: TuningPage },
  { name: 'plans', title: 'Plans', group: 'Times', view: PlansPage },
  { name: 'machines', title: 'Machines', group: 'Store', view: MachinesPage },
  { name: 'sql', title: 'SQL', group: 'Store', view: SqlPage },
];

export function App() {
  const { page, state } = useRoute();
  const overview = useAnswer<Overview>('api/overview');
  const help = useRef<HTMLDialogElement>(null);
  const main = useRef<HTMLElement>(null);
  const shown = PAGES.find((one) => one.name === page);
  useEffect(() => listenToKeys(() => help.current?.showModal()), []);
  useEffect(() => {
    document.title = `${shown?.title ?? 'Not found'} · OpBench`;
    scrollTo(0, 0);
  }, [page]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}>
        To the page
      </a>
      <div class="shell">
        <Side page={page} overview={overview.value} showHelp={() => help.current?.showModal()} />
        <main ref={main} tabIndex={-1}>
          {overview.error ? (
            <Failure error={overview.error} />
          ) : overview.value === null ? (
            <Waiting />
          ) : (
            <Shown page={page} state={state} overview={overview.value} />
          )}
        </main>
      </div>
      <Help dialog={help} />
    </>
  );
}

function Shown({ page, state, overview }: PageProps & { page: string }) {
  const found = PAGES.find((one) => one.name === page);
  if (!found) {
    return <Empty title={`There is no page "${page}".`} text={`known: ${PAGES.map((one) => one.name).join(', ')}`} />;
  }
  const hint = overview.empty_hints.find((one) => one.page === page);
  const isAsked = Object.keys(state).length > 0;
  if (hint && !isAsked && (overview.pages as Record<string, unknown>)[page] === null) {
    return (
      <>
        <div class="head">
          <div class="head-text">
            <h1>{found.title}</h1>
          </div>
        </div>
        <section class="panel">
          <Empty title="Nothing to show yet" text={hint.text} command={hint.command} />
        </section>
      </>
    );
  }
  const View = found.view;
  return <View key={page} state={state} overview={overview} />;
}

function Side(props: { page: string; overview: Overview | null; showHelp: () => void }) {
  const store = props.overview?.store;
  const open = (props.overview?.suites ?? []).reduce((sum, suite) => sum + (suite.open_alerts ?? 0), 0);
  let group = '';
  return (
    <header class="side">
      <a class="brand" href="#/compare">
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
          <path d="M2 16V9h3v7zM7.5 16V2h3v14zM13 16V6h3v10z" fill="currentColor" />
        </svg>
        OpBench
      </a>
      <nav class="pages" aria-label="Pages">
        {PAGES.map((page) => {
          const heading = page.group !== group ? <div class="pages-group">{page.group}</div> : null;
          group = page.group;
          return (
            <>
              {heading}
              <a
                href={formatHash({ page: page.name, state: {} })}
                aria-current={props.page === page.name ? 'page' : undefined}>
                {page.title}
                {page.name === 'tonight' && open > 0 && (
                  <span class="badge" title="open alerts">
                    {count(open)}
                  </span>
                )}
              </a>
            </>
          );
        })}
      </nav>
      <div class="side-end">
        {store && (
          <div class="side-facts">
            <div>
              Store <span class="mono">{store.name}</span>
            </div>
            <div>
              {count(store.benchmarks)} results, {count(store.trials)} trials
            </div>
            {props.overview!.is_export && <div>Exported {moment(props.overview!.exported_at)}</div>}
          </div>
        )}
        <div class="side-buttons">
          <ThemeButton />
          <button type="button" class="button button-small" onClick={props.showHelp} title="Keys (?)">
            Keys
          </button>
        </div>
      </div>
    </header>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(currentTheme());
  useEffect(() => onThemeChange(() => setTheme(document.documentElement.dataset.theme as typeof theme)), []);
  return (
    <button
      type="button"
      class="button button-small"
      onClick={switchTheme}
      aria-label={`Switch to ${theme === 'dark' ? 'light' : 'dark'} colours`}>
      {theme === 'dark' ? 'Light' : 'Dark'}
    </button>
  );
}

function Help({ dialog }: { dialog: { current: HTMLDialogElement | null } }) {
  return (
    <dialog ref={dialog as any} aria-label="Keys">
      <h2>Keys</h2>
      <div class="keys">
        {KEYS.map(([keys, text]) => (
          <>
            <span>
              {keys.split('  ').map((key) => (
                <>
                  <kbd>{key}</kbd>{' '}
                </>
              ))}
            </span>
            <span>{text}</span>
          </>
        ))}
      </div>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
