#pragma once

#include <optional>
#include <string>

#include "base/errors/error.h"
#include "records/formats/best_records.h"
#include "records/store/store_folder.h"

namespace opbench {

/// The best trial of one workload on the very target, from the index; nothing if there is none.
/// `args` as arguments_key() makes them.
Result<std::optional<TuningRecord>> best_of_workload(StoreFolder& store, const std::string& target,
                                                     const std::string& task,
                                                     const std::string& args);

/// The config of the best trial that the default store has of a task (a record without config and
/// result) on its target; nothing when it has none or there is no such store.
std::optional<KnobConfig> known_config(const TuningRecord& task);

/// Adds the good trials of the store, of one task or (empty) of all, in the order of files and
/// lines.
Result<void> add_from_store(StoreFolder& store, const std::string& task, BestRecords& best);

}  // namespace opbench
