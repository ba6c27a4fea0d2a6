import type { Plans } from '../api';
import type { PageProps } from '../app';
import { moment, time } from '../core/format';
import { formatHash, go } from '../core/route';
import { useAnswer } from '../core/use_answer';
import { Answered, Empty, Panel } from '../parts/basics';
import { PageHead } from '../parts/page_head';
import { Table, TableEnd, type Column } from '../parts/table';

/// Runs of plans. A row leads to its units on the page Model.
export function PlansPage({ state }: PageProps) {
  const query = { offset: state.offset };
  const answer = useAnswer<Plans>('api/plans', query);
  return (
    <>
      <PageHead title="Plans" text="Runs in which a plan placed the units on workers." path="api/plans" query={query} />
      <Answered answer={answer}>
        {(value) => (
          <Panel bare title="Runs of plans" note="Enter opens the units of a run">
            {value.rows.length === 0 ? (
              <Empty
                title="No plan was run yet"
                text={value.why_none ?? undefined}
                command="./opbench profile MODEL --plan FILE"
              />
            ) : (
              <Table
                label="Runs of plans"
                columns={columns}
                rows={value.rows}
                keyOf={(row) => row.run}
                onOpen={(run) => go('model', { run })}
              />
            )}
            <TableEnd
              offset={value.offset}
              limit={value.limit}
              shown={value.rows.length}
              total={value.total}
              what="runs"
            />
          </Panel>
        )}
      </Answered>
    </>
  );
}

const columns: Column<Plans['rows'][number]>[] = [
  {
    key: 'label',
    title: 'Plan',
    class: 'name',
    cell: (row) => <a href={formatHash({ page: 'model', state: { run: row.run } })}>{row.label}</a>,
  },
  { key: 'ms', title: 'Whole model', isRight: true, class: 'strong', cell: (row) => time(row.end_to_end_ms) },
  { key: 'engine', title: 'Engine', cell: (row) => row.engine },
  { key: 'threads', title: 'Threads', isRight: true, cell: (row) => row.threads },
  { key: 'at', title: 'Run', isRight: true, cell: (row) => moment(row.at) },
];
