#include "presentation/cli/operators/operator_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/errors/suggestion.h"
#include "experiments/sessions/model/model_source.h"
#include "model/graph/subgraph.h"
#include "model/operators/operator.h"
#include "model/passes/passes.h"
#include "model/passes/unknown_operators.h"

namespace opbench {
namespace {

/// `1x3x8x8 int64:4 ?`: `?` where nothing is known.
std::string types_text(const std::vector<TensorType>& types) {
  std::vector<std::string> parts;
  for (const TensorType& type : types) {
    std::string text = "?";
    if (type.data_type != DataType::kUndefined) text = shape_text(type.shape);
    if (type.data_type != DataType::kUndefined && type.data_type != DataType::kFloat32) {
      text += fmt::format(":{}", name_of(type.data_type));
    }
    parts.push_back(std::move(text));
  }
  return join(parts, " ");
}

std::string operator_entries_shapes_of(const OpaqueNode& opaque) {
  return types_text(opaque.inputs) + " -> " + types_text(opaque.outputs);
}

/// Bytes of all operands and results, each once; nothing where one is not known.
std::optional<double> bytes_of(const OpaqueNode& opaque) {
  double bytes = 0;
  for (const auto* types : {&opaque.inputs, &opaque.outputs}) {
    for (const TensorType& type : *types) {
      if (size_of(type.data_type) == 0) return {};
      bytes += static_cast<double>(type.bytes());
    }
  }
  return bytes;
}

/// `Conv × 2, com.acme.Blur`
std::string inner_text(const std::vector<Node>& nodes) {
  std::map<std::string, int64_t> counts;
  for (const Node& node : nodes) ++counts[operator_name(node)];
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) {
    parts.push_back(count == 1 ? name : fmt::format("{} × {}", name, count));
  }
  return join(parts);
}

std::string note_of(const OpaqueNode& opaque, const Model& model) {
  const Node& node = opaque.node;
  if (operator_of(node) != nullptr) {
    return fmt::format(
        "shapes unknown: they follow from operators that halide does not know; "
        "first node \"{}\"",
        node.name);
  }
  std::string text = fmt::format("unknown to halide: opset {}, first node \"{}\"",
                                 opset_of(model, node), node.name);
  const std::vector<Node> inner = inner_nodes(node);
  if (!inner.empty()) text += "; inside: " + inner_text(inner);
  return text;
}

}  // namespace

int64_t OperatorEntry::count() const {
  int64_t sum = 0;
  for (const auto& [model, count] : counts) sum += count;
  return sum;
}

double OperatorEntry::total_flops() const {
  return flops.value_or(0) * static_cast<double>(count());
}

OperatorEntry& OperatorEntries::entry_of(const std::string& key, const std::string& model) {
  const auto [place, is_new] = places_.emplace(key, entries_.size());
  if (is_new) entries_.emplace_back();
  OperatorEntry& entry = entries_[place->second];
  ++entry.counts[model];
  return entry;
}

Result<void> OperatorEntries::add(const ProfileRequest& request, const std::string& name) {
  OPBENCH_TRY(RequestedModel model, load_outline(request.model, request.measure, request.hooks));
  OPBENCH_CHECK(check_inputs(request.model, model));
  const auto opaque = set_aside_opaque(model);
  if (!opaque) return in_model(opaque.error(), request.model);
  const auto units = lower(model);
  if (!units) return in_model(units.error(), request.model);
  for (const Unit& unit : *units) {
    OperatorEntry& entry = entry_of(text_of(unit.workload), name);
    entry.identity.operator_text = operator_text(unit.workload);
    entry.identity.workload = unit.workload;
    entry.flops = flops_of(unit.workload);
    entry.bytes = bytes_of(unit.workload);
  }
  for (const OpaqueNode& node : *opaque) {
    const std::string shapes = operator_entries_shapes_of(node);
    OperatorEntry& entry = entry_of(operator_name(node.node) + "|" + shapes, name);
    if (!entry.note.empty()) continue;
    entry.identity.operator_text = operator_name(node.node);
    entry.identity.texts.shapes = shapes;
    entry.bytes = bytes_of(node);
    entry.note = note_of(node, model);
  }
  return {};
}

std::vector<OperatorEntry> OperatorEntries::sorted() && {
  std::ranges::stable_sort(entries_, std::greater<>(), &OperatorEntry::total_flops);
  return std::move(entries_);
}

}  // namespace opbench
