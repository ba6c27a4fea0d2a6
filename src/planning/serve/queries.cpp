#include "planning/serve/queries.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/numbers/number.h"
#include "base/numbers/random.h"

namespace opbench {
namespace {

/// Log-normal with mean 1 and this relative standard deviation.
double drawn_factor(Random& random, double spread) {
  const double variance = std::log1p(spread * spread);
  return std::exp(std::sqrt(variance) * double{random.normal()} - variance / 2);
}

}  // namespace

Result<Deadline> parse_deadline(const std::string& text) {
  const auto number_before = [&](const std::string& unit) -> std::optional<double> {
    if (!text.ends_with(unit)) return {};
    const auto number = parse_number(text.substr(0, text.size() - unit.size()));
    return number && *number > 0 ? number : std::nullopt;
  };
  if (const auto times = number_before("x")) return Deadline{.solo_times = *times};
  for (const char* unit : {"ms", ""}) {
    if (const auto ms = number_before(unit)) return Deadline{.solo_times = 0, .ms = *ms};
  }
  return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" is no deadline", text)}.with(
      "valid", "3x (times the solo time of the model), 20ms");
}

std::string deadline_text(const Deadline& deadline) {
  return deadline.solo_times > 0 ? fmt::format("{}x", deadline.solo_times)
                                 : fmt::format("{} ms", deadline.ms);
}

std::vector<Query> make_queries(const ServingSystem& system, const QueryOptions& options) {
  Random gaps(options.seed, "arrivals"), choices(options.seed, "models"),
      times(options.seed, "times");
  const double mean_gap_ms = 1 / (options.load * capacity_per_ms(system));
  std::vector<Query> queries;
  double now_ms = 0;
  for (int id = 0; id < options.count; ++id) {
    now_ms += -std::log1p(-gaps.uniform()) * mean_gap_ms;
    Query query{.id = id, .model = choices.below(system.models.size()), .arrival_ms = now_ms};
    const double solo = solo_ms(system, query.model);
    const Deadline& deadline = options.deadline;
    query.deadline_ms =
        now_ms + (deadline.solo_times > 0 ? deadline.solo_times * solo : deadline.ms);
    for (size_t i = 0; i < system.models[query.model].segments.size(); ++i) {
      query.factors.push_back(drawn_factor(times, options.noise));
    }
    queries.push_back(std::move(query));
  }
  return queries;
}

}  // namespace opbench
