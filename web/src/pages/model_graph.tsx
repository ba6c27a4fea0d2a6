import type { ModelAnswer, ModelGraph } from '../api';
import { GraphMap } from '../charts/graph_map';
import { useAnswer } from '../core/use_answer';
import { Answered, Notes, Panel } from '../parts/basics';

/// The graph of the model, coloured by the share of each node's unit.
export function GraphView(props: {
  run: string;
  value: ModelAnswer;
  engine: string;
  chosen?: string;
  onChoose: (unit: string) => void;
}) {
  const { value, engine } = props;
  const answer = useAnswer<ModelGraph>('api/model/graph', { run: props.run, model: value.model });
  const shares = new Map<string, number>();
  for (const unit of value.units) {
    const share = unit.by_engine[engine]?.share_pct;
    if (share !== null && share !== undefined) shares.set(unit.unit, share / Math.max(1, unit.count));
  }
  return (
    <Panel
      title="Graph"
      note={`${engine}; darker nodes take more of the model. A unit that runs several times shows the share of one call.`}>
      <Answered answer={answer}>
        {(graph) => (
          <div class="spaced">
            {graph.why_no_edges && <Notes lines={[graph.why_no_edges]} tone="unclear" />}
            <GraphMap
              graph={graph}
              shareOf={(unit) => (unit === null ? null : (shares.get(unit) ?? null))}
              chosen={props.chosen}
              onChoose={props.onChoose}
            />
          </div>
        )}
      </Answered>
    </Panel>
  );
}
