#pragma once

#include <vector>

#include "records/formats/logs/tuning_codec.h"
#include "records/json/record_grammar.h"
#include "records/record/tuning_record.h"

namespace autotvm::log {
class AutoTVMLog;
}

/// Records as messages of proto/tuning_record.proto.
namespace opbench {

void write_tuning_message(const TuningRecord& record, const ProtobufOptions& options,
                          autotvm::log::AutoTVMLog& message);

/// The reverse, for messages of the draft too. Issues have the codes of docs/reference/formats.md,
/// "Issue codes" and W_UNKNOWN_KEY for a field that a record has no place for; with an error the
/// result is not whole.
TuningRecord read_tuning_message(const autotvm::log::AutoTVMLog& message,
                                 std::vector<RecordIssue>& issues);

/// Seconds since 1970 as RFC 3339 in UTC with nine digits of a second; empty before 1970, after
/// 9999 and for NaN.
std::string rfc3339_of(double seconds);

/// The reverse, to the nanosecond. Issues: those of parse_timestamp.
std::optional<double> seconds_of(std::string_view rfc3339, std::vector<RecordIssue>& issues);

}  // namespace opbench
