#include "experiments/sessions/model/model_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "base/numbers/random.h"
#include "base/tensors/half.h"
#include "experiments/sessions/model/expected_data.h"
#include "experiments/sessions/model/fixed_lengths.h"
#include "experiments/sessions/model/literal_tensor.h"
#include "experiments/sessions/model/memory_need.h"
#include "experiments/sessions/model/model_file.h"
#include "model/graph/onnx_file.h"
#include "model/graph/onnx_inputs.h"
#include "model/passes/bind_shapes.h"
#include "model/passes/passes.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

// Generated once for a name, batch size and seed, each time where there is no cache.
Result<Model> read_zoo(const std::string& name, int64_t batch_size, uint64_t seed) {
  const std::filesystem::path folder = cache_folder() / "zoo";
  const auto path =
      folder / fmt::format("{}-b{}-s{}-{}.onnx", name, batch_size, seed, zoo_version());
  Model model;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    OPBENCH_TRY(model, read_onnx(path));
  } else {
    OPBENCH_TRY(const std::string bytes, zoo_onnx(name, batch_size, seed));
    const bool is_kept = make_writable_folder(folder) && write_file(path, bytes);
    OPBENCH_TRY(model, is_kept ? read_onnx(path) : parse_onnx(bytes, name, {}));
  }
  model.name = name;
  model.source = "zoo";
  return model;
}

Result<void> check_layouts(const Workload& workload, const std::vector<int>& layouts) {
  const size_t tensors = workload.graph.inputs.size() - workload.weights.size() + 1;
  if (layouts.empty() || layouts.size() == tensors) return {};
  return Error{ErrorCode::kInvalidInput,
               fmt::format("layouts {} do not fit {} tensors", fmt::join(layouts, ","), tensors)}
      .with("needed", "one for every operand that is no weight, then the output's");
}

template <class T>
void fill_narrow(std::span<T> values, Random& random, ValueRange range) {
  std::vector<float> wide(values.size());
  random.fill_uniform(wide, range.low, range.high);
  std::ranges::transform(wide, values.begin(), [](float value) { return static_cast<T>(value); });
}

Tensor random_tensor(const TensorType& type, Random& random, ValueRange range = {}) {
  Tensor tensor = Tensor::empty(type);
  if (type.data_type == DataType::kFloat32) {
    random.fill_uniform(tensor.as<float>(), range.low, range.high);
  } else if (type.data_type == DataType::kFloat64) {
    const double width = static_cast<double>(range.high) - static_cast<double>(range.low);
    for (double& value : tensor.as<double>()) value = width * random.uniform() + range.low;
  } else if (type.data_type == DataType::kFloat16) {
    fill_narrow(tensor.as<Float16>(), random, range);
  } else if (type.data_type == DataType::kBFloat16) {
    fill_narrow(tensor.as<BFloat16>(), random, range);
  } else {
    // Small enough for every integer type, valid as an index into anything with two elements.
    const auto first = static_cast<uint64_t>(std::max(0.0F, std::ceil(range.low)));
    std::ranges::fill(tensor.data, std::byte{0});
    const size_t width = size_of(type.data_type);
    for (size_t i = 0; width > 0 && i < tensor.data.size(); i += width) {
      tensor.data[i] = static_cast<std::byte>(first + random.below(2));
    }
  }
  return tensor;
}

Result<Tensor> tensor_of_input(const ModelSpec& spec, const RequestedModel& model,
                               const Value& input) {
  TensorType type{input.data_type, {}};
  for (const Dimension& dimension : input.dimensions) type.shape.push_back(dimension.value);
  auto file = spec.inputs.find(input.name);
  if (file == spec.inputs.end()) file = model.input_files.find(input.name);
  if (file == model.input_files.end()) {
    return seeded_tensor(type, spec.seed, "input " + input.name, range_of(model.graph, input.name));
  }
  if (!names_tensor_file(file->second)) return literal_tensor(file->second, type, input.name);
  OPBENCH_TRY(Tensor tensor, read_tensor_as(file->second, type.data_type));
  if (tensor.type == type) return tensor;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("\"{}\" does not fit input \"{}\"", file->second, input.name)}
      .with("file",
            fmt::format("{} {}", name_of(tensor.type.data_type), shape_text(tensor.type.shape)))
      .with("input", fmt::format("{} {}", name_of(type.data_type), shape_text(type.shape)));
}

