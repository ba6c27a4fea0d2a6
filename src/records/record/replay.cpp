#include "records/record/replay.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "machine/facts/environment.h"
#include "measuring/results/time_interval.h"
#include "records/record/record_environment.h"
#include "records/record/record_validation.h"

namespace opbench {
namespace {

constexpr std::string_view kOurs = "opbench.";

/// A profiler's clock may count microseconds.
constexpr double kInPlaceStepMs = 1e-3;

/// A member of an object kept as text, or the alternative when it is absent or of another type.
template <class T>
T member_or(const std::optional<JsonText>& text, const char* key, T otherwise) {
  if (!text) return otherwise;
  const Json object = Json::parse(text->text);
  const auto value = object.find(key);
  if (value == object.end()) return otherwise;
  const Json fallback(otherwise);
  const bool is_same_kind = value->is_string() == fallback.is_string() &&
                            value->is_number_integer() == fallback.is_number_integer() &&
                            value->is_array() == fallback.is_array();
  return is_same_kind ? value->get<T>() : otherwise;
}

std::vector<int> integers_of(const std::optional<JsonText>& text, const char* key) {
  std::vector<int> integers;
  for (const Json& item : member_or(text, key, Json::array())) {
    if (item.is_number_integer()) integers.push_back(item.get<int>());
  }
  return integers;
}

std::string request_of(const BenchmarkRecord& record) {
  if (!record.runtime_config) return "";
  const Json config = Json::parse(record.runtime_config->text);
  const auto request = config.find("request");
  return request != config.end() && request->is_object() ? request->dump() : "";
}

ReplayItem item_of(BenchmarkRecord record) {
  ReplayItem item;
  item.threads = member_or<int64_t>(record.runtime_config, "num_cpu_threads", 1);
  item.batch_size = member_or<int64_t>(record.runtime_config, "batch_size", 1);
  item.cpus = integers_of(record.runtime_config, "cpus");
  item.source = member_or<std::string>(record.workload_metadata, "source", "");
  item.model_sha256 = member_or<std::string>(record.workload_metadata, "sha256", "");
  item.seed = static_cast<uint64_t>(record.seed.value_or(0));
  item.identity.schedule = member_or<std::string>(record.compilation_config, "schedule", "");
  item.identity.texts.layouts = integers_of(record.compilation_config, "layouts");
  item.request = request_of(record);
  if (record.scope == "unit" && record.workload.starts_with(kOurs)) {
    item.identity.texts.workload = record.workload.substr(kOurs.size());
  }
  item.group = fmt::format("{}|{}|{}", record.run_id.value_or(""), record.engine, item.threads);
  item.record = std::move(record);
  return item;
}

bool changes_all_the_time(const std::string& field) {
  constexpr std::array kFields = {"state.frequency_now_mhz", "state.steal_s",
                                  "state.temperature_c"};
  return std::ranges::find(kFields, field) != kFields.end();
}

std::vector<EnvironmentDifference> differences_between(const Environment& before,
                                                       const Environment& now) {
  std::vector<EnvironmentDifference> result;
  for (const Json& entry : environment_diff(before, now)) {
    const std::string field = entry.value("field", "");
    if (changes_all_the_time(field)) continue;
    result.push_back({field, entry.value("a", Json()).dump(), entry.value("b", Json()).dump()});
  }
  return result;
}

/// Records that name no clock are of the CPU's.
TimeClock clock_of(const BenchmarkRecord& record) {
  if (record.emulator) return TimeClock::kEmulated;
  return time_clock_named(member_or<std::string>(record.execution_config, "timer", ""))
      .value_or(TimeClock::kWall);
}

void judge_failure(const BenchmarkRecord& record, const Outcome<Measurement>& now,
                   ReplayVerdict& verdict) {
  const bool failed_then = record.status == "error";
  verdict.outcome = ReplayOutcome::kFailed;
  if (failed_then && now) verdict.outcome = ReplayOutcome::kNotReproduced;
  if (failed_then && !now) verdict.outcome = ReplayOutcome::kReproduced;
  if (failed_then && !now) {
    verdict.reason = "fails again: " + to_text(now.error());
  } else if (failed_then) {
    verdict.reason = fmt::format("it failed then ({}) and takes {:.4g} ms now",
                                 record.error_message.value_or(""), now->median_ms);
  } else {
    verdict.reason = "it ran then and fails now: " + to_text(now.error());
  }
}

void judge_times(const BenchmarkRecord& record, const Measurement& now, ReplayVerdict& verdict) {
  const double centre = record.runtime_ms_median.value_or(record.runtime_ms_mean.value_or(0));
  const double step = record.runtime_ms_median ? 0 : kInPlaceStepMs;
  const double low = record.runtime_ms_low.value_or(centre) * (1 - verdict.margin) - step;
  const double high = record.runtime_ms_high.value_or(centre) * (1 + verdict.margin) + step;
  const bool meets = now.low_ms <= high && now.high_ms >= low;
  verdict.outcome = meets ? ReplayOutcome::kReproduced : ReplayOutcome::kNotReproduced;
  if (centre > 0) verdict.change_percent = 100 * (now.median_ms / centre - 1);
  const std::optional<Interval> interval = interval_of(now);
  verdict.reason =
      fmt::format("{:.4g} ms{} now, {:.4g} ms ({:.4g} to {:.4g} with the margin of {:.1f} %) then",
                  now.median_ms,
                  interval ? fmt::format(" ({:.4g} to {:.4g})", interval->low, interval->high) : "",
                  centre, low, high, 100 * verdict.margin);
}

}  // namespace

Result<std::vector<ReplayItem>> plan_replay(std::string_view lines) {
  OPBENCH_TRY(std::vector<BenchmarkRecord> records, parse_record_lines(lines));
  std::vector<ReplayItem> items;
  for (BenchmarkRecord& record : records) {
    for (const RecordIssue& issue : validate_record(to_json(record))) {
      if (!issue.is_error()) continue;
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("record {} cannot be repeated: field \"{}\": {}", items.size() + 1,
                               issue.field, issue.message)}
          .with("code", issue.code);
    }
    if (is_predicted(record)) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("record {} was predicted, not measured", items.size() + 1)}
          .with("predictor", member_or<std::string>(record.prediction, "predictor", ""));
    }
    items.push_back(item_of(std::move(record)));
  }
  return items;
}

