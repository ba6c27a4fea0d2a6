import type { InterferenceMatrix } from '../api';
import { number, time } from '../core/format';
import { useAnswer } from '../core/use_answer';
import { Answered, Panel } from '../parts/basics';

/// How much longer each unit takes beside each other one. The number stands in every cell: colour alone says nothing.
export function MatrixView({ id }: { id: string }) {
  const answer = useAnswer<InterferenceMatrix>('api/plans/interference', { id });
  return <Answered answer={answer}>{(matrix) => <Matrix matrix={matrix} />}</Answered>;
}

function Matrix({ matrix }: { matrix: InterferenceMatrix }) {
  return (
    <Panel
      bare
      title="Side by side"
      note="times as long as alone: the unit of the row, beside that of the column; the interval stands in the tip of a cell">
      <div class="table-scroll scroll" tabIndex={0} aria-label="Interference matrix">
        <table class="matrix">
          <thead>
            <tr>
              <th>Unit</th>
              <th>Alone</th>
              {matrix.unit_list.map((unit) => (
                <th title={unit.workload}>{unit.key}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matrix.unit_list.map((unit, row) => (
              <tr>
                <th scope="row">
                  {unit.key} <span class="small muted">{unit.workload}</span>
                </th>
                <td>{time(unit.alone_ms)}</td>
                {matrix.cells[row].map((cell, column) => (
                  <Cell cell={cell} beside={matrix.unit_list[column].key} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Cell({ cell, beside }: { cell: InterferenceMatrix['cells'][number][number]; beside: string }) {
  if (cell === null) return <td title={`not measured beside ${beside}`}>–</td>;
  const heat = Math.min(0.5, Math.max(0, cell.ratio - 1));
  const tip = [
    cell.low !== null && cell.high !== null ? `${number(cell.low)} to ${number(cell.high)}` : '',
    cell.forecast !== null ? `forecast ${number(cell.forecast)}` : '',
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <td class="heat" title={tip} style={{ backgroundColor: `rgb(200 80 20 / ${heat})` }}>
      {cell.ratio.toFixed(2)}
    </td>
  );
}
