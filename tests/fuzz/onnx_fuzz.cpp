#include "onnx_fuzz.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "base/numbers/random.h"
#include "base/text/printable.h"
#include "model/graph/onnx_export.h"
#include "model/graph/onnx_file.h"
#include "model/judging/exact_values.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"
#include "model/passes/bind_shapes.h"
#include "model/passes/passes.h"
#include "model/passes/unknown_operators.h"
#include "model/zoo/zoo.h"
#include "model_damage.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

/// Larger ones say nothing new, and take long to damage.
constexpr size_t kLargestModel = size_t{256} << 10;

Error did_not_hold(std::string what) { return {ErrorCode::kSystem, std::move(what)}; }

/// Whether a user can act on the error.
Result<void> check_error(const Error& error) {
  const bool is_known =
      error.code == ErrorCode::kInvalidInput || error.code == ErrorCode::kEnvironment;
  if (!is_known) {
    return did_not_hold(fmt::format("an error of code {}: {}", static_cast<int>(error.code),
                                    printable(error.message)));
  }
  if (error.message.empty()) return did_not_hold("an error without a message");
  return {};
}

/// The model with the values that its test data have for the inputs as initialisers.
std::string with_test_data(const std::string& model, const fs::path& folder) {
  onnx::ModelProto proto;
  if (!proto.ParsePartialFromString(model)) return "";
  onnx::GraphProto& graph = *proto.mutable_graph();
  for (int i = 0; i < graph.input_size(); ++i) {
    const auto bytes = read_file(folder / fmt::format("input_{}.pb", i));
    onnx::TensorProto tensor;
    if (!bytes || !tensor.ParsePartialFromString(*bytes) || tensor.dims_size() > 8) continue;
    if (bytes->size() > kLargestModel) continue;
    tensor.set_name(graph.input(i).name());
    *graph.add_initializer() = std::move(tensor);
  }
  return graph.initializer_size() == 0 ? "" : proto.SerializePartialAsString();
}

/// Gives free dimensions small extents.
void bind_small(Model& model) {
  for (Value& input : model.graph.inputs) {
    input.has_shape = true;
    for (Dimension& dimension : input.dimensions) {
      if (dimension.is_free()) dimension.value = 2;
    }
  }
}

double bytes_of_all(const Graph& graph) {
  double bytes = 0;
  for (const auto& [name, type] : graph.types) bytes += static_cast<double>(type.bytes());
  return bytes;
}

double work_of(const Model& model) {
  double flops = 0;
  for (const Node& node : model.graph.nodes) {
    const OperatorDef* def = operator_of(node);
    if (def == nullptr || def->flops == nullptr) return std::numeric_limits<double>::infinity();
    const OperatorCall call = call_of(node, model.graph, model.opset);
    std::vector<TensorType> outputs;
    for (const std::string& output : node.outputs) {
      const auto type = model.graph.types.find(output);
      outputs.push_back(type == model.graph.types.end() ? TensorType{} : type->second);
    }
    flops += def->flops(call, outputs);
  }
  return flops;
}

Tensor some_values(const TensorType& type, Random& random) {
  Tensor tensor = Tensor::empty(type);
  if (type.data_type == DataType::kFloat32) {
    random.fill_uniform(tensor.as<float>(), -1, 1);
  } else {
    std::ranges::fill(tensor.data, std::byte{0});
    const size_t width = size_of(type.data_type);
    for (size_t i = 0; width > 0 && i < tensor.data.size(); i += width) {
      tensor.data[i] = static_cast<std::byte>(random.below(2));
    }
  }
  return tensor;
}

