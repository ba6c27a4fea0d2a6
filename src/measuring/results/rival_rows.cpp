#include "measuring/results/rival_rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace opbench {
namespace {

// One unit at one place of the model.
struct Part {
  size_t engine = 0;
  size_t unit = 0;
  UnitOccurrence occurrence;
};

// Sets that are joined (Tarjan 1975, with path halving).
class Sets {
 public:
  explicit Sets(size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), size_t{0});
  }
  size_t find(size_t at) {
    while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
    return at;
  }
  void join(size_t a, size_t b) { parents_[find(b)] = find(a); }

 private:
  std::vector<size_t> parents_;
};

bool has_in_place(const EngineResult& engine) {
  return std::ranges::any_of(engine.units,
                             [](const UnitResult& unit) { return unit.in_place_ms.has_value(); });
}

bool has_alone(const EngineResult& engine) {
  return std::ranges::any_of(engine.units,
                             [](const UnitResult& unit) { return unit.time.has_value(); });
}

std::vector<TimePlace> places_of(const std::vector<const EngineResult*>& engines) {
  const auto all = [&](bool (*has)(const EngineResult&)) {
    return std::ranges::all_of(engines, [&](const EngineResult* engine) { return has(*engine); });
  };
  const bool is_alone = !all(has_in_place) && all(has_alone);
  std::vector<TimePlace> places;
  for (const EngineResult* engine : engines) {
    const bool is_in_place = !is_alone && has_in_place(*engine);
    places.push_back(is_in_place ? TimePlace::kInPlace : TimePlace::kAlone);
  }
  return places;
}

std::vector<Part> parts_of(const std::vector<const EngineResult*>& engines) {
  std::vector<Part> parts;
  for (size_t e = 0; e < engines.size(); ++e) {
    for (size_t u = 0; u < engines[e]->units.size(); ++u) {
      const UnitResult& unit = engines[e]->units[u];
      for (const UnitOccurrence& occurrence : unit.occurrences) {
        parts.push_back({e, u, occurrence});
      }
      if (unit.occurrences.empty())
        parts.push_back({e, u, {unit.identity.nodes, unit.in_place_ms}});
    }
  }
  return parts;
}

std::optional<double> time_of(const Part& part, const UnitResult& unit, TimePlace place) {
  if (place == TimePlace::kInPlace) return part.occurrence.in_place_ms;
  return unit.time ? std::optional(unit.time->median_ms) : std::nullopt;
}

// The parts of all engines that compute the same nodes, by their place in `parts`.
std::vector<std::vector<size_t>> shared_parts(const std::vector<Part>& parts) {
  Sets sets(parts.size());
  std::map<std::string, size_t> first_with;
  for (size_t i = 0; i < parts.size(); ++i) {
    for (const std::string& node : parts[i].occurrence.nodes) {
      const auto [known, is_new] = first_with.emplace(node, i);
      if (!is_new) sets.join(known->second, i);
    }
  }
  std::map<size_t, std::vector<size_t>> groups;
  for (size_t i = 0; i < parts.size(); ++i) groups[sets.find(i)].push_back(i);
  std::vector<std::vector<size_t>> result;
  for (auto& [root, group] : groups) result.push_back(std::move(group));
  return result;
}

size_t engines_in(const RivalRow& row) {
  return static_cast<size_t>(
      std::ranges::count_if(row.units, [](const auto& units) { return !units.empty(); }));
}

// Several parts make a time only together.
RivalRow row_of(const std::vector<size_t>& group, const std::vector<Part>& parts,
                const std::vector<const EngineResult*>& engines,
                const std::vector<TimePlace>& places) {
  RivalRow row;
  row.count = 1;
  row.units.resize(engines.size());
  row.total_ms.resize(engines.size());
  std::vector<bool> is_known(engines.size(), true);
  for (const size_t index : group) {
    const Part& part = parts[index];
    const auto ms = time_of(part, engines[part.engine]->units[part.unit], places[part.engine]);
    is_known[part.engine] = is_known[part.engine] && ms;
    row.units[part.engine].push_back(part.unit);
    row.total_ms[part.engine] = row.total_ms[part.engine].value_or(0) + ms.value_or(0);
  }
  for (size_t e = 0; e < engines.size(); ++e) {
    if (!is_known[e]) row.total_ms[e].reset();
    std::ranges::sort(row.units[e]);
  }
  return row;
}

void add(const RivalRow& more, RivalRow& row) {
  row.count += more.count;
  for (size_t e = 0; e < row.total_ms.size(); ++e) {
    if (row.total_ms[e] && more.total_ms[e]) {
      *row.total_ms[e] += *more.total_ms[e];
    } else {
      row.total_ms[e].reset();
    }
  }
}

double weight_of(const RivalRow& row) {
  for (const std::optional<double>& ms : row.total_ms) {
    if (ms) return *ms;
  }
  return 0;
}

}  // namespace

std::optional<Rivals> rivals_of(const std::vector<const EngineResult*>& engines) {
  Rivals rivals{.places = places_of(engines)};
  const std::vector<Part> parts = parts_of(engines);
  std::map<std::vector<std::vector<size_t>>, size_t> known;
  for (const std::vector<size_t>& group : shared_parts(parts)) {
    const RivalRow row = row_of(group, parts, engines, rivals.places);
    const auto [place, is_new] = known.emplace(row.units, rivals.rows.size());
    if (is_new) {
      rivals.rows.push_back(row);
    } else {
      add(row, rivals.rows[place->second]);
    }
  }
  const bool is_shared =
      std::ranges::any_of(rivals.rows, [](const RivalRow& row) { return engines_in(row) > 1; });
  if (!is_shared) return std::nullopt;
  std::ranges::stable_sort(rivals.rows, [](const RivalRow& a, const RivalRow& b) {
    return weight_of(a) > weight_of(b);
  });
  return rivals;
}

}  // namespace opbench
