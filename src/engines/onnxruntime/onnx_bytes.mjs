// ONNX files as protobuf bytes: just enough to read a graph's nodes, name those without a name, turn
// graph inputs into initialisers, and write a one-node model. Field numbers are those of onnx.proto.

const MODEL = { irVersion: 1, graph: 7, opsets: 8 };
const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 };
const NODE = { input: 1, output: 2, name: 3, type: 4 };
const TENSOR = { dims: 1, dataType: 2, name: 8, rawData: 9 };
const VALUE_NAME = 1;
const VARINT = 0;
const BYTES = 2;

/** The number of ONNX's TensorProto.DataType for the protocol's word. */
export const ONNX_TYPES = {
  float32: 1, uint8: 2, int8: 3, uint16: 4, int16: 5, int32: 6, int64: 7, bool: 9, float16: 10,
  float64: 11, uint32: 12, uint64: 13,
};

function readVarint(bytes, at) {
  let value = 0;
  let scale = 1;
  for (;;) {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error('the model ends in the middle of a field');
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
    scale *= 128;
  }
}

/** The fields of a message in order: {number, wire, whole (with its tag), content}. */
function fieldsOf(bytes) {
  const fields = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    let tag;
    let length = 0;
    [tag, at] = readVarint(bytes, at);
    const wire = tag % 8;
    if (wire === VARINT) [, at] = readVarint(bytes, at);
    else if (wire === BYTES) [length, at] = readVarint(bytes, at);
    else if (wire === 1) length = 8;
    else if (wire === 5) length = 4;
    else throw new Error('the model is not an ONNX file');
    const content = bytes.subarray(at, at + length);
    if (content.length !== length) throw new Error('the model ends in the middle of a field');
    at += length;
    fields.push({ number: Math.floor(tag / 8), wire, whole: bytes.subarray(start, at), content });
  }
  return fields;
}

function varint(value) {
  const bytes = [];
  while (value > 127) {
    bytes.push((value % 128) | 128);
    value = Math.floor(value / 128);
  }
  return Buffer.from([...bytes, value]);
}

const number = (field, value) => Buffer.concat([varint(field * 8 + VARINT), varint(value)]);
const message = (field, ...parts) => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([varint(field * 8 + BYTES), varint(length), ...parts]);
};
const text = (field, value) => message(field, Buffer.from(value));

const textOf = (content) => Buffer.from(content).toString('utf8');
const firstText = (fields, wanted) => {
  const field = fields.find((candidate) => candidate.number === wanted);
  return field === undefined ? '' : textOf(field.content);
};

function nodeOf(content) {
  const fields = fieldsOf(content);
  const texts = (wanted) =>
    fields.filter((field) => field.number === wanted).map((field) => textOf(field.content));
  const node = {
    name: firstText(fields, NODE.name),
    type: firstText(fields, NODE.type),
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
  };
  return { ...node, name: node.name || node.outputs.find((output) => output !== '') || '' };
}

const graphOf = (model) => {
  const graph = fieldsOf(model).find((field) => field.number === MODEL.graph);
  if (graph === undefined) throw new Error('the model has no graph');
  return graph.content;
};

/** The nodes of a model: {name, type, inputs, outputs}; one without a name has its first output's. */
export function nodesOf(model) {
  return fieldsOf(graphOf(model))
    .filter((field) => field.number === GRAPH.node)
    .map((field) => nodeOf(field.content));
}

function named(field) {
  if (field.number !== GRAPH.node) return field.whole;
  if (firstText(fieldsOf(field.content), NODE.name) !== '') return field.whole;
  return message(GRAPH.node, field.content, text(NODE.name, nodeOf(field.content).name));
}

function withGraph(model, change) {
  return Buffer.concat(fieldsOf(model).map((field) =>
    field.number === MODEL.graph ? message(MODEL.graph, ...change(fieldsOf(field.content)))
      : field.whole));
}

/** The model with a name on every node, or null if it is so already. */
export function withNodeNames(model) {
  const unnamed = fieldsOf(graphOf(model)).some((field) =>
    field.number === GRAPH.node && firstText(fieldsOf(field.content), NODE.name) === '');
  return unnamed ? withGraph(model, (fields) => fields.map(named)) : null;
}

function initializer(name, tensor) {
  const data = tensor.data;
  return message(GRAPH.initializer, ...tensor.dims.map((extent) => number(TENSOR.dims, extent)),
    number(TENSOR.dataType, ONNX_TYPES[tensor.type]), text(TENSOR.name, name),
    message(TENSOR.rawData, Buffer.from(data.buffer, data.byteOffset, data.byteLength)));
}

/** The model with the inputs named in `tensors` (a Map) turned into initialisers of these values. */
export function withInitializers(model, tensors) {
  return withGraph(model, (fields) => [
    ...fields
      .filter((field) => field.number !== GRAPH.input ||
        !tensors.has(firstText(fieldsOf(field.content), VALUE_NAME)))
      .map((field) => field.whole),
    ...[...tensors].map(([name, tensor]) => initializer(name, tensor)),
  ]);
}

/** A model that copies one float32 from x to y. */
export function identityModel() {
  const shape = message(2, message(1, number(1, 1)));
  const value = (field, name) =>
    message(field, text(VALUE_NAME, name), message(2, message(1, number(1, 1), shape)));
  const node = message(GRAPH.node, text(NODE.input, 'x'), text(NODE.output, 'y'),
    text(NODE.name, 'identity'), text(NODE.type, 'Identity'));
  const graph = message(MODEL.graph, node, text(GRAPH.name, 'floor'), value(GRAPH.input, 'x'),
    value(GRAPH.output, 'y'));
  return Buffer.concat([number(MODEL.irVersion, 8), message(MODEL.opsets, number(2, 13)), graph]);
}