// What `spec` says of free dimensions: options first, so that a contradiction is the file's.
// A built-in model is made with its batch.
Result<ExtentChoices> extent_choices(const ModelSpec& spec, const RequestedModel& model) {
  ExtentChoices choices{.dimensions = spec.extents.dimensions};
  if (!spec.is_zoo) choices.batch_size = spec.extents.batch_size;
  if (spec.is_zoo) choices.otherwise = zoo_dimensions(spec.name);
  for (const auto& [name, shape] : spec.extents.shapes) {
    choices.shapes.push_back({name, shape, "--shape " + name});
  }
  std::map<std::string, std::string> inputs = model.input_files;
  inputs.insert(spec.inputs.begin(), spec.inputs.end());
  for (const auto& [name, text] : inputs) {
    if (model.fixed_inputs.contains(name)) continue;
    if (!names_tensor_file(text)) {
      choices.single_elements.insert(name);
      continue;
    }
    OPBENCH_TRY(const Tensor tensor, read_tensor(std::filesystem::path(text)));
    choices.shapes.push_back({name, tensor.type.shape, fmt::format("\"{}\"", text)});
  }
  return choices;
}

// Frees the extents of inputs that are fixed otherwise than `shapes` say.
void free_extents(Graph& graph, const std::map<std::string, Shape>& shapes) {
  for (Value& input : graph.inputs) {
    const auto shape = shapes.find(input.name);
    if (shape == shapes.end() || shape->second.size() != input.dimensions.size()) continue;
    for (size_t i = 0; i < input.dimensions.size(); ++i) {
      Dimension& dimension = input.dimensions[i];
      if (!dimension.is_free() && dimension.value != shape->second[i]) dimension = {};
    }
  }
}

// A number that the user gives for an input may decide which branch a model takes, or be what an
// operator must know before the run.
bool fixes_literal(const Graph& graph, const std::string& input) {
  return std::ranges::any_of(graph.nodes, [&](const Node& node) {
    const OperatorDef* def = operator_of(node);
    if (def == nullptr) return !node.bodies.empty();
    return std::ranges::any_of(def->parameters, [&](size_t index) {
      return index < node.inputs.size() && node.inputs[index] == input;
    });
  });
}

Result<void> check_input_names(const ModelSpec& spec, const RequestedModel& model) {
  std::vector<std::string> known;
  for (const Value& input : model.graph.inputs) known.push_back(input.name);
  for (const auto& [name, text] : spec.inputs) {
    if (model.fixed_inputs.contains(name)) continue;
    if (std::ranges::find(known, name) != known.end()) continue;
    return in_model(unknown_name("input", name, known), spec);
  }
  return {};
}

// Makes integer inputs that are given as numbers constants of the model.
Result<void> fix_literals(const ModelSpec& spec, RequestedModel& model) {
  OPBENCH_CHECK(check_input_names(spec, model));
  Graph& graph = model.graph;
  for (const Value& input : graph.inputs) {
    const auto given = spec.inputs.find(input.name);
    const bool is_number = given != spec.inputs.end() && !names_tensor_file(given->second);
    if (!is_number || !fixes_literal(graph, input.name)) continue;
    auto tensor = tensor_of_input(spec, model, input);
    if (!tensor) return in_model(std::move(tensor).error(), spec);
    if (integers(*tensor).empty()) continue;
    graph.constants.emplace(input.name, std::move(*tensor));
    model.fixed_inputs.insert(input.name);
  }
  std::erase_if(graph.inputs,
                [&](const Value& input) { return model.fixed_inputs.contains(input.name); });
  return {};
}

// What an attention's cache and query say of its total length, where `spec` does not.
Result<void> fix_lengths(const ModelSpec& spec, RequestedModel& model) {
  std::set<std::string> given;
  for (const auto* inputs : {&spec.inputs, &std::as_const(model).input_files}) {
    for (const auto& [name, text] : *inputs) given.insert(name);
  }
  OPBENCH_TRY(std::set<std::string> fixed, fix_total_lengths(model, given));
  model.fixed_inputs.merge(fixed);
  return {};
}

// The inputs as the model's file has them, those with a default included. None of a built-in model.
Result<std::vector<Value>> stated_inputs_of(const ModelSpec& spec, const RunHooks& hooks) {
  if (spec.is_zoo) return std::vector<Value>();
  OPBENCH_TRY(const RemoteModel remote, model_file(spec, hooks));
  OPBENCH_TRY(const std::string bytes, read_file(remote.file));
  return stated_inputs(bytes);
}

