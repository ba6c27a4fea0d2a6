#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "experiments/analysis/sweep_readers.h"
#include "records/record/replay.h"

namespace opbench {

Result<SweptTimes> read_record_sweep(std::string_view text, const std::string& path) {
  const Result<std::vector<ReplayItem>> items = plan_replay(text);
  if (!items) {
    return Error(items.error())
        .with("in", path)
        .with("valid", "text in columns, CSV, the JSON of opbench sweep, or benchmark records");
  }
  SweptTimes table{.source = path, .time_name = "runtime_ms_median", .unit = "ms"};
  for (const char* key : {"engine", "threads", "batch", "subject"}) {
    table.keys.push_back({key, {}, {}});
  }
  // Of a model that was measured with its units, the time of the whole counts.
  const bool has_models = std::ranges::any_of(
      *items, [](const ReplayItem& item) { return item.record.scope == "model"; });
  for (const ReplayItem& item : *items) {
    if (has_models && item.record.scope != "model") continue;
    const std::string workload = workload_text(item.identity);
    const std::string subject =
        workload.empty() ? item.record.model.value_or(item.record.workload) : workload;
    const auto& median = item.record.runtime_ms_median;
    add_row(table,
            {item.record.engine, std::to_string(item.threads), std::to_string(item.batch_size),
             subject},
            median ? median : item.record.runtime_ms_mean);
    table.subject = subject;
  }
  OPBENCH_TRY(SweptTimes whole, finished(std::move(table)));
  if (distinct_of(whole.keys.back()) > 1) {
    whole.subject.clear();
  } else {
    whole.keys.pop_back();
  }
  return whole;
}

}  // namespace opbench
