import type { ModelGraph } from '../api';
import { percent, plural, shortened, time } from '../core/format';

const WIDE = 148,
  HIGH = 24,
  GAP = 20;

type Node = ModelGraph['nodes'][number];

/// The steps by layer, darker where more of the time goes. The share stands in the box as well.
export function GraphMap(props: { graph: ModelGraph; chosen?: string; onChoose: (unit: string) => void }) {
  const { graph } = props;
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const most = Math.max(1e-9, ...graph.nodes.map((node) => node.share_pct ?? 0));
  return (
    <div class="chart scroll-both" tabIndex={0} aria-label="Graph of the model">
      <svg
        width={graph.width + 4}
        height={graph.layers * (HIGH + GAP) + 4}
        role="group"
        aria-label={`${graph.nodes.length} boxes`}>
        {graph.edges.map((edge) => (
          <path d={wayOf(edge, byId)} fill="none" stroke="var(--line-strong)" />
        ))}
        {graph.nodes.map((node) => (
          <Box
            node={node}
            most={most}
            isChosen={node.unit !== null && node.unit === props.chosen}
            onChoose={props.onChoose}
          />
        ))}
      </svg>
    </div>
  );
}

const topOf = (layer: number) => 2 + layer * (HIGH + GAP);

// From the lower side of one box to the upper side of the other; straight down beside the boxes of the layers between.
function wayOf(edge: ModelGraph['edges'][number], byId: Map<number, Node>): string {
  const first = byId.get(edge.from)?.layer ?? 0;
  let path = '';
  edge.x.forEach((x, index) => {
    const top = topOf(first + index);
    if (index === 0) path = `M${x + 2} ${top + HIGH}`;
    else {
      const before = edge.x[index - 1] + 2,
        middle = top - GAP / 2;
      path += `C${before} ${middle} ${x + 2} ${middle} ${x + 2} ${top}`;
      if (index < edge.x.length - 1) path += `V${top + HIGH}`;
    }
  });
  return path;
}

function Box(props: { node: Node; most: number; isChosen: boolean; onChoose: (unit: string) => void }) {
  const { node } = props;
  const x = node.x + 2 - WIDE / 2,
    y = topOf(node.layer);
  const share = node.share_pct;
  const heat = share === null ? 0 : 0.65 * Math.sqrt(share / props.most); // above it the text could not be read
  const choose = () => node.unit !== null && props.onChoose(node.unit);
  const what = node.steps > 1 ? `${node.operator} and ${plural(node.steps - 1, 'step')} behind it` : (node.unit ?? '');
  const label = [
    what,
    shortened(node.name, 200),
    node.in_place_ms === null ? '' : time(node.in_place_ms),
    share === null ? '' : `${percent(share)} of the call`,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <g
      class="node"
      tabIndex={node.unit === null ? undefined : 0}
      role={node.unit === null ? undefined : 'button'}
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
        {shortened(node.steps > 1 ? `${node.operator} +${node.steps - 1}` : node.operator || '?', 14)}
      </text>
      {share !== null && share >= 0.05 && (
        <text class="strong" x={x + WIDE - 8} y={y + 16} text-anchor="end">
          {percent(share)}
        </text>
      )}
    </g>
  );
}
