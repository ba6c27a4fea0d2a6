#include "engines/package/free_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "kernels/schedules/operands/free_axes.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// Extents at which the free axes differ from the least ones. The factor differs for each
/// dimension, so that axes of two dimensions do not pass for one.
constexpr std::array<int64_t, 6> kFactors = {2, 3, 5, 7, 11, 13};

using Extents = std::map<std::string, int64_t>;  ///< by the dimension's name

Extents bound_extents(const Graph& graph) {
  Extents extents;
  for (const Value& input : graph.inputs) {
    for (const Dimension& dimension : input.dimensions) {
      if (!dimension.symbol.empty()) extents[dimension.symbol] = dimension.value;
    }
  }
  return extents;
}

Result<LoweredForm> lowered(const Model& model, const Extents& extents, Fusion fusion) {
  Model other = model;
  other.graph.types.clear();
  for (Value& input : other.graph.inputs) {
    for (Dimension& dimension : input.dimensions) {
      const auto extent = extents.find(dimension.symbol);
      if (extent != extents.end()) dimension.value = extent->second;
    }
  }
  for (Value& output : other.graph.outputs) {
    output.has_shape = false;
    output.dimensions.clear();
  }
  OPBENCH_TRY(std::vector<Unit> units, lower(other, fusion));
  LoweredForm form;
  for (Unit& unit : units) {
    form.texts.emplace(unit.output, text_of(unit.workload));
    form.units.emplace(unit.output, std::move(unit.workload));
  }
  form.values = std::move(other.graph.types);
  return form;
}

const Workload* find(const std::map<std::string, Workload>& units, const std::string& output) {
  const auto unit = units.find(output);
  return unit == units.end() ? nullptr : &unit->second;
}

/// What a step computes in a form of the model: a unit's workload, or a layout change of a value.
std::optional<Workload> workload_in(const LoweredForm& form, const PlannedStep& step) {
  if (!step.identity.is_layout_change()) {
    const Workload* unit = find(form.units, step.values.output);
    return unit == nullptr ? std::nullopt : std::optional(*unit);
  }
  const auto type = form.values.find(step.values.output);
  if (type == form.values.end()) return std::nullopt;
  return identity_workload(type->second);
}

bool is_any_free(const FreeAxes& free) {
  return std::ranges::any_of(free, [](const std::vector<int>& axes) {
    return std::ranges::any_of(axes, [](int number) { return number > 0; });
  });
}

}  // namespace

int64_t least_extent(int64_t extent) {
  if (extent < 4) return std::min<int64_t>(extent, 2);
  int64_t least = 4;
  while (least * 4 <= extent) least *= 4;
  return least;
}

FreeForms FreeForms::of(const Model& model, Fusion fusion) {
  FreeForms forms;
  Extents least = bound_extents(model.graph);
  Extents other;
  size_t count = 0;
  for (auto& [name, extent] : least) {
    extent = least_extent(extent);
    const bool is_free = extent > 1;
    other[name] = is_free ? extent * kFactors[count++ % kFactors.size()] : extent;
  }
  if (count == 0) {
    forms.reason_ = "no input has a dimension with a name and an extent above 1";
    return forms;
  }
  for (const auto& [extents, form] :
       {std::pair(&least, &forms.least_), std::pair(&other, &forms.other_)}) {
    auto result = lowered(model, *extents, fusion);
    if (!result) {
      std::string text;
      for (const auto& [name, extent] : *extents) text += fmt::format(" {}={}", name, extent);
      forms.reason_ = fmt::format("the model does not take{}: {}", text, result.error().message);
      forms.least_ = {};
      return forms;
    }
    *form = *std::move(result);
  }
  return forms;
}

std::string FreeForms::text_of_step(const PlannedStep& step) const {
  if (!step.identity.is_layout_change()) {
    const auto least = least_.texts.find(step.values.output);
    const auto other = other_.texts.find(step.values.output);
    const bool is_there = least != least_.texts.end() && other != other_.texts.end();
    return is_there ? least->second + "|" + other->second : "";
  }
  const auto least = workload_in(least_, step);
  const auto other = workload_in(other_, step);
  return least && other ? text_of(*least) + "|" + text_of(*other) : "";
}

std::optional<KernelSpec> FreeForms::kernel_of(const PlannedStep& step,
                                               const std::set<std::string>& refused) const {
  if (!step.identity.origin.empty()) return std::nullopt;  // a choice is for these extents
  const auto least = workload_in(least_, step);
  const auto other = workload_in(other_, step);
  if (!least || !other) return std::nullopt;
  const auto free = differing_axes(*least, *other);
  if (!free || !is_any_free(*free)) return std::nullopt;
  KernelSpec spec = step.kernel();
  spec.workload = *least;
  spec.free = *free;
  if (!fits_free_axes(spec, step.workload()) || !choose_schedule(spec, refused)) {
    return std::nullopt;
  }
  return spec;
}

}  // namespace opbench