// Free extents as the file of values or, for a number, the default has them.
Result<Value> with_free_extents(Value input, const std::string& text, const Shape& otherwise) {
  Shape given = otherwise;
  if (names_tensor_file(text)) {
    OPBENCH_TRY(const Tensor tensor, read_tensor(std::filesystem::path(text)));
    given = tensor.type.shape;
  }
  if (!input.has_shape) input.dimensions.resize(given.size());
  input.has_shape = true;
  for (size_t i = 0; i < input.dimensions.size() && i < given.size(); ++i) {
    if (input.dimensions[i].is_free()) input.dimensions[i].value = given[i];
  }
  return input;
}

// An initialiser that is an input too is its default: what the user gives takes its place.
Result<void> replace_defaults(const ModelSpec& spec, const RunHooks& hooks, RequestedModel& model) {
  std::map<std::string, std::string> given = model.input_files;
  given.insert(spec.inputs.begin(), spec.inputs.end());
  std::map<std::string, Tensor>& constants = model.graph.constants;
  std::erase_if(given, [&](const auto& entry) { return !constants.contains(entry.first); });
  if (given.empty()) return {};
  OPBENCH_TRY(const std::vector<Value> stated, stated_inputs_of(spec, hooks));
  for (const auto& [name, text] : given) {
    const auto input = std::ranges::find(stated, name, &Value::name);
    if (input == stated.end()) continue;
    auto value = with_free_extents(*input, text, constants.at(name).type.shape);
    if (!value) return in_model(std::move(value).error(), spec);
    auto tensor = tensor_of_input(spec, model, *value);
    if (!tensor) return in_model(std::move(tensor).error(), spec);
    constants.insert_or_assign(name, std::move(*tensor));
    model.fixed_inputs.insert(name);
  }
  return {};
}

Result<Model> read_model(const ModelSpec& spec, const RunHooks& hooks, bool has_values) {
  if (spec.is_zoo) {
    const int64_t batch_size = std::max<int64_t>(spec.extents.batch_size, 1);
    if (!has_values) return zoo_outline(spec.name, batch_size);
    return read_zoo(spec.name, batch_size, spec.seed);
  }
  return read_model_file(spec, hooks);
}

}  // namespace

Tensor seeded_tensor(const TensorType& type, uint64_t seed, const std::string& name,
                     ValueRange range) {
  Random random(seed, name);
  return random_tensor(type, random, range);
}

namespace {

/// A weight of a workload as it is drawn from its seed.
void fill_weight(Tensor& tensor, const std::string& name, uint64_t seed, ValueRange range) {
  const TensorType type = tensor.type;
  Random random(seed, "weight " + name);
  tensor = random_tensor(type, random);
  if (type.data_type == DataType::kFloat32 && type.shape.size() > 1) {
    const double fan_in = static_cast<double>(type.size()) / static_cast<double>(type.shape[0]);
    random.fill_normal(tensor.as<float>(), static_cast<float>(std::sqrt(2.0 / fan_in)));
  }
  if (range != ValueRange{}) tensor = random_tensor(type, random, range);
}

}  // namespace

Model model_of_workload(const Workload& workload, uint64_t seed) {
  Model model = outline_of_workload(workload);
  for (const std::string& weight : workload.weights) {
    fill_weight(model.graph.constants[weight], weight, seed, range_of(model.graph, weight));
  }
  return model;
}

Model outline_of_workload(const Workload& workload) {
  Model model;
  model.name = operator_text(workload);
  model.source = "workload";
  model.opset = workload.opset;
  model.ir_version = 8;
  model.graph = workload.graph;
  model.sha256 = sha256(text_of(workload));
  std::erase_if(model.graph.inputs, [&](const Value& v) { return workload.is_weight(v.name); });
  for (const std::string& weight : workload.weights) {
    Tensor& tensor = model.graph.constants[weight];
    tensor.type = workload.graph.types.at(weight);
    // Passes look into what holds a value for each channel.
    if (tensor.type.shape.size() < 2) tensor.data.assign(tensor.type.bytes(), std::byte{0});
  }
  // ONNX Runtime refuses models with two nodes of one name.
  std::set<std::string> names;
  for (size_t i = 0; i < model.graph.nodes.size(); ++i) {
    Node& node = model.graph.nodes[i];
    if (node.name.empty() || names.contains(node.name)) {
      node.name = fmt::format("{}_{}", node.type, i);
    }
    names.insert(node.name);
    if (!node.domain.empty()) model.other_opsets[node.domain] = 1;
  }
  return model;
}

