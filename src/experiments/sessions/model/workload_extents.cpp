#include "experiments/sessions/model/workload_extents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "model/operators/operator.h"
#include "model/operators/workloads/operand_places.h"
#include "model/operators/workloads/workload_builder.h"

namespace opbench {
namespace {

/// What leads a step: its operand that comes from the step before, or its first one of data.
struct Lead {
  size_t input = 0;
  Shape before, now;
};

/// Extents of an operand that is broadcast to, or has the shape of, what leads: aligned at the end.
Shape follow_broadcast(const Shape& operand, const Lead& lead, bool is_weight) {
  if (operand == lead.before && !is_weight) return lead.now;
  Shape shape = operand;
  const size_t rank = std::min(shape.size(), lead.before.size());
  for (size_t i = 1; i <= rank; ++i) {
    const int64_t before = lead.before[lead.before.size() - i];
    int64_t& extent = shape[shape.size() - i];
    if (extent == before && before != 1) extent = lead.now[lead.now.size() - i];
  }
  return shape;
}

/// The same for operands that agree in all dimensions but `axis`.
Shape follow_but(const Shape& operand, const Lead& lead, int64_t axis) {
  Shape shape = operand;
  if (shape.size() != lead.before.size()) return shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool is_joined = static_cast<int64_t>(i) == axis;
    if (!is_joined && shape[i] == lead.before[i]) shape[i] = lead.now[i];
  }
  return shape;
}

/// One step of the workload while it is made again.
class StepMaker {
 public:
  StepMaker(const Workload& workload, const Node& node, Lead lead)
      : workload_(workload), node_(node), lead_(std::move(lead)) {}

  /// The shape that operand `input` gets by following; operands before it have theirs.
  Shape follow(size_t input, const std::vector<Shape>& now) {
    const Shape& before = type_of(input).shape;
    const bool is_weight = workload_.is_weight(node_.inputs[input]);
    const std::string& type = node_.type;
    if (type == "Conv" || type == "ConvTranspose") return follow_convolution(input, now);
    if (type == "Gemm" || type == "MatMul") return follow_product(input, now);
    const bool has_channels = lead_.before.size() > 1;
    if (has_channels && (type == "BatchNormalization" || type == "InstanceNormalization")) {
      return before == Shape{lead_.before[1]} ? Shape{lead_.now[1]} : before;
    }
    if (type == "Concat") return follow_but(before, lead_, axis());
    const OperatorDef* def = operator_of(node_);
    const bool is_elementwise = def != nullptr && def->fusion == FusionRole::kElementwise;
    if (is_elementwise || type == "LayerNormalization" || type == "PRelu") {
      return follow_broadcast(before, lead_, is_weight);
    }
    return before;
  }

  /// A depthwise convolution stays one.
  void regroup(Node& made) const {
    if (is_depthwise()) made.attributes["group"] = lead_.now[1];
  }

 private:
  const TensorType& type_of(size_t input) const {
    return workload_.graph.types.at(node_.inputs[input]);
  }

  int64_t axis() const {
    const int64_t axis = int_attribute(node_, "axis", 0);
    return axis < 0 ? axis + static_cast<int64_t>(lead_.before.size()) : axis;
  }

  int64_t groups() const { return int_attribute(node_, "group", 1); }

  bool is_depthwise() const {
    const bool is_convolution = node_.type == "Conv" || node_.type == "ConvTranspose";
    return is_convolution && lead_.before.size() > 1 && groups() > 1 && groups() == lead_.before[1];
  }

  Shape follow_convolution(size_t input, const std::vector<Shape>& now) const {
    Shape shape = type_of(input).shape;
    if (lead_.input != 0 || lead_.before.size() < 2) return shape;
    const bool is_transposed = node_.type == "ConvTranspose";
    const int64_t channels = lead_.now[1];
    if (input == 1 && channels != lead_.before[1]) {
      if (is_transposed) {
        shape[0] = channels;
      } else if (is_depthwise()) {
        shape[0] = shape[0] / lead_.before[1] * channels;
      } else if (channels % groups() == 0) {
        shape[1] = channels / groups();
      }
    }
    if (input == 2 && now[1].size() > 1) {
      const int64_t now_groups = is_depthwise() ? channels : groups();
      shape = {is_transposed ? now[1][1] * now_groups : now[1][0]};
    }
    return shape;
  }

  /// Dimension of the summed extent in factor 0 or 1.
  size_t summed(size_t factor, size_t rank) const {
    if (node_.type == "Gemm") {
      const bool is_transposed = int_attribute(node_, factor == 0 ? "transA" : "transB", 0) != 0;
      return is_transposed ? factor : 1 - factor;
    }
    return factor == 0 || rank == 1 ? rank - 1 : rank - 2;
  }

