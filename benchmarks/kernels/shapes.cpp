#include "benchmarks/kernels/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/request/profile_request.h"
#include "model/operators/workloads/unit_workload.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

constexpr const char* kOddChannels = "odd-channels";
constexpr const char* kKernelShapesBatch = "batch";
constexpr const char* kAvx2 = "avx2";
constexpr const char* kAvx2Target = "llvm -mcpu=core-avx2";

struct ExtraShape {
  const char* set;
  const char* workload;
};

constexpr ExtraShape kExtraShapes[] = {
    {kOddChannels, "conv2d 1x30x56x56 w:50x30x3x3 pads=1,1,1,1"},
    {kOddChannels, "conv2d 1x100x28x28 w:100x100x3x3 pads=1,1,1,1"},
    {kOddChannels, "conv2d 1x60x28x28 w:90x60x3x3 pads=1,1,1,1 strides=2,2"},
    {kOddChannels, "conv2d 1x116x28x28 w:116x116x1x1"},
    {kOddChannels, "conv2d 1x232x14x14 w:232x232x1x1"},
    {kOddChannels, "conv2d 1x58x28x28 w:58x1x3x3 group=58 pads=1,1,1,1"},
    {kOddChannels, "conv2d 1x20x28x28 w:50x20x5x5 pads=2,2,2,2"},
    {kOddChannels, "dense 1x500 w:1001x500 transB=1"},
    {kOddChannels, "dense 20x300 w:301x300 transB=1"},
    {kKernelShapesBatch, "conv2d 4x64x56x56 w:64x64x3x3 pads=1,1,1,1"},
    {kKernelShapesBatch, "conv2d 8x128x28x28 w:128x128x3x3 pads=1,1,1,1"},
    {kKernelShapesBatch, "conv2d 8x512x7x7 w:512x512x3x3 pads=1,1,1,1"},
    {kKernelShapesBatch, "conv2d 4x64x56x56 w:256x64x1x1"},
    {kKernelShapesBatch, "conv2d 8x1024x14x14 w:256x1024x1x1"},
    {kKernelShapesBatch, "conv2d 8x256x28x28 w:256x1x3x3 group=256 pads=1,1,1,1"},
    {kKernelShapesBatch, "dense 4x2048 w:1000x2048 transB=1"},
    {kKernelShapesBatch, "dense 8x2048 w:1000x2048 transB=1"},
    {kAvx2, "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1"},
    {kAvx2, "conv2d 1x256x14x14 w:256x256x3x3 pads=1,1,1,1"},
    {kAvx2, "conv2d 1x128x28x28 w:128x128x3x3 pads=1,1,1,1 strides=2,2"},
    {kAvx2, "conv2d 1x256x56x56 w:64x256x1x1"},
    {kAvx2, "conv2d 1x512x14x14 w:512x1x3x3 group=512 pads=1,1,1,1"},
    {kAvx2, "dense 1x2048 w:1000x2048 transB=1"},
    {kAvx2, "dense 32x768 w:768x768 transB=1"},
};

const Shape& shape_of(const Workload& workload, size_t operand) {
  return workload.graph.types.at(workload.graph.nodes.front().inputs.at(operand)).shape;
}

bool is_depthwise(const Workload& workload) {
  const int64_t groups = int_attribute(workload.graph.nodes.front(), "group", 1);
  return groups > 1 && groups == shape_of(workload, 0).at(1);
}

bool is_dense_grid(const Node& node, const char* attribute) {
  const std::vector<int64_t> steps = ints_attribute(node, attribute, {});
  return std::ranges::all_of(steps, [](int64_t step) { return step == 1; });
}

std::optional<std::string> family_of_convolution(const Workload& workload) {
  const Node& node = workload.graph.nodes.front();
  const Shape& filters = shape_of(workload, 1);
  constexpr size_t kImageRank = 4;
  if (filters.size() != kImageRank) return std::nullopt;
  if (is_depthwise(workload)) return "depthwise";
  const bool has_groups = int_attribute(node, "group", 1) != 1;
  if (has_groups || filters[2] != filters[3]) return "other";
  if (filters[2] == 1) return "1x1";
  if (filters[2] == 5) return "5x5";
  if (filters[2] != 3) return "other";
  return is_dense_grid(node, "strides") && is_dense_grid(node, "dilations") ? "3x3" : "3x3 strided";
}

