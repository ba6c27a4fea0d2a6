#include "kernels/schedules/rows/elementwise_loops.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <optional>
#include <string>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/epilogue_operand.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// The logical axis of every physical dimension of the output, innermost first.
std::vector<size_t> elementwise_axes_of(const KernelSpec& spec) {
  const size_t rank = output_type(spec.workload).shape.size();
  std::vector<size_t> axes;
  if (spec.output_layout().block > 0 && rank >= 2) axes.push_back(1);
  for (size_t i = rank; i-- > 0;) axes.push_back(i);
  return axes;
}

/// True if the operand varies along the output's logical `axis`.
bool varies(const Shape& shape, size_t axis, size_t rank) {
  const size_t missing = rank - shape.size();
  return axis >= missing && shape[axis - missing] > 1;
}

/// Every operand of the steps that is not the step before.
std::vector<std::string> operands_of(const KernelSpec& spec) {
  const std::vector<Node>& nodes = spec.workload.graph.nodes;
  std::vector<std::string> names;
  for (size_t step = 0; step < nodes.size(); ++step)
    for (const std::string& name : nodes[step].inputs)
      if (!name.empty() && (step == 0 || name != nodes[step - 1].outputs[0])) names.push_back(name);
  return names;
}

/// True if an operand that is not a single number lies in memory otherwise than the output.
bool has_other_layouts(const KernelSpec& spec) {
  const Layout output = spec.output_layout();
  return std::ranges::any_of(operands_of(spec), [&](const std::string& name) {
    if (type_of(spec.workload, name).size() == 1) return false;
    const std::optional<size_t> index = graph_input(spec.workload, name);
    if (!index) return output.block > 0;
    return epilogue_operand(spec, *index).layout != output;
  });
}

/// What becomes of a dimension of the output.
struct MergedDimension {
  size_t group = 0;      ///< the number of the long dimension that it is part of
  bool is_read = false;  ///< has the coordinate of its whole group; the others of it stay at 0
};

/// For every dimension of the output, innermost first. Neighbours along which every operand is read
/// alike become one long dimension. A dimension of a single element joins any neighbour.
std::vector<MergedDimension> merged_dimensions(const KernelSpec& spec,
                                               const std::vector<Expr>& extents) {
  const Shape& shape = output_type(spec.workload).shape;
  const Layout layout = spec.output_layout();
  const std::vector<size_t> axes = elementwise_axes_of(spec);
  const bool has_padding = layout.block > 0 && shape[1] % layout.block != 0;
  const bool keeps_all = has_other_layouts(spec);
  const auto stays = [&](size_t i) { return keeps_all || (has_padding && axes[i] == 1); };
  const auto is_alike = [&](size_t a, size_t b) {
    return std::ranges::all_of(operands_of(spec), [&](const std::string& name) {
      const Shape& operand = type_of(spec.workload, name).shape;
      return varies(operand, axes[a], shape.size()) == varies(operand, axes[b], shape.size());
    });
  };
  std::vector<MergedDimension> dimensions;
  std::optional<size_t> read;  // the dimension of the current group that has the coordinate
  for (size_t i = 0; i < axes.size(); ++i) {
    const bool is_single = !stays(i) && Halide::Internal::is_const_one(extents[i]);
    const bool is_merged =
        i > 0 && !stays(i) && !stays(i - 1) && (is_single || !read || is_alike(*read, i));
    if (!is_merged) read.reset();
    const size_t group = i == 0 ? 0 : dimensions.back().group + (is_merged ? 0 : 1);
    dimensions.push_back({group, !is_single && !read});
    if (dimensions.back().is_read) read = i;
  }
  return dimensions;
}

/// Products of the output's extents, innermost first, that are merged.
template <class Extent>
std::vector<Extent> elementwise_merged(const std::vector<Extent>& extents,
                                       const std::vector<MergedDimension>& dimensions) {
  std::vector<Extent> result(dimensions.empty() ? 1 : dimensions.back().group + 1, Extent(1));
  for (size_t i = 0; i < dimensions.size(); ++i) {
    Extent& extent = result[dimensions[i].group];
    extent = extent * extents[i];
  }
  return result;
}

}  // namespace

Func define_elementwise(const KernelSpec& spec, KernelBuilder& builder, ElementwiseLoops& loops) {
  const auto dimensions = merged_dimensions(spec, builder.output_extents());
  Shape physical = physical_shape(output_type(spec.workload).shape, spec.output_layout());
  std::ranges::reverse(physical);
  loops.extents = elementwise_merged<int64_t>(physical, dimensions);
  for (size_t i = 0; i < loops.extents.size(); ++i)
    loops.vars.emplace_back("d" + std::to_string(i));
  std::vector<Expr> position;
  for (const MergedDimension& dimension : dimensions)
    position.push_back(dimension.is_read ? Expr(loops.vars[dimension.group]) : Expr(0));
  Func out("out");
  out(loops.vars) = builder.epilogue(Expr(), position, 0);
  builder.set_output_sizes(elementwise_merged<Expr>(builder.output_extents(), dimensions));
  return out;
}

}  // namespace opbench
