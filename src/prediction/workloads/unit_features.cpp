#include "prediction/workloads/unit_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/operators/operator.h"

namespace opbench {
namespace {

/// What features are made from.
struct Facts {
  const KernelSpec& spec;
  const Graph& graph;
  const Node& anchor;
  const Shape& in;   ///< of the first operand
  const Shape& out;  ///< of the first result
  const KernelWork& work;
  const RooflineTime& roofline;
};

/// How a value becomes a feature: as it is, or as log2(1 + value).
enum class FeatureScale { kAsItIs, kLog };

struct FeatureDef {
  const char* name;
  double (*value)(const Facts& facts);
  FeatureScale scale = FeatureScale::kAsItIs;
};

double extent(const Shape& shape, size_t index) {
  return index < shape.size() ? static_cast<double>(shape[index]) : 0;
}

double from_end(const Shape& shape, size_t index) {
  return index < shape.size() ? static_cast<double>(shape[shape.size() - 1 - index]) : 0;
}

double attribute(const Facts& facts, const char* name, size_t index, int64_t otherwise) {
  const auto values = ints_attribute(facts.anchor, name, {});
  return static_cast<double>(index < values.size() ? values[index] : otherwise);
}

/// Extent of a window along a spatial axis: an attribute of pools, the filters' shape otherwise.
double window(const Facts& facts, size_t axis) {
  const auto& inputs = facts.anchor.inputs;
  if (facts.anchor.attributes.contains("kernel_shape") || inputs.size() < 2) {
    return attribute(facts, "kernel_shape", axis, 1);
  }
  const auto filters = facts.graph.types.find(inputs[1]);
  if (filters == facts.graph.types.end()) return 1;
  return std::max(extent(filters->second.shape, 2 + axis), 1.0);
}

/// An axis counted from the last one, 1 the last; 0 where there is none.
double axis_from_end(const Facts& facts) {
  if (!facts.anchor.attributes.contains("axis")) return 0;
  const int64_t axis = int_attribute(facts.anchor, "axis", -1);
  return static_cast<double>(axis < 0 ? -axis : std::ssize(facts.in) - axis);
}

double keeps_last_axis(const Facts& facts) {
  const auto order = ints_attribute(facts.anchor, "perm", {});
  return order.empty() || order.back() == std::ssize(order) - 1 ? 1 : 0;
}

double knob(const Facts& facts, const char* name, double otherwise) {
  const auto found = facts.spec.config.find(name);
  return found == facts.spec.config.end() ? otherwise : static_cast<double>(found->second);
}

/// Columns that tiles compute over those that there are.
double tile_waste(const Facts& facts) {
  const double edge = std::max(knob(facts, "m", 1), 1.0);
  const double columns = std::ceil(std::max(from_end(facts.out, 0), 1.0) / edge);
  const double tile = std::max(knob(facts, "tile_x", 1), 1.0);
  return std::ceil(columns / tile) * tile / columns;
}

double log_of(double value) { return std::log2(1 + std::max(value, 0.0)); }

double elements(const Shape& shape) { return static_cast<double>(element_count(shape)); }

/// Terms of a sum, for products and convolutions.
double summed(const Facts& facts) {
  return flops_of(facts.spec.workload) / 2 / std::max(elements(facts.out), 1.0);
}

/// Bytes of operands that later steps read.
double epilogue_bytes(const Facts& facts) {
  double bytes = 0;
  const auto& nodes = facts.graph.nodes;
  for (size_t i = 1; i < nodes.size(); ++i) {
    for (const std::string& input : nodes[i].inputs) {
      const auto is_input = [&](const Value& value) { return value.name == input; };
      if (std::ranges::none_of(facts.graph.inputs, is_input)) continue;
      bytes += static_cast<double>(facts.graph.types.at(input).bytes());
    }
  }
  return bytes;
}

double element_bytes(const Facts& facts) {
  if (facts.graph.inputs.empty()) return 0;
  return static_cast<double>(size_of(facts.graph.types.at(facts.graph.inputs[0].name).data_type));
}

constexpr FeatureDef kFeatures[] = {
    {"flops", [](const Facts& f) { return flops_of(f.spec.workload); }, FeatureScale::kLog},
    {"kernel_flops", [](const Facts& f) { return f.work.flops; }, FeatureScale::kLog},
    {"kernel_flops_share",
     [](const Facts& f) { return f.work.flops / std::max(flops_of(f.spec.workload), 1.0); }},
    {"input_bytes", [](const Facts& f) { return f.work.input_bytes; }, FeatureScale::kLog},
    {"weight_bytes", [](const Facts& f) { return f.work.weight_bytes; }, FeatureScale::kLog},
    {"output_bytes", [](const Facts& f) { return f.work.output_bytes; }, FeatureScale::kLog},
    {"scratch_bytes", [](const Facts& f) { return f.work.scratch_bytes; }, FeatureScale::kLog},
    {"footprint", [](const Facts& f) { return f.work.footprint(); }, FeatureScale::kLog},
    {"footprint_level", [](const Facts& f) { return double(f.roofline.level); }},
    {"intensity", [](const Facts& f) { return f.work.flops / std::max(f.work.footprint(), 1.0); },
     FeatureScale::kLog},
    {"bound_ns", [](const Facts& f) { return f.roofline.bound_s() * 1e9; }, FeatureScale::kLog},
    {"memory_share",
     [](const Facts& f) {
       const double sum = f.roofline.memory_s + f.roofline.compute_s;
       return sum > 0 ? f.roofline.memory_s / sum : 0;
     }},
    {"batch", [](const Facts& f) { return extent(f.out, 0); }, FeatureScale::kLog},
    {"in_channels", [](const Facts& f) { return extent(f.in, 1); }, FeatureScale::kLog},
    {"out_channels", [](const Facts& f) { return extent(f.out, 1); }, FeatureScale::kLog},
    {"in_height", [](const Facts& f) { return f.in.size() > 3 ? from_end(f.in, 1) : 0; },
     FeatureScale::kLog},
    {"out_height", [](const Facts& f) { return f.out.size() > 3 ? from_end(f.out, 1) : 0; },
     FeatureScale::kLog},
    {"in_last", [](const Facts& f) { return from_end(f.in, 0); }, FeatureScale::kLog},
    {"out_last", [](const Facts& f) { return from_end(f.out, 0); }, FeatureScale::kLog},
    {"out_rows", [](const Facts& f) { return elements(f.out) / std::max(from_end(f.out, 0), 1.0); },
     FeatureScale::kLog},
    {"summed", [](const Facts& f) { return summed(f); }, FeatureScale::kLog},
    {"rank", [](const Facts& f) { return double(f.out.size()); }},
    {"kernel_height", [](const Facts& f) { return window(f, 0); }},
    {"kernel_width", [](const Facts& f) { return window(f, 1); }},
    {"stride", [](const Facts& f) { return attribute(f, "strides", 0, 1); }},
    {"dilation", [](const Facts& f) { return attribute(f, "dilations", 0, 1); }},
    {"padding", [](const Facts& f) { return attribute(f, "pads", 0, 0); }},
    {"groups", [](const Facts& f) { return double(int_attribute(f.anchor, "group", 1)); },
     FeatureScale::kLog},
    {"axis_from_end", axis_from_end},
    {"keeps_last_axis", keeps_last_axis},
    {"steps", [](const Facts& f) { return double(f.graph.nodes.size()); }},
    {"operands", [](const Facts& f) { return double(f.graph.inputs.size()); }},
    {"epilogue_bytes", [](const Facts& f) { return epilogue_bytes(f); }, FeatureScale::kLog},
    {"element_bytes", element_bytes},
    {"in_block",
     [](const Facts& f) { return f.graph.inputs.empty() ? 0 : double(f.spec.layouts[0].block); }},
    {"out_block", [](const Facts& f) { return double(f.spec.output_layout().block); }},
    {"tile_waste", tile_waste},
    {"threads", [](const Facts& f) { return double(f.spec.threads); }},
};

/// `16.8 M`, `12`: three digits with the prefix of thousands, whole numbers below 10 000 in full.
std::string quantity_text(double value) {
  constexpr double kWhole = 1e4;
  constexpr double kThousand = 1e3;
  if (value < kWhole) return fmt::format("{:.4g}", value);
  const char* prefix = "";
  for (const char* next : {"k", "M", "G", "T"}) {
    if (value < kThousand) break;
    value /= kThousand;
    prefix = next;
  }
  return fmt::format("{:.3g} {}", value, prefix);
}

}  // namespace

std::string unit_feature_text(size_t index, double feature) {
  const FeatureDef& def = kFeatures[index];
  const std::string_view name = def.name;
  const bool is_bytes = name.ends_with("_bytes") || name == "footprint";
  const double value = def.scale == FeatureScale::kLog ? std::exp2(feature) - 1 : feature;
  std::string text = quantity_text(value);
  if (is_bytes) text += text.find(' ') == std::string::npos ? " B" : "B";
  return text;
}

const std::vector<std::string>& unit_feature_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const FeatureDef& def : kFeatures) names.emplace_back(def.name);
    return names;
  }();
  return kNames;
}

