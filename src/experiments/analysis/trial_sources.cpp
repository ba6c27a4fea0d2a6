#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <utility>
#include <variant>

#include "experiments/analysis/trial_rows.h"
#include "records/formats/record_scan.h"
#include "records/json/python_json.h"
#include "records/store/database/views.h"

namespace opbench {
namespace {

constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

bool counts(const TrialFilter& filter, const std::string& task, const std::string& target) {
  return (filter.task.empty() || filter.task == task) &&
         (filter.target.empty() || target.find(filter.target) != std::string::npos);
}

void add_record(const TuningRecord& record, TrialCollector& table) {
  const KnobConfig& config = std::get<KnobConfig>(record.config);
  std::vector<Json> values;
  values.reserve(config.knobs.size());
  std::vector<TrialKnob> knobs;
  for (const KnobValue& knob : config.knobs) {
    values.push_back(Json::parse(python_json(knob.value), nullptr, false));
    knobs.push_back({knob.name, knob.kind, &values.back()});
  }
  const bool is_good = record.result.error_no == 0 && !record.result.costs_s.empty();
  table.add(record.task, record.target, arguments_key(record), knobs,
            is_good ? mean_cost(record.result.costs_s) : kNoTime);
}

/// `tile_f:sp tile_y:sp` beside its values.
std::vector<TrialKnob> knobs_of(const std::string& names, const Json& values) {
  std::vector<TrialKnob> knobs;
  size_t begin = 0;
  for (size_t i = 0; i < values.size() && begin < names.size(); ++i) {
    const size_t end = std::min(names.find(' ', begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    const size_t colon = name.rfind(':');
    if (colon != std::string::npos) {
      knobs.push_back({name.substr(0, colon), name.substr(colon + 1), &values[i]});
    }
    begin = end + 1;
  }
  return knobs;
}

std::string condition_of(const TrialFilter& filter) {
  std::string condition = "knobs IS NOT NULL";
  if (!filter.task.empty()) condition += " AND task = " + sql_text(filter.task);
  if (!filter.target.empty()) {
    condition += " AND contains(target, " + sql_text(filter.target) + ")";
  }
  return condition;
}

}  // namespace

Result<TrialsRead> trials_of_files(const std::vector<std::string>& paths,
                                   const TrialFilter& filter) {
  TrialsRead read;
  TrialCollector table;
  for (const std::string& path : paths) {
    const ScanReport report = scan_records(path, {}, [&](const AnyRecord& record, const ReadItem&) {
      const auto* trial = std::get_if<TuningRecord>(&record);
      if (trial == nullptr || !std::holds_alternative<KnobConfig>(trial->config)) {
        ++read.others;
      } else if (counts(filter, trial->task, trial->target)) {
        add_record(*trial, table);
      }
    });
    if (report.failure) return *report.failure;
    read.damaged += static_cast<size_t>(report.records - report.valid);
  }
  read.tasks = table.take();
  return read;
}

Result<TrialsRead> trials_of_store(const std::filesystem::path& folder, const TrialFilter& filter) {
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(folder));
  const std::string sql = fmt::format(
      "SELECT task, target, args, knobs, knob_values, CASE WHEN error_no = 0 THEN mean_s END FROM "
      "trials WHERE {} ORDER BY task, target, workload_key, config_index",
      condition_of(filter));
  OPBENCH_TRY(const QueryResult result, query_store(store, sql));
  TrialsRead read;
  TrialCollector table;
  for (const std::vector<Json>& row : result.rows) {
    const Json values = Json::parse(row[4].get<std::string>(), nullptr, false);
    if (!values.is_array()) {
      ++read.damaged;
      continue;
    }
    const std::string args = row[2].is_string() ? row[2].get<std::string>() : "";
    table.add(row[0].get<std::string>(), row[1].get<std::string>(), args,
              knobs_of(row[3].get<std::string>(), values),
              row[5].is_number() ? row[5].get<double>() : kNoTime);
  }
  read.tasks = table.take();
  return read;
}

}  // namespace opbench
