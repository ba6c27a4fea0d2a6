#include "presentation/html/page_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "measuring/results/time_interval.h"
#include "measuring/results/unit_totals.h"

namespace opbench {
namespace {

/// Half of a 95 % interval in standard errors.
constexpr double kErrorsOfInterval = 1.96;

std::optional<double> half_width_of(const UnitResult& unit, TimePlace place) {
  if (place == TimePlace::kAlone) {
    if (!unit.time) return std::nullopt;
    const std::optional<Interval> interval = interval_of(*unit.time);
    if (!interval) return std::nullopt;
    return (interval->high - interval->low) / 2 * static_cast<double>(unit.count);
  }
  double squares = 0;
  for (const UnitOccurrence& occurrence : unit.occurrences) {
    // A single run of the model has no error that could be known.
    if (occurrence.in_place_error_ms.value_or(0) <= 0) return std::nullopt;
    squares += *occurrence.in_place_error_ms * *occurrence.in_place_error_ms;
  }
  if (unit.occurrences.empty()) return std::nullopt;
  return kErrorsOfInterval * std::sqrt(squares);
}

std::optional<double> total_of(const UnitResult& unit, TimePlace place) {
  if (place == TimePlace::kInPlace && unit.in_place_ms) return unit.total_ms;
  if (place == TimePlace::kAlone && unit.time) {
    return unit.time->median_ms * static_cast<double>(unit.count);
  }
  return std::nullopt;
}

/// The spread of all units of a row together; their errors are taken as independent.
std::optional<double> spread_of_units(const std::vector<const UnitResult*>& units,
                                      TimePlace place) {
  double squares = 0, total = 0;
  for (const UnitResult* unit : units) {
    const std::optional<double> half = half_width_of(*unit, place);
    const std::optional<double> ms = total_of(*unit, place);
    if (!half || !ms) return std::nullopt;
    squares += *half * *half;
    total += *ms;
  }
  return total > 0 ? std::optional(std::sqrt(squares) / total) : std::nullopt;
}

std::optional<PageTime> page_time_of(const std::optional<Measurement>& time) {
  if (!time || time->median_ms <= 0) return std::nullopt;
  PageTime result{.ms = time->median_ms, .spread = {}, .clock = time->clock};
  const std::optional<Interval> interval = interval_of(*time);
  if (interval) result.spread = (interval->high - interval->low) / 2 / time->median_ms;
  return result;
}

std::optional<PageTime> page_time_of(std::optional<double> ms,
                                     const std::vector<const UnitResult*>& units, TimePlace place,
                                     TimeClock clock) {
  if (!ms || *ms <= 0) return std::nullopt;
  return PageTime{.ms = *ms, .spread = spread_of_units(units, place), .clock = clock};
}

std::optional<PageTime> model_time_of(const EngineResult& run) {
  std::optional<PageTime> time = page_time_of(run.model.end_to_end);
  if (time) time->clock = clock_of(run);
  return time;
}

TimePlace place_of_times(const EngineResult& run) {
  const bool has_in_place = std::ranges::any_of(
      run.units, [](const UnitResult& unit) { return unit.in_place_ms.has_value(); });
  return has_in_place ? TimePlace::kInPlace : TimePlace::kAlone;
}

std::vector<const UnitResult*> units_at(const EngineResult& run, const std::vector<size_t>& at) {
  std::vector<const UnitResult*> units;
  for (const size_t index : at) units.push_back(&run.units[index]);
  return units;
}

std::string why_no_time(const std::vector<const UnitResult*>& units, const char* side) {
  for (const UnitResult* unit : units) {
    if (unit->failure) return fmt::format("{} failed: {}", side, to_text(*unit->failure));
  }
  return fmt::format("{} has no time", side);
}

/// Units without nodes (changes of layout) meet where they are equal.
void pair_without_nodes(PagePair& pair) {
  for (PageRow& here : pair.only_here) {
    for (PageRow& there : pair.only_there) {
      const bool are_single = here.units.size() == 1 && there.base.size() == 1;
      if (!are_single || !here.units[0]->identity.nodes.empty()) continue;
      const UnitIdentity &a = here.units[0]->identity, &b = there.base[0]->identity;
      const bool is_equal = b.nodes.empty() && a.operator_text == b.operator_text &&
                            short_shapes(a) == short_shapes(b) && layouts_of(a) == layouts_of(b) &&
                            here.count == there.count;
      if (!is_equal) continue;
      here.base = std::move(there.base);
      here.base_time = there.base_time;
      there.base.clear();
      break;
    }
  }
  for (PageRow& here : pair.only_here) {
    if (!here.base.empty()) pair.rows.push_back(here);
  }
  std::erase_if(pair.only_here, [](const PageRow& row) { return !row.base.empty(); });
  std::erase_if(pair.only_there, [](const PageRow& row) { return row.base.empty(); });
}

void add_rival_rows(PagePair& pair, const Rivals& rivals) {
  pair.place = rivals.places[0];
  pair.base_place = rivals.places[1];
  for (const RivalRow& rival : rivals.rows) {
    PageRow row{.units = units_at(*pair.run, rival.units[0]),
                .base = units_at(*pair.base, rival.units[1]),
                .count = rival.count};
    row.time = page_time_of(rival.total_ms[0], row.units, pair.place, clock_of(*pair.run));
    row.base_time =
        page_time_of(rival.total_ms[1], row.base, pair.base_place, clock_of(*pair.base));
    if (row.base.empty()) {
      pair.only_here.push_back(std::move(row));
    } else if (row.units.empty()) {
      pair.only_there.push_back(std::move(row));
    } else {
      pair.rows.push_back(std::move(row));
    }
  }
  pair_without_nodes(pair);
}

void add_own_rows(PagePair& pair) {
  pair.place = place_of_times(*pair.run);
  for (const UnitResult& unit : pair.run->units) {
    PageRow row{.units = {&unit}, .count = unit.count};
    row.time = page_time_of(unit.total_ms > 0 ? std::optional(unit.total_ms) : std::nullopt,
                            row.units, pair.place, clock_of(*pair.run));
    pair.rows.push_back(std::move(row));
  }
}

void set_shares(PagePair& pair) {
  double sum = 0, base_sum = 0;
  const auto each = [&](auto visit) {
    for (auto* rows : {&pair.rows, &pair.only_here, &pair.only_there}) {
      for (PageRow& row : *rows) visit(row);
    }
  };
  each([&](PageRow& row) {
    if (row.time) sum += row.time->ms;
    if (row.base_time) base_sum += row.base_time->ms;
  });
  each([&](PageRow& row) {
    if (row.time && sum > 0) row.share = row.time->ms / sum;
    if (row.base_time && base_sum > 0) row.base_share = row.base_time->ms / base_sum;
  });
}

const EngineResult* base_run_of(const EngineResult& run, const ProfileResult& base) {
  for (const EngineResult& other : base.engines) {
    if (other.engine == run.engine && other.threads == run.threads) return &other;
  }
  if (base.engines.size() == 1) return &base.engines.front();
  for (const EngineResult& other : base.engines) {
    if (other.threads == run.threads) return &other;
  }
  return nullptr;
}

const EngineResult* first_of_threads(const EngineResult& run, const ProfileResult& result) {
  for (const EngineResult& other : result.engines) {
    if (other.threads == run.threads) return &other == &run ? nullptr : &other;
  }
  return nullptr;
}

}  // namespace

void judge(PageRow& row, double margin_percent) {
  if (!row.time || !row.base_time) {
    row.reason = row.time ? why_no_time(row.base, "the base") : why_no_time(row.units, "this run");
    return;
  }
  const double ratio = row.time->ms / row.base_time->ms;
  row.ratio = Ratio{.median = ratio, .low = ratio, .high = ratio};
  row.reason = why_no_verdict(row.base_time->clock, row.time->clock);
  if (!row.reason.empty()) return;
  if (!row.time->spread || !row.base_time->spread) {
    row.verdict = Verdict::kInconclusive;
    row.reason = row.time->spread ? "the base's time has no interval" : "the time has no interval";
    return;
  }
  // A relative error of 100 % or more leaves no lower bound for a time.
  const double spread = std::hypot(*row.time->spread, *row.base_time->spread);
  row.ratio->low = ratio * std::exp(-spread);
  row.ratio->high = ratio * std::exp(spread);
  const double margin = 1 + margin_percent / 100;
  if (row.ratio->low > margin) {
    row.verdict = Verdict::kSlower;
  } else if (row.ratio->high < 1 / margin) {
    row.verdict = Verdict::kFaster;
  } else if (row.ratio->low >= 1 / margin && row.ratio->high <= margin) {
    row.verdict = Verdict::kSame;
  } else {
    row.verdict = Verdict::kInconclusive;
    row.reason = fmt::format("the interval of ±{:.1f} % reaches over the margin of {:.3g} %",
                             spread * 100, margin_percent);
  }
}

double change_over_threshold(const PageRow& row, double margin_percent) {
  const bool differs = row.verdict == Verdict::kFaster || row.verdict == Verdict::kSlower;
  if (!differs || !row.ratio) return 0;
  return std::fabs(std::log(row.ratio->median)) / std::log1p(margin_percent / 100);
}

std::vector<PagePair> page_pairs(const ProfileResult& result, const ProfileResult* base,
                                 double margin_percent) {
  std::vector<PagePair> pairs;
  for (const EngineResult& run : result.engines) {
    PagePair pair{.run = &run, .margin_percent = margin_percent};
    pair.base = base != nullptr ? base_run_of(run, *base) : first_of_threads(run, result);
    std::optional<Rivals> rivals;
    if (pair.base != nullptr) rivals = rivals_of({pair.run, pair.base});
    if (pair.base != nullptr) pair.base_name = base != nullptr ? "base" : pair.base->engine;
    if (rivals) {
      add_rival_rows(pair, *rivals);
    } else {
      add_own_rows(pair);
    }
    pair.model.id = std::to_string(pairs.size() + 1);
    pair.model.time = model_time_of(run);
    if (pair.base != nullptr) {
      pair.model.base_time = model_time_of(*pair.base);
      judge(pair.model, margin_percent);
      if (rivals) {
        for (PageRow& row : pair.rows) judge(row, margin_percent);
      }
    }
    set_shares(pair);
    std::ranges::stable_sort(pair.rows, [&](const PageRow& a, const PageRow& b) {
      const double x = change_over_threshold(a, margin_percent);
      const double y = change_over_threshold(b, margin_percent);
      return x != y ? x > y : std::max(a.share, a.base_share) > std::max(b.share, b.base_share);
    });
    size_t number = 0;
    for (auto* rows : {&pair.rows, &pair.only_here, &pair.only_there}) {
      for (PageRow& row : *rows) row.id = fmt::format("r{}-{}", pairs.size() + 1, ++number);
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::string row_name(const PageRow& row) {
  std::string name;
  for (const UnitResult* unit : row.units.empty() ? row.base : row.units) {
    if (!name.empty()) name += " + ";
    name += unit->identity.operator_text.empty() ? "unit" : unit->identity.operator_text;
  }
  return name;
}

std::string row_shapes(const PageRow& row) {
  const auto& units = row.units.empty() ? row.base : row.units;
  std::string text;
  std::set<std::string> met;
  for (const UnitResult* unit : units) {
    const std::string shapes = short_shapes(unit->identity);
    if (shapes.empty() || !met.insert(shapes).second) continue;
    text += (text.empty() ? "" : "; ") + shapes;
  }
  return text;
}

}  // namespace opbench
