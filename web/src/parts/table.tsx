import { Fragment, type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { count } from '../core/format';
import { change } from '../core/route';

export interface Column<Row> {
  key: string;
  title: ComponentChildren;
  help?: string; // what the heading means, shown as its title
  sort?: string; // the name under which the answer can be sorted
  first?: 'asc' | 'desc'; // the order of the first click
  isRight?: boolean;
  class?: string;
  cell: (row: Row) => ComponentChildren;
}

export interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  sort?: string;
  order?: string;
  onSort?: (sort: string, order: string) => void;
  open?: string; // key of the row that is open
  onOpen?: (key: string, row: Row) => void; // what Enter and a click do
  detail?: (row: Row) => ComponentChildren;
}

export function Table<Row>(props: TableProps<Row>) {
  const box = useSeenWidth();
  return (
    <div class="scroll" ref={box}>
      <table aria-label={props.label}>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <Heading column={column} table={props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, index) => (
            <Line row={row} index={index} table={props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

// A row that opens is as wide as what is seen of the table, not as the table.
function useSeenWidth() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => element.style.setProperty('--seen', `${element.clientWidth}px`));
    observer.observe(element);
    element.style.setProperty('--seen', `${element.clientWidth}px`);
    return () => observer.disconnect();
  }, []);
  return box;
}

function Heading<Row>({ column, table }: { column: Column<Row>; table: TableProps<Row> }) {
  const isSorted = column.sort !== undefined && column.sort === table.sort;
  const side = column.isRight ? 'right' : undefined;
  if (!column.sort || !table.onSort)
    return (
      <th scope="col" class={side} title={column.help}>
        {column.title}
      </th>
    );
  const name = column.sort;
  const first = column.first ?? 'desc';
  const next = isSorted ? (table.order === 'desc' ? 'asc' : 'desc') : first;
  return (
    <th
      scope="col"
      class={side}
      title={column.help}
      aria-sort={isSorted ? (table.order === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <button type="button" onClick={() => table.onSort!(name, next)}>
        {column.title}
        <span class="arrow" aria-hidden="true">
          {isSorted ? (table.order === 'asc' ? '↑' : '↓') : ''}
        </span>
      </button>
    </th>
  );
}

function Line<Row>({ row, index, table }: { row: Row; index: number; table: TableProps<Row> }) {
  const key = table.keyOf(row);
  const isOpen = table.open === key;
  const act = table.onOpen && (() => table.onOpen!(key, row));
  const onClick = (event: MouseEvent) => {
    if (act && !(event.target as Element).closest('a, button, input') && !getSelection()?.toString()) act();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!act || event.target !== event.currentTarget) return;
    if (event.key === 'Enter' || event.key === ' ' || (event.key === 'Escape' && isOpen)) {
      act();
      event.preventDefault();
    }
  };
  return (
    <Fragment key={key}>
      <tr
        class={`row ${isOpen ? 'open' : ''}`}
        data-row
        tabIndex={act ? (index === 0 || isOpen ? 0 : -1) : undefined}
        aria-expanded={table.detail ? isOpen : undefined}
        onClick={onClick}
        onKeyDown={onKeyDown}>
        {table.columns.map((column, place) => (
          <td class={`${column.isRight ? 'right' : ''} ${column.class ?? ''}`}>
            {place === 0 && table.detail && (
              <span class="twist" aria-hidden="true">
                {isOpen ? '▾' : '▸'}
              </span>
            )}
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {isOpen && table.detail && (
        <tr class="detail">
          <td colSpan={table.columns.length}>
            <div class="detail-inner">{table.detail(row)}</div>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/// Which rows of how many are shown, and the pages before and after. The place stands in the address.
export function TableEnd(props: {
  offset: number;
  limit: number;
  shown: number;
  total: number;
  what: string;
  stateKey?: string;
  note?: ComponentChildren;
}) {
  const key = props.stateKey ?? 'offset';
  const last = props.offset + props.shown;
  const turn = (offset: number) => change({ [key]: offset > 0 ? String(offset) : '' });
  return (
    <div class="table-end">
      <span>
        {props.total === 0
          ? `No ${props.what}`
          : `${count(props.offset + 1)}–${count(last)} of ${count(props.total)} ${props.what}`}
        {props.note && <> · {props.note}</>}
      </span>
      {props.total > props.limit && (
        <span class="table-pages">
          <button
            type="button"
            class="button button-small"
            data-page="before"
            disabled={props.offset === 0}
            onClick={() => turn(Math.max(0, props.offset - props.limit))}>
            Before
          </button>
          <button
            type="button"
            class="button button-small"
            data-page="after"
            disabled={last >= props.total}
            onClick={() => turn(props.offset + props.limit)}>
            Next
          </button>
        </span>
      )}
    </div>
  );
}
