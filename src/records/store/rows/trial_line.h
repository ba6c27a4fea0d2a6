#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "records/record/tuning_record.h"
#include "records/store/best/best_index.h"
#include "records/store/store_folder.h"

/// From the store back to records.
namespace opbench {

/// What a trial's columns say, as a line of AutoTVM 0.2 in some spelling.
struct TrialTexts {
  std::string target, task, args, knobs, knob_values;
  uint64_t config_index = 0;
  std::string costs;     ///< JSON
  std::string all_cost;  ///< a number
  std::string timestamp;
  int error_no = 0;
  std::string tvm_version;
};
std::string trial_line(const TrialTexts& texts);

/// A knob as `knobs` of a row names it.
struct NamedKnob {
  std::string name, kind;
};

/// Takes the first of `tile_f:sp rows:ot` off the text; no name where nothing is left.
NamedKnob take_knob(std::string_view& knobs);

/// The record of an entry of the index; its costs are the mean.
Result<TuningRecord> record_of(const BestTrial& trial, const std::string& target,
                               const std::string& task, const std::string& args);

/// Every trial for which the SQL condition holds (empty: all), with its line; by file and line.
/// Errors as Database::query().
Result<void> for_each_trial(
    StoreFolder& store, const std::string& where,
    const std::function<Result<void>(const TuningRecord& record, std::string_view line)>& take);

}  // namespace opbench
