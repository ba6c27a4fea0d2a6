#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "records/json/record_grammar.h"
#include "records/record/tuning_record.h"

/// Lines of tuning logs to records and back. What a line lacks is an issue with a code of
/// docs/reference/formats.md, "Issue codes"; a line with an error (`E_…` that is not downgraded to
/// a warning) gives no record. `column` of an issue is in bytes from 1, 0 if the fault has no
/// place.
namespace opbench {

/// What one line held.
struct DecodedLine {
  std::optional<TuningRecord> record;
  std::vector<RecordIssue> issues;
};

/// Either version of AutoTVM, told apart by the line's keys. The caller knows file and line.
DecodedLine decode_autotvm(std::string_view line);

/// The line of version 0.2 as Python's json.dumps writes it, without a newline; keys in the order
/// of the record's origin. A record of 0.1 is upgraded first (docs/reference/formats.md, "Upgrade
/// from AutoTVM 0.1"). `kInvalidInput` for a record that version 0.2 has no form for: an Ansor or
/// MetaSchedule config, a symbol, a 0.1 task without a successor.
Result<std::string> encode_autotvm(const TuningRecord& record);

/// AutoTVM 0.1 to 0.2: task name, arguments; `kInvalidInput` naming a task without a successor.
Result<TuningRecord> upgrade_autotvm(const TuningRecord& record);

DecodedLine decode_ansor(std::string_view line);

/// One line of database_tuning_record.json, with the workload's line of database_workload.json.
DecodedLine decode_metaschedule(std::string_view line, std::string_view workload_line);

struct ProtobufOptions {
  bool seed_compat = false;  ///< also what only readers of the draft need: rounded, by name
};

/// The draft, extended (proto/tuning_record.proto), one message without its length. Text that is
/// not UTF-8 is written with U+FFFD in its place.
std::string encode_protobuf(const TuningRecord& record, const ProtobufOptions& options = {});
DecodedLine decode_protobuf(std::string_view message);
/// The same message as one line of proto3 JSON, without a newline: names as in the .proto file,
/// defaults written, maps sorted. `kInvalidInput` for arguments nested more than 24 deep.
Result<std::string> encode_protobuf_json(const TuningRecord& record,
                                         const ProtobufOptions& options = {});
DecodedLine decode_protobuf_json(std::string_view line);

}  // namespace opbench
