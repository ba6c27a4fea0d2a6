#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "presentation/report/tables/text_table.h"
#include "records/formats/record_scan.h"
#include "records/formats/record_stats.h"

/// Answers of `opbench records` about files.
namespace opbench {

/// {"schema": "opbench.records.validate/1", "files": [{file, format, records, valid, errors,
/// warnings, messages}]}
Json scan_json(const std::vector<ScanReport>& reports);
TextTable scan_table(const std::vector<ScanReport>& reports);

/// Counts, and the files as in scan_json.
Json stats_json(const RecordStats::Counts& counts, const std::vector<ScanReport>& reports);
TextTable stats_table(const RecordStats::Counts& counts, const std::vector<ScanReport>& reports);

}  // namespace opbench