std::string unit_kind(const KernelSpec& spec) {
  if (spec.schedule.empty()) return "reference";
  const auto& nodes = spec.workload.graph.nodes;
  if (nodes.size() == 1 && nodes.front().type == "Identity") return "layout";
  const OperatorDef* definition = operator_of(nodes.front());
  if (definition == nullptr) return word_of(nodes.front());
  if (definition->fusion == FusionRole::kElementwise) return "elementwise";
  return definition->name;
}

UnitFeatures unit_features(const KernelSpec& spec, const Ceilings& ceilings) {
  static const Shape kNone;
  const Graph& graph = spec.workload.graph;
  const KernelWork work = kernel_work(spec);
  // Scratch memory is written and read.
  const double bytes = work.footprint() + work.scratch_bytes + work.repeated_bytes;
  UnitFeatures features;
  features.work = work;
  features.kind = unit_kind(spec);
  features.schedule = spec.schedule;
  features.roofline = roofline_time(work.flops / work.products_a_lane, bytes, work.footprint(),
                                    ceilings, spec.threads);
  features.bound_s = std::max(features.roofline.bound_s(), kLeastBound);
  const Facts facts{.spec = spec,
                    .graph = graph,
                    .anchor = graph.nodes.front(),
                    .in = graph.inputs.empty() ? kNone : graph.types.at(graph.inputs[0].name).shape,
                    .out = graph.types.at(graph.outputs.front().name).shape,
                    .work = work,
                    .roofline = features.roofline};
  for (const FeatureDef& def : kFeatures) {
    const double value = def.value(facts);
    features.values.push_back(
        static_cast<float>(def.scale == FeatureScale::kLog ? log_of(value) : value));
  }
  for (const auto& [name, value] : spec.config) {
    features.knobs[name] = static_cast<float>(log_of(static_cast<double>(value)));
  }
  return features;
}

}  // namespace opbench
