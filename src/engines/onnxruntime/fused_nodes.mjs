// Which nodes of the model each of ONNX Runtime's own nodes stands for.

const DECORATION = /^fused |_token_\d+$|_nchwc$|\/[A-Za-z]+Fusion\/?$/;

/** The node that gave ORT's its name: fusions decorate a node's name, or that of the value it makes. */
function anchorOf(name, byName, byOutput) {
  for (let text = name; text !== '';) {
    const node = byName.get(text) ?? byOutput.get(text);
    if (node !== undefined) return node;
    const shorter = text.replace(DECORATION, '');
    if (shorter === text) return undefined;
    text = shorter;
  }
  return undefined;
}

/** The nodes whose results depend on a graph input; ORT computes the others while loading. */
function nodesOfTheRun(nodes, inputs) {
  const made = new Set(inputs);
  return nodes.filter((node) => {
    const depends = node.inputs.some((input) => made.has(input));
    if (depends) node.outputs.forEach((output) => made.add(output));
    return depends;
  });
}

/** Gives the nodes above `anchor` that have no unit yet the unit `id`. */
function claimUpwards(anchor, id, byOutput, unitOf) {
  const waiting = [anchor];
  while (waiting.length > 0) {
    const node = waiting.pop();
    unitOf.set(node, id);
    for (const input of node.inputs) {
      const above = byOutput.get(input);
      if (above !== undefined && !unitOf.has(above)) waiting.push(above);
    }
  }
}

/** Adds `nodes` (names in the model's order) to each unit: the node it is named after, those that it absorbed
 * on the way there, and those after it that no unit is named after. `inputs` are the graph's. */
export function assignNodes(units, allNodes, inputs) {
  const nodes = nodesOfTheRun(allNodes, inputs);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const byOutput = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  byOutput.delete('');
  const unitOf = new Map();
  const anchors = new Map();
  for (const unit of units) {
    const anchor = anchorOf(unit.name, byName, byOutput);
    if (anchor === undefined || unitOf.has(anchor)) continue;
    anchors.set(unit.id, anchor);
    unitOf.set(anchor, unit.id);
  }
  for (const [id, anchor] of anchors) claimUpwards(anchor, id, byOutput, unitOf);
  for (const node of nodes) {
    if (unitOf.has(node)) continue;
    const above = node.inputs.map((input) => unitOf.get(byOutput.get(input)));
    const known = above.filter((id) => id !== undefined);
    if (known.length > 0) unitOf.set(node, Math.max(...known));
  }
  const members = units.map(() => []);
  for (const node of nodes) members[unitOf.get(node)]?.push(node.name);
  return units.map((unit) => ({ ...unit, nodes: members[unit.id] }));
}
