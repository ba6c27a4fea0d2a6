// The drawn answer of api/model/graph: two columns of boxes, some of which hold several steps.

export function graph(store, query) {
  const units = store.workloads.filter(
    (unit) => unit.model === (query.get('model') ?? store.models[0]) && unit.scope === 'unit',
  );
  const box = (unit, id, layer, x, operator) => ({
    id,
    name: `/layer${layer}/${operator}${store.tail}`,
    operator,
    unit: unit && unit.unit,
    steps: unit ? 1 : 12,
    in_place_ms: 0.1 * (1 + (id % 7)),
    share_pct: 1.5 * (1 + (id % 7)),
    layer,
    x,
  });
  const nodes = units.flatMap((unit, index) => [
    box(unit, 2 * index, index, 74, 'conv2d+relu'),
    box(index % 3 ? unit : null, 2 * index + 1, index, 236, 'max_pool'),
  ]);
  const edges = [];
  for (let id = 0; id + 2 < nodes.length; id += 1) edges.push({ from: id, to: id + 2, x: [nodes[id].x, nodes[id + 2].x] });
  for (let id = 0; id + 6 < nodes.length; id += 4) edges.push({ from: id, to: id + 6, x: [74, 320, 320, 74] });
  return {
    model: query.get('model'),
    engine: 'halide@2',
    engines: ['halide@2'],
    why_no_edges: null,
    steps: nodes.length + 40,
    width: 340,
    layers: units.length,
    nodes,
    edges,
  };
}
