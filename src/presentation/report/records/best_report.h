#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "presentation/report/tables/text_table.h"
#include "records/record/tuning_record.h"

namespace opbench {

/// A row of `records best`: a record that need not have a mean if it failed.
struct BestRow {
  TuningRecord record;
  std::string text;  ///< of its line
  std::string provenance;
};

/// {"schema": "opbench.records.best/1", "total", "rows": [{target, task, args, config, mean_s,
/// error_no, file, line, provenance}]}: `rows` are the first ones of `total`.
Json best_json(const std::vector<BestRow>& rows, size_t total);

/// The same fields, one column each, for programs.
TextTable best_data_table(const std::vector<BestRow>& rows);

/// For people: what matters most first, times in readable units, arguments in short.
TextTable best_table(const std::vector<BestRow>& rows);

}  // namespace opbench
