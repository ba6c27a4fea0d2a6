#include "presentation/cli/records/best_from_store.h"

#include <filesystem>
#include <variant>

#include "records/store/best/best_index.h"
#include "records/store/database/database.h"
#include "records/store/rows/trial_line.h"

namespace opbench {

Result<std::optional<TuningRecord>> best_of_workload(StoreFolder& store, const std::string& target,
                                                     const std::string& task,
                                                     const std::string& args) {
  OPBENCH_TRY(const std::optional<BestTrial> best, find_best(store, target, task, args));
  if (!best) return std::optional<TuningRecord>();
  OPBENCH_TRY(TuningRecord record, record_of(*best, target, task, args));
  return std::optional<TuningRecord>(std::move(record));
}

std::optional<KnobConfig> known_config(const TuningRecord& task) {
  const auto folder = default_store_folder();
  if (!folder) return std::nullopt;
  auto store = StoreFolder::open_to_read(*folder);
  if (!store) return std::nullopt;
  const auto best = best_of_workload(*store, task.target, task.task, arguments_key(task));
  if (!best || !*best) return std::nullopt;
  const auto* config = std::get_if<KnobConfig>(&(*best)->config);
  return config == nullptr ? std::nullopt : std::optional(*config);
}

Result<void> add_from_store(StoreFolder& store, const std::string& task, BestRecords& best) {
  const std::string where =
      task.empty() ? "error_no = 0" : "error_no = 0 AND task = " + sql_text(task);
  return for_each_trial(store, where,
                        [&](const TuningRecord& record, std::string_view line) -> Result<void> {
                          best.add(record, line);
                          return {};
                        });
}

}  // namespace opbench
