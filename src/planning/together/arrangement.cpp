#include "planning/together/arrangement.h"

#include <algorithm>

namespace opbench {
namespace {

struct NamedArrangement {
  Arrangement arrangement;
  std::string_view name;
};

constexpr NamedArrangement kNames[] = {
    {Arrangement::kSequential, "sequential"},
    {Arrangement::kSideBySide, "side by side"},
    {Arrangement::kHelpsFirst, "side by side, then both on the first"},
    {Arrangement::kHelpsSecond, "side by side, then both on the second"}};

}  // namespace

std::string_view name_of(Arrangement arrangement) {
  return std::ranges::find(kNames, arrangement, &NamedArrangement::arrangement)->name;
}

std::optional<Arrangement> parse_arrangement(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name, &NamedArrangement::name);
  if (found == std::end(kNames)) return std::nullopt;
  return found->arrangement;
}

const std::vector<Arrangement>& all_arrangements() {
  static const std::vector<Arrangement> all = [] {
    std::vector<Arrangement> list;
    for (const NamedArrangement& one : kNames) list.push_back(one.arrangement);
    return list;
  }();
  return all;
}

ExecutionPlan plan_of(Arrangement arrangement) {
  ExecutionPlan plan{.planner = std::string(name_of(arrangement)), .workers = 2, .steps = {}};
  const PlanStep first{.units = {0}, .workers = {0}, .waits = {}};
  const PlanStep second{.units = {1}, .workers = {1}, .waits = {}};
  switch (arrangement) {
    case Arrangement::kSequential:
      plan.steps = {{{0}, {0, 1}, {}}, {{1}, {0, 1}, {}}};
      break;
    case Arrangement::kSideBySide:
      plan.steps = {first, second};
      break;
    case Arrangement::kHelpsFirst:  // a leader does not wait for its helper, which may come late
      plan.steps = {second, {{0}, {0, 1}, {}}};
      break;
    case Arrangement::kHelpsSecond:
      plan.steps = {first, {{1}, {1, 0}, {}}};
      break;
  }
  return plan;
}

}  // namespace opbench