double ReplayMargin::value() const { return std::max(wanted, 2 * aa_floor.value_or(0)); }

std::string_view name_of(ReplayOutcome outcome) {
  switch (outcome) {
    case ReplayOutcome::kReproduced:
      return "reproduced";
    case ReplayOutcome::kNotReproduced:
      return "not reproduced";
    case ReplayOutcome::kFailed:
      return "failed";
    case ReplayOutcome::kNotComparable:
      break;
  }
  return "not comparable";
}

bool is_same_machine(const BenchmarkRecord& record, const Environment& environment_now) {
  return record.machine_hash && environment_now.machine_hash == *record.machine_hash;
}

ReplayVerdict not_comparable(const BenchmarkRecord& record, const Environment& environment_now,
                             std::string reason) {
  ReplayVerdict verdict{.outcome = ReplayOutcome::kNotComparable, .reason = std::move(reason)};
  verdict.differences = differences_between(environment_of(record), environment_now);
  std::erase_if(verdict.differences, [](const EnvironmentDifference& difference) {
    return difference.field.starts_with("state.");
  });
  return verdict;
}

ReplayVerdict judge_replay(const BenchmarkRecord& record, const Outcome<Measurement>& now,
                           const Environment& environment_now, const ReplayMargin& margin) {
  if (!is_same_machine(record, environment_now)) {
    return not_comparable(record, environment_now,
                          record.machine_hash ? "the record is of another machine"
                                              : "the record does not say of which machine it is");
  }
  ReplayVerdict verdict;
  verdict.margin = margin.value();
  verdict.differences = differences_between(environment_of(record), environment_now);
  if (record.status == "error" || !now) {
    judge_failure(record, now, verdict);
    return verdict;
  }
  if (std::string reason = why_no_verdict(clock_of(record), now->clock); !reason.empty()) {
    return not_comparable(record, environment_now, std::move(reason));
  }
  if (!record.runtime_ms_median) verdict.margin = std::max(verdict.margin, margin.in_place);
  judge_times(record, *now, verdict);
  return verdict;
}

}  // namespace opbench