/// As `verify` does with its engine `reference`, then in double precision.
Result<void> run_references(const Model& model, Random& random) {
  constexpr double kMostBytes = 0x1p23;
  constexpr double kMostWork = 1e6;
  if (bytes_of_all(model.graph) > kMostBytes || !(work_of(model) <= kMostWork)) return {};
  std::map<std::string, Tensor> known;
  for (const Value& input : model.graph.inputs) {
    const TensorType& type = model.graph.types.at(input.name);
    if (size_of(type.data_type) == 0) return {};
    known.emplace(input.name, some_values(type, random));
  }
  std::vector<std::string> wanted;
  for (const Value& output : model.graph.outputs) wanted.push_back(output.name);
  const auto values = exact_values(model, std::move(known), wanted);
  return values ? Result<void>() : check_error(values.error());
}

Result<void> write_again(const Model& model) {
  const auto bytes = onnx_bytes(model);
  if (!bytes) return check_error(bytes.error());
  const auto again = parse_onnx(*bytes, "written", {});
  if (again) return {};
  return did_not_hold("what was written is not read: " + printable(to_text(again.error())));
}

/// All that commands do with a model of which only parts can run.
Result<void> set_aside(Model model) {
  const auto opaque = set_aside_opaque(model);
  if (!opaque) return check_error(opaque.error());
  const auto units = lower(model);
  return units ? Result<void>() : check_error(units.error());
}

Result<void> lower_and_print(Model model) {
  const auto units = lower(model);
  if (!units) return check_error(units.error());
  for (const Unit& unit : *units) {
    const std::string text = text_of(unit.workload);
    (void)flops_of(unit.workload);
    (void)bytes_of(unit.workload);
    (void)short_shapes(unit.workload);
    const auto again = parse_workload(text);
    if (!again) OPBENCH_CHECK(check_error(again.error()));
  }
  return {};
}

std::vector<std::string> models_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& item : fs::recursive_directory_iterator(folder, error)) {
    if (item.path().extension() == ".onnx") paths.push_back(item.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> models;
  for (const fs::path& path : paths) {
    auto bytes = read_file(path);
    if (!bytes || bytes->size() > kLargestModel) continue;
    std::string with_data = with_test_data(*bytes, path.parent_path() / "test_data_set_0");
    models.push_back(std::move(*bytes));
    if (!with_data.empty()) models.push_back(std::move(with_data));
  }
  return models;
}

}  // namespace

Result<OnnxFuzz> OnnxFuzz::make(uint64_t seed, const fs::path& folder) {
  OPBENCH_TRY(TemporaryFolder own, TemporaryFolder::make());
  OnnxFuzz fuzz(seed, std::move(own));
  fuzz.models_ = models_below(folder);
  for (const ZooEntry& entry : zoo_entries()) {
    if (entry.source != "simple") continue;
    OPBENCH_TRY(std::string bytes, zoo_onnx(entry.name, 1, 0));
    if (bytes.size() <= kLargestModel) fuzz.models_.push_back(std::move(bytes));
  }
  if (!fuzz.models_.empty()) return fuzz;
  return Error{ErrorCode::kInvalidInput, "no model to damage in \"" + folder.string() + "\""};
}

std::string OnnxFuzz::input(uint64_t number) const {
  Random random(seed_, fmt::format("model {}", number));
  const std::string& model = models_[random.below(models_.size())];
  const std::string& donor = models_[random.below(models_.size())];
  if (random.below(4) == 0) return with_damaged_bytes(model, random);
  return with_damaged_fields(model, donor, random);
}

Result<void> OnnxFuzz::run(const std::string& bytes) const {
  Random random(seed_, "values");
  auto model = parse_onnx(bytes, "model", folder_.path());
  if (!model) return check_error(model.error());
  drop_unread_results(*model);
  if (const auto bound = bind_shapes(*model, {}); !bound) {
    OPBENCH_CHECK(check_error(bound.error()));
    bind_small(*model);
  }
  OPBENCH_CHECK(write_again(*model));
  OPBENCH_CHECK(set_aside(*model));
  OPBENCH_CHECK(lower_and_print(*model));
  const auto typed = infer_types(*model);
  if (!typed) return check_error(typed.error());
  (void)single_nodes(*model);
  return run_references(*model, random);
}

}  // namespace opbench
