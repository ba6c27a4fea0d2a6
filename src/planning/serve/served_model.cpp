#include "planning/serve/served_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace opbench {
namespace {

void add_unit(Segment& segment, const UnitTimes& unit) {
  ++segment.units;
  segment.times_ms.resize(unit.times_ms.size(), 0.0);
  for (size_t team = 0; team < unit.times_ms.size(); ++team) {
    segment.times_ms[team] += unit.times_ms[team];
  }
}

Result<void> check_model(const ServingSystem& system, const ServedModel& model) {
  if (model.segments.empty())
    return invalid_input(fmt::format("\"{}\" has no segments", model.name));
  for (size_t i = 0; i < model.segments.size(); ++i) {
    const std::vector<double>& times = model.segments[i].times_ms;
    const bool is_right =
        times.size() == system.teams.size() &&
        std::ranges::all_of(times, [](double ms) { return std::isfinite(ms) && ms > 0; });
    if (is_right) continue;
    return invalid_input(
               fmt::format("segment {} of \"{}\" needs a time above 0 for each size of team", i,
                           model.name))
        .with("times", fmt::format("{} ms", fmt::join(times, ", ")))
        .with("teams", fmt::format("{}", fmt::join(system.teams, ", ")));
  }
  return {};
}

}  // namespace

ServedModel cut_into_segments(std::string name, const TimedGraph& timed, int most_segments) {
  const size_t units = timed.size();
  const size_t count = std::min(units, static_cast<size_t>(std::max(1, most_segments)));
  std::vector<double> until_ms = {0};
  for (const UnitTimes& unit : timed.times.units)
    until_ms.push_back(until_ms.back() + unit.times_ms[0]);
  // squares[end]: the least sum of squared times of the first `end` units in so many segments.
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<double> squares(units + 1, kNever);
  squares[0] = 0;
  std::vector<std::vector<size_t>> starts;  // of the last segment: [segments - 1][end]
  for (size_t segments = 1; segments <= count; ++segments) {
    std::vector<double> next(units + 1, kNever);
    starts.emplace_back(units + 1, 0);
    for (size_t end = segments; end <= units; ++end) {
      for (size_t start = segments - 1; start < end; ++start) {
        const double ms = until_ms[end] - until_ms[start];
        if (squares[start] + ms * ms >= next[end]) continue;
        next[end] = squares[start] + ms * ms;
        starts.back()[end] = start;
      }
    }
    squares = std::move(next);
  }
  ServedModel model{std::move(name), std::vector<Segment>(count)};
  size_t end = units;
  for (size_t i = count; i-- > 0;) {
    Segment& segment = model.segments[i];
    segment = {.first_unit = starts[i][end], .units = 0, .times_ms = {}};
    for (size_t unit = segment.first_unit; unit < end; ++unit) {
      add_unit(segment, timed.times.units[unit]);
    }
    end = segment.first_unit;
  }
  return model;
}

ServedModel with_longer_segments(const ServedModel& model, double least_ms) {
  ServedModel longer{model.name, {}};
  const auto is_short = [&](const Segment& segment) {
    return std::ranges::min(segment.times_ms) < least_ms;
  };
  const auto join = [](Segment& segment, const Segment& next) {
    segment.units += next.units;
    for (size_t team = 0; team < segment.times_ms.size(); ++team) {
      segment.times_ms[team] += next.times_ms[team];
    }
  };
  for (const Segment& segment : model.segments) {
    if (!longer.segments.empty() && is_short(longer.segments.back())) {
      join(longer.segments.back(), segment);
    } else {
      longer.segments.push_back(segment);
    }
  }
  if (longer.segments.size() > 1 && is_short(longer.segments.back())) {
    const Segment last = longer.segments.back();
    longer.segments.pop_back();
    join(longer.segments.back(), last);
  }
  return longer;
}

Result<void> check_serving(const ServingSystem& system) {
  if (system.models.empty()) return invalid_input("no model is served");
  const auto& teams = system.teams;
  const bool are_right = !teams.empty() && teams.front() == 1 &&
                         std::ranges::adjacent_find(teams, std::greater_equal<>()) == teams.end() &&
                         teams.back() <= system.workers;
  if (!are_right) {
    return invalid_input(fmt::format("teams of {} do not fit {} workers", fmt::join(teams, ", "),
                                     system.workers))
        .with("valid", "ascending sizes that begin with 1");
  }
  for (const ServedModel& model : system.models) OPBENCH_CHECK(check_model(system, model));
  return {};
}

RestTimes::RestTimes(const ServingSystem& system) {
  for (const ServedModel& model : system.models) {
    const size_t count = model.segments.size();
    std::vector<std::vector<double>> rests(count + 1, std::vector<double>(system.teams.size(), 0));
    for (size_t i = count; i-- > 0;) {
      for (size_t team = 0; team < system.teams.size(); ++team) {
        rests[i][team] = rests[i + 1][team] + model.segments[i].times_ms[team];
      }
    }
    rests_.push_back(std::move(rests));
  }
}

double RestTimes::fastest_ms(size_t model, size_t segment) const {
  return std::ranges::min(rests_[model][segment]);
}

double solo_ms(const ServingSystem& system, size_t model) {
  double ms = 0;
  for (const Segment& segment : system.models[model].segments) {
    ms += std::ranges::min(segment.times_ms);
  }
  return ms;
}

double capacity_per_ms(const ServingSystem& system) {
  double worker_ms = 0;
  for (const ServedModel& model : system.models) {
    for (const Segment& segment : model.segments) {
      double least_ms = segment.times_ms.front();
      for (size_t team = 0; team < system.teams.size(); ++team) {
        least_ms = std::min(least_ms, system.teams[team] * segment.times_ms[team]);
      }
      worker_ms += least_ms;
    }
  }
  return system.workers * static_cast<double>(system.models.size()) / worker_ms;
}

}  // namespace opbench