Error in_model(Error error, const ModelSpec& spec) {
  if (spec.name.empty() || error.code != ErrorCode::kInvalidInput) return error;
  const bool is_named =
      error.message.find(spec.name) != std::string::npos ||
      std::ranges::any_of(error.facts, [](const Fact& fact) { return fact.label == "in"; });
  if (is_named) return error;
  return std::move(error).with("in", spec.name);
}

namespace {

Result<RequestedModel> load(const ModelSpec& spec, const MeasureOptions& measure,
                            const RunHooks& hooks, bool has_values) {
  if (!spec.download.sha256.empty() && (spec.is_zoo || !spec.workload.empty())) {
    return Error{ErrorCode::kInvalidInput, "--sha256 is for files and URLs"}.with(
        "not for", spec.is_zoo ? spec.name : spec.workload);
  }
  if (!spec.workload.empty()) {
    OPBENCH_TRY(const Workload workload, parse_workload(spec.workload));
    OPBENCH_CHECK(check_layouts(workload, spec.layouts));
    OPBENCH_CHECK(check_memory(workload.graph, spec.workload, workload.weights));
    if (!has_values) return RequestedModel{outline_of_workload(workload), {}, {}};
    return RequestedModel{model_of_workload(workload, spec.seed), {}, {}};
  }
  RequestedModel model;
  OPBENCH_TRY(static_cast<Model&>(model), read_model(spec, hooks, has_values));
  if (model.graph.nodes.empty()) {
    return in_model({ErrorCode::kInvalidInput, "the graph has nothing to compute"}, spec);
  }
  if (const auto folder = expected_folder(measure.check_engine); folder) {
    const bool has_more = numbered_files(*folder, "input").size() > model.graph.inputs.size();
    std::vector<Value> stated;
    if (has_more) {
      OPBENCH_TRY(stated, stated_inputs_of(spec, hooks));
    }
    auto files = expected_inputs(*folder, model.graph, stated, spec.inputs);
    if (!files) return in_model(std::move(files).error(), spec);
    model.input_files = std::move(*files);
  }
  drop_unread_results(model);
  OPBENCH_CHECK(replace_defaults(spec, hooks, model));
  if (spec.extents.replaces_fixed) free_extents(model.graph, spec.extents.shapes);
  OPBENCH_TRY(const ExtentChoices choices, extent_choices(spec, model));
  const Result<void> bound = bind_shapes(model, choices);
  if (!bound) return in_model(bound.error(), spec);
  OPBENCH_CHECK(fix_literals(spec, model));
  OPBENCH_CHECK(fix_lengths(spec, model));
  if (!spec.randomize_weights) return model;
  const Result<void> randomized = randomize_weights(model, *spec.randomize_weights);
  if (!randomized) return in_model(randomized.error(), spec);
  return model;
}

}  // namespace

Result<RequestedModel> load_model(const ModelSpec& spec, const MeasureOptions& measure,
                                  const RunHooks& hooks) {
  return load(spec, measure, hooks, true);
}

Result<RequestedModel> load_outline(const ModelSpec& spec, const MeasureOptions& measure,
                                    const RunHooks& hooks) {
  return load(spec, measure, hooks, false);
}

Result<void> check_inputs(const ModelSpec& spec, const RequestedModel& model) {
  OPBENCH_CHECK(check_input_names(spec, model));
  for (const Value& input : model.graph.inputs) {
    if (!spec.inputs.contains(input.name)) continue;
    const Result<Tensor> tensor = tensor_of_input(spec, model, input);
    if (!tensor) return in_model(tensor.error(), spec);
  }
  return {};
}

Result<std::vector<std::pair<std::string, Tensor>>> input_tensors(const ModelSpec& spec,
                                                                  const RequestedModel& model) {
  OPBENCH_CHECK(check_input_names(spec, model));
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const Value& input : model.graph.inputs) {
    Result<Tensor> tensor = tensor_of_input(spec, model, input);
    if (!tensor) return in_model(std::move(tensor).error(), spec);
    tensors.emplace_back(input.name, std::move(*tensor));
  }
  return tensors;
}

}  // namespace opbench
