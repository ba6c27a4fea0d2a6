#pragma once

#include <string>
#include <vector>

#include "opbench/base/json.h"
#include "opbench/record/best_records.h"
#include "opbench/record/record_scan.h"
#include "opbench/record/record_stats.h"
#include "opbench/report/text_table.h"

/// Answers of `opbench records` about files.
namespace opbench {

/// {"files": [{file, format, records, valid, errors, warnings, messages}]}
Json scan_json(const std::vector<ScanReport>& reports);
TextTable scan_table(const std::vector<ScanReport>& reports);

/// Counts, and the files as in scan_json.
Json stats_json(const RecordStats::Counts& counts, const std::vector<ScanReport>& reports);
TextTable stats_table(const RecordStats::Counts& counts, const std::vector<ScanReport>& reports);

/// A row of `best`: a record that need not have a mean if it failed.
struct BestRow {
  TuningRecord record;
  std::string text;  ///< of its line
  std::string provenance;
};

/// [{target, task, args, config, mean_s, error_no, file, line, provenance}]
Json best_json(const std::vector<BestRow>& rows);
TextTable best_table(const std::vector<BestRow>& rows);

}  // namespace opbench
