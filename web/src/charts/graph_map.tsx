import type { ModelGraph } from '../api';
import { percent, shortened } from '../core/format';

const WIDE = 148,
  HIGH = 24,
  GAP_X = 14,
  GAP_Y = 16;
const MOST = 1500; // nodes that are drawn

interface Placed {
  node: ModelGraph['nodes'][number];
  x: number;
  y: number;
}

/// The model's nodes by layer, darker where more of the time goes. The share stands in the node as well.
export function GraphMap(props: {
  graph: ModelGraph;
  shareOf: (unit: string | null) => number | null;
  chosen?: string;
  onChoose: (unit: string) => void;
}) {
  const nodes = props.graph.nodes.slice(0, MOST);
  const { placed, width, height } = placeNodes(nodes);
  const most = Math.max(1e-9, ...nodes.map((node) => props.shareOf(node.unit) ?? 0));
  return (
    <div class="chart scroll-both" tabIndex={0} aria-label="Graph of the model">
      <svg width={width} height={height} role="group" aria-label={`${props.graph.nodes.length} nodes`}>
        {props.graph.edges.map(({ from, to }) => {
          const a = placed.get(from),
            b = placed.get(to);
          return a && b ? <path d={curve(a, b)} fill="none" stroke="var(--line-strong)" /> : null;
        })}
        {[...placed.values()].map((one) => (
          <Box
            one={one}
            share={props.shareOf(one.node.unit)}
            most={most}
            isChosen={one.node.unit !== null && one.node.unit === props.chosen}
            onChoose={props.onChoose}
          />
        ))}
      </svg>
      {props.graph.nodes.length > MOST && (
        <p class="muted small">
          The first {MOST} of {props.graph.nodes.length} nodes.
        </p>
      )}
    </div>
  );
}

function placeNodes(nodes: ModelGraph['nodes']) {
  const layers = new Map<number, ModelGraph['nodes']>();
  for (const node of nodes) layers.set(node.layer, [...(layers.get(node.layer) ?? []), node]);
  const widest = Math.max(1, ...[...layers.values()].map((layer) => layer.length));
  const width = widest * (WIDE + GAP_X) + GAP_X + 40;
  const placed = new Map<number, Placed>();
  const ranks = [...layers.keys()].sort((a, b) => a - b);
  ranks.forEach((layer, row) => {
    const line = layers.get(layer)!;
    const left = (width - 40 - line.length * (WIDE + GAP_X) + GAP_X) / 2;
    line.forEach((node, column) =>
      placed.set(node.id, { node, x: left + column * (WIDE + GAP_X), y: 8 + row * (HIGH + GAP_Y) }),
    );
  });
  return { placed, width, height: ranks.length * (HIGH + GAP_Y) + 8 };
}

function curve(a: Placed, b: Placed): string {
  const x1 = a.x + WIDE / 2,
    y1 = a.y + HIGH,
    x2 = b.x + WIDE / 2,
    y2 = b.y;
  if (b.node.layer - a.node.layer > 1 && Math.abs(x1 - x2) < WIDE) {
    // around the nodes between them
    const side = Math.max(a.x, b.x) + WIDE + 26;
    return `M${a.x + WIDE} ${y1 - HIGH / 2}C${side} ${y1} ${side} ${y2} ${b.x + WIDE} ${y2 + HIGH / 2}`;
  }
  const middle = (y1 + y2) / 2;
  return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
}

function Box(props: {
  one: Placed;
  share: number | null;
  most: number;
  isChosen: boolean;
  onChoose: (unit: string) => void;
}) {
  const { node, x, y } = props.one;
  const heat = props.share === null ? 0 : 0.65 * Math.sqrt(props.share / props.most); // above it the text could not be read
  const choose = () => node.unit !== null && props.onChoose(node.unit);
  const label = `${node.operator} ${node.name}${props.share === null ? '' : `, ${percent(props.share)} of the model`}`;
  return (
    <g
      class="node"
      tabIndex={node.unit === null ? undefined : 0}
      role="button"
      aria-label={label}
      onClick={choose}
      onKeyDown={(event) => event.key === 'Enter' && choose()}>
      <title>{label}</title>
      <rect x={x} y={y} width={WIDE} height={HIGH} rx="5" fill="var(--panel)" />
      <rect
        x={x}
        y={y}
        width={WIDE}
        height={HIGH}
        rx="5"
        fill={`rgb(180 64 14 / ${heat})`}
        stroke={props.isChosen ? 'var(--accent)' : 'var(--line-strong)'}
        stroke-width={props.isChosen ? 2.5 : 1}
      />
      <text class="strong" x={x + 8} y={y + 16}>
        {shortened(node.operator, 14)}
      </text>
      {props.share !== null && props.share >= 0.05 && (
        <text class="strong" x={x + WIDE - 8} y={y + 16} text-anchor="end">
          {percent(props.share)}
        </text>
      )}
    </g>
  );
}
