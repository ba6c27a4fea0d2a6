#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "benchmarks/devices/device_goals.h"
#include "device_text.h"
#include "model/operators/workloads/unit_identity.h"

namespace opbench {
namespace {

constexpr double kErrorLimit = 1e-4;  // max |a - b| / max |b|
constexpr double kLongMs = 1;         // from here on event and wall time are close
constexpr double kEventLimit = 5;     // percent
constexpr double kBooksLimit = 2;     // percent
constexpr double kModelRunLimitS = 3600;

std::string exit_text(const ProgramRun& run) {
  return fmt::format("exit {}: {}", run.exit_code, run.err.substr(0, run.err.find('\n')));
}

Result<Json> profile_report(const Result<ProgramRun>& run) {
  if (!run) return run.error();
  if (run->exit_code != 0) return Error{ErrorCode::kSystem, exit_text(*run)};
  return parse_json(run->out, "the report");
}

double units_on_host(const Json& units) {
  return static_cast<double>(std::ranges::count_if(
      units, [](const Json& unit) { return unit.value("schedule", "") == kReferenceSchedule; }));
}

/// A row's sample whose threads waited least for a CPU: times alone do not choose it.
const Json* least_disturbed(const Json& samples) {
  const auto waited = [](const Json& sample) { return sample.value("waited_ms", HUGE_VAL); };
  const Json* found = nullptr;
  for (const Json& sample : samples) {
    if (!sample.contains("device_ms")) continue;
    if (found == nullptr || waited(sample) < waited(*found)) found = &sample;
  }
  return found;
}

/// How the device's own clock and the wall clock agree over the rows of a model.
void add_event_times(const std::string& model, const std::string& records, Report& report) {
  int rows = 0, longer = 0;
  double worst = 0;
  for (const std::string& line : split(records, '\n')) {
    const auto record = parse_json(line, "a record");
    if (!record || !record->contains("runtime_raw")) continue;
    for (const Json& sample : record->at("runtime_raw")) {
      longer += sample.value("device_ms", 0.0) > sample.value("runtime_ms", 0.0) ? 1 : 0;
    }
    const Json* const sample = least_disturbed(record->at("runtime_raw"));
    if (sample == nullptr) continue;
    const double wall = sample->at("runtime_ms"), event = sample->at("device_ms");
    if (wall < kLongMs) continue;
    const double rest = 100 * (wall - event) / wall;
    ++rows;
    worst = std::max(worst, rest);
    report.note(fmt::format("{:.3f} ms, event {:.3f} ms, rest {:.2f} %: {}", wall, event, rest,
                            record->value("workload", "")));
  }
  report.add({fmt::format("goal 5: {}, samples with an event time above the wall time", model),
              static_cast<double>(longer), 0});
  report.add({fmt::format("goal 5: {}, {} rows of {} ms and more, largest rest beside the event "
                          "time, %",
                          model, rows, kLongMs),
              worst, kEventLimit});
}

void add_books(const std::string& model, const Json& engine, Report& report) {
  Bar bar{.bar = fmt::format("goal 5: {}, gap between the sum of units and the model, %", model),
          .limit = kBooksLimit};
  const Json& model_sums = engine.at("model");
  if (model_sums.at("gap_percent").is_number()) {
    bar.value = std::abs(model_sums.at("gap_percent").get<double>());
  } else {
    bar.reason = model_sums.value("gap_percent_reason", "no gap");
  }
  report.add(bar);
}

/// Of all kernels in the cache: private arrays whose index is computed stay in memory.
Result<void> add_texts(const std::filesystem::path& cache, Report& report) {
  int texts = 0, computed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache)) {
    if (entry.path().extension() != ".o") continue;
    const auto text = device_text_of(entry.path());
    if (!text) continue;
    ++texts;
    const std::string use = computed_index(*text);
    computed += use.empty() ? 0 : 1;
    if (!use.empty()) report.note(fmt::format("{}: {}", entry.path().filename().string(), use));
  }
  Bar bar{
      .bar = fmt::format("goal 3: kernels of {} with a computed index of a private array", texts),
      .value = static_cast<double>(computed),
      .limit = 0};
  if (texts == 0) bar.reason = "no kernel was made";
  report.add(bar);
  return {};
}

}  // namespace

Bar check_bar(const std::string& bar, const Result<ProgramRun>& run) {
  Bar made{.bar = bar, .value = 0, .limit = kErrorLimit};
  const auto report = profile_report(run);
  if (!report) {
    made.reason = report.error().message;
    return made;
  }
  const Json& check = report->at("engines").at(0).at("check");
  if (!check.at("max_relative_error").is_number()) {
    made.reason = check.value("reason", "no check");
    return made;
  }
  made.value = check.at("max_relative_error");
  return made;
}

Result<void> add_models(const std::vector<std::string>& models, double budget_s, Report& report) {
  OPBENCH_TRY(const TemporaryFolder cache, TemporaryFolder::make());
  for (const std::string& model : models) {
    Report::progress(fmt::format("profile {} --target opencl", model));
    const std::filesystem::path records = cache.path() / (model + ".jsonl");
    const auto run =
        run_to_end({.argv = {opbench_path(), "profile", model, "--target", "opencl", "--check",
                             "onnxruntime", "--budget", fmt::format("{}", budget_s), "--format",
                             "json", "--record", records.string()},
                    .environment = {{"XDG_CACHE_HOME", cache.path().string()}},
                    .limit_s = kModelRunLimitS});
    report.add(check_bar(fmt::format("goal 2: {} on PoCL, largest relative error", model), run));
    const auto result = profile_report(run);
    if (!result) continue;
    const Json& engine = result->at("engines").at(0);
    report.add(
        {fmt::format("goal 2: {}, rows on the host", model), units_on_host(engine.at("units")), 0});
    OPBENCH_TRY(const std::string lines, read_file(records));
    add_event_times(model, lines, report);
    add_books(model, engine, report);
  }
  return add_texts(cache.path(), report);
}

}  // namespace opbench
