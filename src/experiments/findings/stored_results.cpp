#include "experiments/findings/stored_results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/files/file.h"
#include "base/numbers/number.h"
#include "base/system/seconds.h"
#include "measuring/results/unit_totals.h"
#include "records/record/tuning_record.h"
#include "records/store/database/views.h"
#include "records/store/rows/trial_line.h"
#include "records/store/store_folder.h"
#include "tuning/trials/best_kernels.h"

namespace opbench {
namespace {

/// The line of a choice's origin, `FILE:LINE`, counted from 1; 0: it has none.
int64_t line_of(const KernelChoice& choice) {
  const size_t colon = choice.origin.rfind(':');
  if (colon == std::string::npos) return 0;
  return parse_integer(choice.origin.substr(colon + 1)).value_or(0);
}

}  // namespace

Result<std::vector<StoredTime>> stored_times(const std::filesystem::path& store,
                                             const ProfileResult& result, int threads) {
  OPBENCH_TRY(StoreFolder folder, StoreFolder::open_to_read(store));
  OPBENCH_TRY(const std::vector<StorePart> parts, folder.live_parts(RecordKind::kBenchmark));
  if (parts.empty()) return std::vector<StoredTime>();
  const std::string sql = fmt::format(
      "SELECT engine, min(runtime_ms_median) AS ms FROM benchmarks WHERE scope = 'model' AND "
      "status = 'ok' AND model = {} AND machine_hash = {} AND "
      "json_extract_string(runtime_config, '$.num_cpu_threads') = '{}' AND "
      "json_extract_string(runtime_config, '$.batch_size') = '{}' AND runtime_ms_median > 0 AND "
      "CASE WHEN execution_config.timer IN ('event', 'simulated') THEN execution_config.timer "
      "ELSE 'wall' END = {} GROUP BY engine ORDER BY ms",
      sql_text(result.model), sql_text(result.environment.machine_hash), threads, result.batch_size,
      sql_text(std::string(name_of(clock_of(result.engines.front())))));
  OPBENCH_TRY(const QueryResult rows, query_store(folder, sql));
  std::vector<StoredTime> times;
  for (const std::vector<Json>& row : rows.rows) {
    if (row.size() == 2 && row[0].is_string() && row[1].is_number()) {
      times.push_back({row[0].get<std::string>(), row[1].get<double>()});
    }
  }
  return times;
}

Result<std::vector<StoredKernel>> stored_kernels(const std::filesystem::path& store,
                                                 const Target& target, int threads,
                                                 const std::filesystem::path& folder) {
  OPBENCH_TRY(StoreFolder open, StoreFolder::open_to_read(store));
  OPBENCH_TRY(const std::vector<StorePart> parts, open.live_parts(RecordKind::kTrial));
  std::vector<StoredKernel> kernels;
  if (parts.empty()) return kernels;
  const std::string where =
      "error_no = 0 AND (target, task, args, mean_s) IN (SELECT (target, task, args, min(mean_s)) "
      "FROM trials WHERE error_no = 0 GROUP BY target, task, args)";
  std::string log;
  std::vector<double> means_ms;
  OPBENCH_CHECK(for_each_trial(
      open, where, [&](const TuningRecord& record, std::string_view line) -> Result<void> {
        log += std::string(line) + "\n";
        means_ms.push_back(s_to_ms(mean_cost(record.result.costs_s)));
        return {};
      }));
  if (means_ms.empty()) return kernels;
  const std::filesystem::path file = folder / "stored.log";
  OPBENCH_CHECK(write_file(file, log));
  // Trials of other targets alone are no kernels for this one.
  const auto choices = best_kernels(file.string(), target, threads);
  if (!choices) return kernels;
  for (const KernelChoice& choice : *choices) {
    const int64_t line = line_of(choice);
    const bool is_known = line >= 1 && line <= std::ssize(means_ms);
    if (is_known) kernels.push_back({choice, means_ms[static_cast<size_t>(line - 1)]});
  }
  return kernels;
}

}  // namespace opbench