  Shape follow_product(size_t input, const std::vector<Shape>& now) const {
    Shape shape = type_of(input).shape;
    if (lead_.input > 1 || lead_.now.empty() || shape.empty()) return shape;
    if (input == 2) return follow_addend(shape, now);
    if (node_.type == "MatMul" && shape.size() > 2 && lead_.before.size() > 2) {
      const auto batch = [](const Shape& all) { return Shape(all.begin(), all.end() - 2); };
      const Lead batches{0, batch(lead_.before), batch(lead_.now)};
      const bool is_weight = workload_.is_weight(node_.inputs[input]);
      const Shape own = follow_broadcast(batch(shape), batches, is_weight);
      std::ranges::copy(own, shape.begin());
    }
    shape[summed(input, shape.size())] = lead_.now[summed(lead_.input, lead_.now.size())];
    return shape;
  }

  /// Gemm's addend is broadcast to the product.
  Shape follow_addend(const Shape& shape, const std::vector<Shape>& now) const {
    const auto product = [&](const Shape& a, const Shape& b) {
      return Shape{a.at(1 - summed(0, 2)), b.at(1 - summed(1, 2))};
    };
    const Lead lead{0, product(type_of(0).shape, type_of(1).shape), product(now[0], now[1])};
    return follow_broadcast(shape, lead, workload_.is_weight(node_.inputs[2]));
  }

  const Workload& workload_;
  const Node& node_;
  const Lead lead_;
};

/// Makes the workload again, step by step.
class Remaker {
 public:
  Remaker(const Workload& workload, const std::vector<ExtentChange>& changes)
      : workload_(workload), changes_(changes) {}

  Result<Workload> run() {
    const std::vector<Node>& nodes = workload_.graph.nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
      OPBENCH_CHECK(add_step(nodes[i], i + 1 == nodes.size()));
    }
    return std::move(builder_).take();
  }

 private:
  bool is_operand(const std::string& name) const {
    return std::ranges::find(workload_.graph.inputs, name, &Value::name) !=
           workload_.graph.inputs.end();
  }

  /// The result before, else the first operand of data, else the first.
  size_t lead_of(const Node& node) const {
    size_t lead = node.inputs.size();
    for (size_t i = node.inputs.size(); i-- > 0;) {
      const std::string& name = node.inputs[i];
      if (names_.contains(name)) return i;
      if (is_operand(name) && !workload_.is_weight(name)) lead = i;
    }
    return lead == node.inputs.size() ? 0 : lead;
  }

  Shape changed(const std::string& name, Shape shape) const {
    const auto& inputs = workload_.graph.inputs;
    for (const ExtentChange& change : changes_) {
      const bool is_this = inputs.at(change.place.operand).name == name;
      if (is_this) shape.at(change.place.dimension) = change.extent;
    }
    return shape;
  }

  /// The shape that a value of the old workload now has.
  Shape now_of(const std::string& name) const {
    const auto known = names_.find(name);
    if (known != names_.end()) return builder_.graph().types.at(known->second).shape;
    return changed(name, workload_.graph.types.at(name).shape);
  }

  Result<void> add_step(const Node& node, bool is_last) {
    Node made = node;
    if (!node.inputs.empty() && !node.inputs[lead_of(node)].empty()) {
      const size_t lead = lead_of(node);
      const std::string& name = node.inputs[lead];
      StepMaker maker(workload_, node, {lead, workload_.graph.types.at(name).shape, now_of(name)});
      maker.regroup(made);
      place_operands(node, lead, maker, made);
    }
    OPBENCH_CHECK(builder_.add_node(std::move(made), is_last));
    names_[node.outputs.at(0)] = builder_.previous();
    return {};
  }

  void place_operands(const Node& node, size_t lead, StepMaker& maker, Node& made) {
    std::vector<Shape> now(node.inputs.size());
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const std::string& name = node.inputs[i];
      if (name.empty()) continue;
      const auto known = names_.find(name);
      const auto constant = workload_.graph.constants.find(name);
      if (known != names_.end()) {
        made.inputs[i] = known->second;
        now[i] = now_of(name);
      } else if (constant != workload_.graph.constants.end()) {
        made.inputs[i] = builder_.add_constant(constant->second);
        now[i] = constant->second.type.shape;
      } else {
        now[i] = i == lead ? now_of(name) : changed(name, maker.follow(i, now));
        const TensorType type{workload_.graph.types.at(name).data_type, now[i]};
        made.inputs[i] = builder_.add_input(type, workload_.is_weight(name));
      }
    }
  }

  const Workload& workload_;
  const std::vector<ExtentChange>& changes_;
  WorkloadBuilder builder_;
  std::map<std::string, std::string> names_;  ///< of results: before, now
};