std::optional<std::string> family_of_product(const Workload& workload) {
  const Node& node = workload.graph.nodes.front();
  if (!workload.is_weight(node.inputs.at(1)) || shape_of(workload, 1).size() != 2) {
    return std::nullopt;
  }
  const Shape& result = workload.graph.types.at(node.outputs.front()).shape;
  return element_count(result) == result.back() ? "dense M=1" : "dense";
}

/// The anchor of a unit by itself, without bias.
Workload anchor_alone(const Workload& unit) {
  Graph graph = unit.graph;
  constexpr size_t kWithoutBias = 2;
  Node& anchor = graph.nodes.front();
  anchor.inputs.resize(std::min(anchor.inputs.size(), kWithoutBias));
  std::vector<std::string> operands;
  Workload alone = workload_of(graph, {0}, unit.opset, operands);
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string& name = alone.graph.inputs[i].name;
    if (unit.is_weight(operands[i]) && !alone.is_weight(name)) alone.weights.push_back(name);
  }
  return alone;
}

KernelShape shape_from(const std::string& set, const std::string& family, const Workload& workload,
                       const std::string& target) {
  return {set, family, text_of(workload), target, short_shapes(workload)};
}

}  // namespace

const std::vector<std::string>& kernel_families() {
  static const std::vector<std::string> families = {"3x3",   "3x3 strided", "5x5",       "1x1",
                                                    "other", "depthwise",   "dense M=1", "dense"};
  return families;
}

const std::vector<std::string>& extra_sets() {
  static const std::vector<std::string> sets = {kOddChannels, kKernelShapesBatch, kAvx2};
  return sets;
}

std::optional<std::string> family_of(const Workload& workload) {
  const Node& node = workload.graph.nodes.front();
  if (workload.graph.types.at(node.outputs.front()).data_type != DataType::kFloat32) {
    return std::nullopt;
  }
  if (node.type == "Conv") return family_of_convolution(workload);
  if (node.type == "Gemm" || node.type == "MatMul") return family_of_product(workload);
  return std::nullopt;
}

Result<KernelShape> kernel_shape(const std::string& set, const std::string& workload,
                                 const std::string& target) {
  OPBENCH_TRY(const Workload parsed, parse_workload(workload));
  const std::optional<std::string> family = family_of(parsed);
  if (!family) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"{}\" is no convolution or product by weights", workload)};
  }
  return shape_from(set, *family, parsed, target);
}

Result<std::vector<KernelShape>> model_shapes(const std::vector<std::string>& models) {
  std::vector<KernelShape> shapes;
  std::set<std::string> seen;
  for (const std::string& name : models) {
    ProfileRequest request;
    request.model.name = name;
    request.model.is_zoo = true;
    OPBENCH_TRY(Model model, load_model(request.model, request.measure, request.hooks));
    OPBENCH_TRY(const std::vector<Unit> units, lower(model));
    for (const Unit& unit : units) {
      const std::optional<std::string> family = family_of(unit.workload);
      if (!family) continue;
      const Workload alone = anchor_alone(unit.workload);
      if (!seen.insert(text_of(alone)).second) continue;
      shapes.push_back(shape_from(kModelsSet, *family, alone, "host"));
    }
  }
  return shapes;
}

Result<std::vector<KernelShape>> extra_shapes() {
  std::vector<KernelShape> shapes;
  for (const ExtraShape& extra : kExtraShapes) {
    const bool is_avx2 = std::string_view(extra.set) == kAvx2;
    OPBENCH_TRY(KernelShape shape,
                kernel_shape(extra.set, extra.workload, is_avx2 ? kAvx2Target : "host"));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace opbench
