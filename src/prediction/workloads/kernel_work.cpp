#include "prediction/workloads/kernel_work.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/tensors/layout.h"

namespace opbench {
namespace {

double bytes_of(const TensorType& type, const Layout& layout) {
  return static_cast<double>(element_count(physical_shape(type.shape, layout))) *
         static_cast<double>(size_of(type.data_type));
}

/// By what factor the zeros in channel blocks of the output enlarge the work. Loops over input
/// channels skip the zeros in blocks of the input.
double filled_up(const KernelSpec& spec) {
  const Graph& graph = spec.workload.graph;
  const Shape& shape = graph.types.at(graph.outputs.front().name).shape;
  const auto dense = static_cast<double>(std::max<int64_t>(element_count(shape), 1));
  return static_cast<double>(element_count(physical_shape(shape, spec.output_layout()))) / dense;
}

/// Operators that read no more of their first operand than they give.
bool reads_a_part(const KernelSpec& spec) {
  constexpr std::array<std::string_view, 4> kTypes = {"Gather", "GatherElements", "GatherND",
                                                      "Slice"};
  const auto& nodes = spec.workload.graph.nodes;
  return !nodes.empty() && std::ranges::count(kTypes, nodes.front().type) > 0;
}

}  // namespace

KernelWork kernel_work(const KernelSpec& spec) {
  KernelWork work;
  const Graph& graph = spec.workload.graph;
  work.flops = flops_of(spec.workload) * filled_up(spec);
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::string& name = graph.inputs[i].name;
    const double bytes = bytes_of(graph.types.at(name), spec.layouts[i]);
    (spec.workload.is_weight(name) ? work.weight_bytes : work.input_bytes) += bytes;
  }
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const Layout layout = i == 0 ? spec.output_layout() : Layout{};
    work.output_bytes += bytes_of(graph.types.at(graph.outputs[i].name), layout);
  }
  if (reads_a_part(spec)) {
    work.input_bytes = std::min(work.input_bytes, work.output_bytes);
    work.weight_bytes = std::min(work.weight_bytes, work.output_bytes);
  }
  for (const EffortDef& def : effort_table().all()) {
    if (def.name == spec.schedule) def.adjust(spec, work);
  }
  return work;
}

}  // namespace opbench
