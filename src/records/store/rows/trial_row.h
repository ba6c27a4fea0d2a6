#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/record/tuning_record.h"
#include "records/store/rows/text_arena.h"

namespace opbench {

struct Id128 {
  uint64_t high = 0, low = 0;
  bool operator==(const Id128&) const = default;
};

/// A trial as the store keeps it: the columns of kind=trial but for the file's name. A view without
/// data is null.
struct TrialRow {
  Id128 content;  ///< of everything but where it came from; see content_id
  uint64_t workload_key = 0;
  std::string_view target, task;
  std::string_view args;         ///< as arguments_key() makes them
  uint64_t config_index = 0;     ///< only with knobs
  std::string_view knobs;        ///< `tile_f:sp tile_y:sp`; null for schedules of other tools
  std::string_view knob_values;  ///< compact JSON, one item a knob
  std::vector<double> costs_s;   ///< none for a failure
  double mean_s = 0;             ///< as mean_cost() makes it
  int error_no = 0;
  std::string_view error_message;
  double all_cost_s = 0, timestamp = 0;
  bool has_all_cost = false, has_timestamp = false;
  uint8_t number_forms = 0;  ///< bit 0: all_cost was written as an int, bit 1: timestamp was
  std::string_view tvm_version, format;
  std::string_view source;  ///< the line, where the columns do not hold everything
  int64_t line = 0;
};

/// A row that owns its texts.
struct OwnedTrialRow {
  TrialRow row;
  std::vector<std::string> texts;
};

/// The row of a record; `line` is its text in the source. Content is the same for every spelling of
/// a record.
OwnedTrialRow trial_row(const TuningRecord& record, std::string_view line);

/// The row with its texts in the arena.
TrialRow kept_in(TextArena& arena, const OwnedTrialRow& owned);

/// 128-bit XXH3 over the columns and, where there is one, the canonical form of the source.
Id128 content_id(const TrialRow& row, std::string_view canonical_source, std::string& scratch);

/// The identity of the `occurrence`th equal line of a file; that of the first (0) is its content.
Id128 occurrence_id(const Id128& content, int64_t occurrence);

/// 64-bit XXH3 of task and arguments, what lookups filter by.
uint64_t workload_key_of(std::string_view task, std::string_view args);

}  // namespace opbench
