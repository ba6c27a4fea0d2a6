import type { ModelAnswer, ModelGraph } from '../api';
import { GraphMap } from '../charts/graph_map';
import { plural } from '../core/format';
import { useAnswer } from '../core/use_answer';
import { Answered, Empty, Notes, Panel } from '../parts/basics';

/// One call of the model as a graph of its steps, coloured by the share of each.
export function GraphView(props: {
  run: string;
  value: ModelAnswer;
  engine: string;
  chosen?: string;
  onChoose: (unit: string) => void;
}) {
  const { value, engine } = props;
  const isMeasured = value.units.some((unit) => unit.by_engine[engine]);
  const query = { run: props.run, model: value.model, engine: isMeasured ? engine : '' };
  const answer = useAnswer<ModelGraph>('api/model/graph', query);
  const graph = answer.value;
  return (
    <Panel title="Graph" note={graph?.engine ? noteOf(graph) : undefined}>
      <Answered answer={answer}>
        {(shown) =>
          shown.nodes.length === 0 ? (
            <Empty title="No graph to draw" text={shown.why_no_edges ?? undefined} />
          ) : (
            <div class="spaced">
              {shown.why_no_edges && <Notes lines={[shown.why_no_edges]} tone="unclear" />}
              <GraphMap graph={shown} chosen={props.chosen} onChoose={props.onChoose} />
            </div>
          )
        }
      </Answered>
    </Panel>
  );
}

function noteOf(graph: ModelGraph): string {
  const joined = graph.nodes.length < graph.steps ? `, drawn as ${plural(graph.nodes.length, 'box', 'boxes')}` : '';
  return `${graph.engine}: ${plural(graph.steps, 'step')} of one call${joined}; darker ones take more of it`;
}
