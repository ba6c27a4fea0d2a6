#include "experiments/interference/heavy_units.h"

#include <algorithm>
#include <functional>

#include "base/system/seconds.h"
#include "experiments/sessions/rows.h"

namespace opbench {
namespace {

double total_of(const UnitGroup& group, const std::vector<double>& seconds) {
  double sum = 0;
  for (const size_t member : group.members) sum += seconds.at(member);
  return sum;
}

}  // namespace

std::vector<InterferenceUnit> heavy_units(Session& session, size_t subject,
                                          const std::vector<double>& seconds, size_t count,
                                          std::vector<PreparedStep>& steps) {
  const EngineRun& engine_run = session.engine_runs().front();
  double all = 0;
  for (const double one : seconds) all += one;
  std::vector<const UnitGroup*> groups;
  for (const UnitGroup& group : engine_run.built.groups) {
    if (!group.failure && group.unit_id) groups.push_back(&group);
  }
  std::ranges::stable_sort(groups, std::greater(),
                           [&](const UnitGroup* group) { return total_of(*group, seconds); });
  if (groups.size() > count) groups.resize(count);
  std::vector<InterferenceUnit> units;
  for (const UnitGroup* group : groups) {
    const UnitResult row = untimed_row(engine_run, *group);
    const double total = total_of(*group, seconds);
    units.push_back({.subject = session.model().name,
                     .identity = row.identity,
                     .count = row.count,
                     .in_model_ms = s_to_ms(total) / static_cast<double>(group->members.size()),
                     .share = all > 0 ? total / all : 0,
                     .bytes = row.bytes});
    steps.push_back({subject, *group->unit_id});
  }
  return units;
}

std::string unit_key(size_t index) {
  constexpr size_t kLetters = 26;
  std::string key(1, static_cast<char>('A' + index % kLetters));
  return index < kLetters ? key : unit_key(index / kLetters - 1) + key;
}

}  // namespace opbench