size_t rank_of(const Workload& workload, size_t operand) {
  return workload.graph.inputs[operand].dimensions.size();
}

std::optional<ExtentPlace> batch_place(const Workload& workload) {
  const std::vector<size_t> data = operands_of(workload, false);
  if (data.empty() || rank_of(workload, data[0]) < 2) return {};
  const Node& first = workload.graph.nodes.front();
  const bool is_product = first.type == "Gemm" || first.type == "MatMul";
  // The data of a product with weights on the left are summed over their rows.
  if (is_product && first.inputs[0] != workload.graph.inputs[data[0]].name) return {};
  const bool is_transposed = first.type == "Gemm" && int_attribute(first, "transA", 0) != 0;
  return ExtentPlace{data[0], is_transposed ? size_t{1} : size_t{0}};
}

/// The channels or columns that the first step makes.
std::optional<ExtentPlace> made_place(const Workload& workload) {
  const Node& first = workload.graph.nodes.front();
  if (first.inputs.size() < 2) return {};
  const auto& inputs = workload.graph.inputs;
  const auto found = std::ranges::find(inputs, first.inputs[1], &Value::name);
  if (found == inputs.end() || found->dimensions.size() < 2) return {};
  const auto operand = static_cast<size_t>(found - inputs.begin());
  if (first.type == "Conv") return ExtentPlace{operand, 0};
  if (first.type == "ConvTranspose" && int_attribute(first, "group", 1) == 1) {
    return ExtentPlace{operand, 1};
  }
  if (first.type == "MatMul") return ExtentPlace{operand, found->dimensions.size() - 1};
  if (first.type != "Gemm") return {};
  return ExtentPlace{operand, int_attribute(first, "transB", 0) != 0 ? size_t{0} : size_t{1}};
}

/// All words that name an extent, those of one extent one after the other.
std::vector<std::pair<std::string, ExtentPlace>> named_places(const Workload& workload) {
  std::vector<std::pair<std::string, ExtentPlace>> all;
  if (const auto place = batch_place(workload)) all.emplace_back("batch", *place);
  const std::vector<size_t> data = operands_of(workload, false);
  if (!data.empty() && rank_of(workload, data[0]) == 4) {
    constexpr std::array kNames = {"N", "C", "H", "W"};
    for (size_t i = 0; i < kNames.size(); ++i) all.emplace_back(kNames[i], ExtentPlace{data[0], i});
  }
  if (const auto place = made_place(workload)) all.emplace_back("K", *place);
  for (const bool weights : {false, true}) {
    const std::vector<size_t> operands = operands_of(workload, weights);
    for (size_t k = 0; k < operands.size(); ++k) {
      const char* word = weights ? "weight" : "input";
      const std::string name = operands.size() == 1 ? word : fmt::format("{}{}", word, k);
      for (size_t i = 0; i < rank_of(workload, operands[k]); ++i) {
        all.emplace_back(fmt::format("{}.{}", name, i), ExtentPlace{operands[k], i});
      }
    }
  }
  return all;
}

}  // namespace

Result<Workload> with_extents(const Workload& workload, const std::vector<ExtentChange>& changes) {
  return Remaker(workload, changes).run();
}

std::vector<std::string> extent_names(const Workload& workload) {
  std::vector<std::string> names;
  for (const auto& [name, place] : named_places(workload)) names.push_back(name);
  return names;
}

std::optional<ExtentPlace> extent_place(const Workload& workload, const std::string& name) {
  static const std::map<std::string, std::string> kLong = {
      {"channels", "C"}, {"height", "H"}, {"width", "W"}, {"filters", "K"}};
  std::string word = name;
  if (const auto entry = kLong.find(name); entry != kLong.end()) word = entry->second;
  const bool has_number = operands_of(workload, word.starts_with("weight")).size() > 1;
  for (const char* first : {"input.", "weight."}) {
    if (has_number && word.starts_with(first)) word.insert(word.find('.'), "0");
  }
  for (const char* zeroth : {"input0.", "weight0."}) {
    if (!has_number && word.starts_with(zeroth)) word.erase(word.find('.') - 1, 1);
  }
  for (const auto& [known, place] : named_places(workload)) {
    if (known == word) return place;
  }
  return {};
}

int64_t batch_of(const Workload& workload) {
  const auto place = batch_place(workload);
  if (!place) return 1;
  return workload.graph.inputs[place->operand].dimensions[place->dimension].value;
}

}  // namespace opbench
