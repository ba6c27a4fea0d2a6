#include "experiments/compare/unit_match.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/tensors/tensor.h"

namespace opbench {
namespace {

using UnitOfNode = std::map<std::string, size_t>;

UnitOfNode units_by_node(const PreparedVariant& side) {
  UnitOfNode result;
  for (size_t i = 0; i < side.units.size(); ++i) {
    for (const std::string& node : side.units[i].identity.nodes) result[node] = i;
  }
  return result;
}

// Units of the same nodes are the same work when their workloads are; these differ with the batch.
bool is_same_work(const PreparedVariant& base, const VariantUnit& a, const PreparedVariant& other,
                  const VariantUnit& b) {
  if (base.info.batch_size != other.info.batch_size)
    return a.identity.operator_text == b.identity.operator_text;
  return workload_text(a.identity) == workload_text(b.identity);
}

struct Found {
  std::optional<size_t> unit;
  std::string reason;
  bool operator<(const Found& other) const {
    return std::tie(unit, reason) < std::tie(other.unit, other.reason);
  }
};

Found find_by_nodes(const PreparedVariant& base, const VariantUnit& unit, const std::string& node,
                    const PreparedVariant& other, const UnitOfNode& by_node) {
  const auto known = by_node.find(node);
  if (known == by_node.end()) return {{}, "the new variant has no unit for its nodes"};
  const VariantUnit& candidate = other.units[known->second];
  if (is_same_work(base, unit, other, candidate)) return {known->second, ""};
  return {{},
          fmt::format("the new variant runs its nodes as {}", candidate.identity.operator_text)};
}

Found find_by_text(const VariantUnit& unit, const PreparedVariant& other) {
  const std::string workload = workload_text(unit.identity);
  const std::string shapes = short_shapes(unit.identity);
  const auto same = std::ranges::find_if(other.units, [&](const VariantUnit& candidate) {
    return candidate.identity.nodes.empty() && workload_text(candidate.identity) == workload &&
           short_shapes(candidate.identity) == shapes;
  });
  if (same == other.units.end()) return {{}, "the new variant makes no such conversion"};
  return {static_cast<size_t>(same - other.units.begin()), ""};
}

MatchedUnit matched(size_t base_unit, const std::vector<Found>& found) {
  MatchedUnit unit;
  unit.units.emplace_back(base_unit);
  unit.reasons.emplace_back();
  for (const Found& one : found) {
    unit.units.push_back(one.unit);
    unit.reasons.push_back(one.reason);
  }
  return unit;
}

std::string shapes_text(const std::vector<VariantValue>& values, bool with_batch) {
  std::vector<std::string> texts;
  for (const VariantValue& value : values) {
    const bool skips = !with_batch && !value.shape.empty();
    const std::vector<int64_t> shape(value.shape.begin() + (skips ? 1 : 0), value.shape.end());
    texts.push_back(fmt::format("{}{}", skips ? "Nx" : "", shape_text(shape)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string types_text(const std::vector<VariantValue>& values) {
  std::vector<std::string> texts;
  for (const VariantValue& value : values) texts.push_back(value.data_type);
  return fmt::format("{}", fmt::join(texts, ", "));
}

class Differences {
 public:
  void add(const std::string& field, const std::string& a, const std::string& b) {
    if (a != b) lines_.push_back(fmt::format("{}: {} and {}", field, a, b));
  }
  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

std::string program_text(const ComparedVariant& side) {
  if (side.program_version.empty() && side.commit.empty()) return "not known";
  return side.program_version + (side.commit.empty() ? "" : " at " + side.commit);
}

/// `conv2d_direct tile=4` of `conv2d_direct tile=4 (r18.log:17)`
std::string config_in(const std::string& kernel) { return kernel.substr(0, kernel.rfind(" (")); }

/// Every workload that has another kernel, as tuning logs choose them. Two logs may hold the same.
void add_kernels(const ComparedVariant& a, const ComparedVariant& b, Differences& differences) {
  std::map<std::string, std::string> all = b.kernels;
  all.insert(a.kernels.begin(), a.kernels.end());
  for (const auto& [workload, ignored] : all) {
    const auto in = [&workload = workload](const ComparedVariant& side) {
      const auto found = side.kernels.find(workload);
      return found == side.kernels.end() ? std::string("the default config") : found->second;
    };
    if (config_in(in(a)) == config_in(in(b))) continue;
    differences.add("kernel of " + workload, in(a), in(b));
  }
}

}  // namespace

std::vector<MatchedUnit> match_units(const std::vector<const PreparedVariant*>& sides) {
  const PreparedVariant& base = *sides.front();
  std::vector<UnitOfNode> by_node;
  for (const PreparedVariant* side : sides) by_node.push_back(units_by_node(*side));
  std::vector<MatchedUnit> result;
  for (size_t i = 0; i < base.units.size(); ++i) {
    const VariantUnit& unit = base.units[i];
    std::map<std::vector<Found>, std::vector<std::string>> parts;  // by what the sides have
    for (const std::string& node : unit.identity.nodes) {
      std::vector<Found> found;
      for (size_t s = 1; s < sides.size(); ++s) {
        found.push_back(find_by_nodes(base, unit, node, *sides[s], by_node[s]));
      }
      parts[found].push_back(node);
    }
    if (unit.identity.nodes.empty()) {
      std::vector<Found> found;
      for (size_t s = 1; s < sides.size(); ++s) found.push_back(find_by_text(unit, *sides[s]));
      parts[found];
    }
    for (auto& [found, nodes] : parts) {
      MatchedUnit part = matched(i, found);
      const size_t all = std::max<size_t>(1, unit.identity.nodes.size());
      part.count = unit.count * static_cast<int64_t>(std::max<size_t>(1, nodes.size())) /
                   static_cast<int64_t>(all);
      part.nodes = std::move(nodes);
      result.push_back(std::move(part));
    }
  }
  return result;
}

std::vector<std::string> incomparable_fields(const PreparedVariant& base,
                                             const PreparedVariant& other) {
  Differences differences;
  const bool same_batch = base.info.batch_size == other.info.batch_size;
  differences.add("model", fmt::format("\"{}\"", base.model), fmt::format("\"{}\"", other.model));
  const bool is_content_comparable = base.model == other.model && same_batch;
  if (is_content_comparable) {
    differences.add("content (sha256)", base.sha256.substr(0, 12), other.sha256.substr(0, 12));
  }
  differences.add("input shapes", shapes_text(base.inputs, same_batch),
                  shapes_text(other.inputs, same_batch));
  differences.add("output shapes", shapes_text(base.outputs, same_batch),
                  shapes_text(other.outputs, same_batch));
  differences.add("input types", types_text(base.inputs), types_text(other.inputs));
  differences.add("output types", types_text(base.outputs), types_text(other.outputs));
  return std::move(differences).lines();
}

std::vector<std::string> differences_of(const PreparedVariant& base, const PreparedVariant& other) {
  Differences differences;
  const ComparedVariant& a = base.info;
  const ComparedVariant& b = other.info;
  const auto named = [](const ComparedVariant& side) {
    return side.engine + (side.version.empty() ? "" : " " + side.version);
  };
  differences.add("engine", named(a), named(b));
  if (a.engine == b.engine) {
    std::map<std::string, std::string> all = b.versions;
    all.insert(a.versions.begin(), a.versions.end());
    for (const auto& [library, ignored] : all) {
      const auto in = [&library = library](const ComparedVariant& side) {
        const auto found = side.versions.find(library);
        return found == side.versions.end() ? std::string("none") : found->second;
      };
      differences.add(library, in(a), in(b));
    }
  }
  const std::string here = "this build";
  differences.add("build", a.build.empty() ? here : a.build, b.build.empty() ? here : b.build);
  differences.add("OpBench", program_text(a), program_text(b));
  if (a.engine == b.engine) differences.add("executor", a.executor, b.executor);
  differences.add("fusion", a.is_fused ? "on" : "off", b.is_fused ? "on" : "off");
  differences.add("threads", std::to_string(a.threads), std::to_string(b.threads));
  differences.add("CPUs", fmt::format("{}", fmt::join(a.cpus, ",")),
                  fmt::format("{}", fmt::join(b.cpus, ",")));
  differences.add("batch size", std::to_string(a.batch_size), std::to_string(b.batch_size));
  differences.add("target", base.target, other.target);
  differences.add("cache", base.cache, other.cache);
  add_kernels(a, b, differences);
  return std::move(differences).lines();
}

}  // namespace opbench
