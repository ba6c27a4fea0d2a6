#include "experiments/compare/compare_plan.h"

#include <algorithm>

namespace opbench {
namespace {

// What a side is asked for in a row, or why it cannot be.
struct Part {
  std::optional<EngineItem> item;
  std::string reason;
  bool has_failed = false;
};

Part unit_part(const PreparedVariant& side, const std::optional<size_t>& unit,
               const std::string& reason) {
  if (!unit) return {{}, reason, false};
  const VariantUnit& row = side.units[*unit];
  if (row.failure) {
    return {{}, to_text(*row.failure), row.failure->kind != FailureKind::kUnsupported};
  }
  return {EngineItem{0, row.preparation, row.unit_id, row.expected_s, row.audit}, "", false};
}

Part model_part(const PreparedVariant& side) {
  if (!side.has_model) return {{}, side.model_reason, side.runs_models};
  double expected_s = 0;
  for (const VariantUnit& unit : side.units) {
    expected_s += unit.expected_s * static_cast<double>(unit.count);
  }
  return {EngineItem{0, kModelPreparation, {}, expected_s, side.model_audit}, "", false};
}

class Planner {
 public:
  Planner(const std::vector<PreparedVariant>& sides, bool has_control)
      : sides_(sides), has_control_(has_control) {}

  void add_unit(MatchedUnit match) {
    CompareRow row{.match = std::move(match)};
    std::vector<Part> parts;
    for (size_t s = 0; s < sides_.size(); ++s) {
      parts.push_back(unit_part(sides_[s], row.match.units[s], row.match.reasons[s]));
    }
    const VariantUnit& unit = sides_.front().units[*row.match.units.front()];
    add(std::move(row), parts, unit.identity.operator_text + " " + short_shapes(unit.identity));
  }

  void add_model() {
    std::vector<Part> parts;
    for (const PreparedVariant& side : sides_) parts.push_back(model_part(side));
    add({.is_model = true}, parts, "model");
  }

  ComparePlan result() && { return std::move(plan_); }

 private:
  void add(CompareRow row, const std::vector<Part>& parts, const std::string& id) {
    for (const Part& part : parts) {
      row.reasons.push_back(part.reason);
      row.failed.push_back(part.has_failed);
    }
    row.place.resize(parts.size());
    const bool has_base = parts.front().item.has_value();
    const auto able = std::ranges::count_if(parts, [](const Part& part) { return !!part.item; });
    if (!has_base || able < 2) {
      if (!has_base) {
        std::ranges::fill(row.reasons, parts.front().reason);
        row.failed.assign(parts.size(), parts.front().has_failed);
      }
      plan_.rows.push_back(std::move(row));
      return;
    }
    PairedItem item{.id = id, .sides = {}, .threads = {}};
    for (size_t s = 0; s < parts.size(); ++s) {
      if (parts[s].item) row.place[s] = add_side(item, s, s, *parts[s].item);
    }
    if (has_control_) row.control = add_side(item, sides_.size(), 0, *parts.front().item);
    row.item = plan_.items.size();
    plan_.items.push_back(std::move(item));
    plan_.rows.push_back(std::move(row));
  }

  // Its position in the item.
  size_t add_side(PairedItem& item, size_t engine, size_t side, EngineItem what) {
    what.engine = static_cast<int>(engine);
    item.sides.push_back(plan_.engine_items.size());
    item.threads.push_back(sides_[side].info.threads);
    item.expected_s = std::max(item.expected_s, what.expected_s);
    plan_.engine_items.push_back(std::move(what));
    return item.sides.size() - 1;
  }

  const std::vector<PreparedVariant>& sides_;
  bool has_control_;
  ComparePlan plan_;
};

}  // namespace

ComparePlan plan_comparison(const std::vector<PreparedVariant>& sides, const CompareScope& scope) {
  std::vector<const PreparedVariant*> pointers;
  for (const PreparedVariant& side : sides) pointers.push_back(&side);
  Planner planner(sides, scope.has_control);
  if (scope.has_units) {
    for (MatchedUnit& match : match_units(pointers)) {
      const VariantUnit& unit = sides.front().units[*match.units.front()];
      if (scope.only.empty() || workload_text(unit.identity) == scope.only)
        planner.add_unit(std::move(match));
    }
  }
  if (scope.only.empty()) planner.add_model();
  return std::move(planner).result();
}

}  // namespace opbench
