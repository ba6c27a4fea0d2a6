#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "records/formats/codec.h"

namespace opbench {

/// An issue with its place.
struct ScanMessage {
  int64_t line = 0;  ///< 0: the file as a whole
  RecordIssue issue;
};

/// What one file held.
struct ScanReport {
  std::string file;
  std::string format;   ///< autotvm-0.2, ansor, …; empty if it has no records
  int64_t records = 0;  ///< places of the file that are records, good or bad
  int64_t valid = 0;
  std::map<std::string, int64_t> errors;    ///< how often each code
  std::map<std::string, int64_t> warnings;  ///< likewise
  std::vector<ScanMessage> messages;        ///< in file order, the first `most_messages`
  std::optional<Error> failure;             ///< why it could not be read, or read to its end
  bool has_errors() const { return !errors.empty() || failure; }
};

struct ScanOptions {
  bool is_strict = false;      ///< stop at the first error; `E_…` warnings are errors
  bool finds_repeats = false;  ///< warn of records that stand there twice
  size_t most_messages = 1000;
};

/// Reads a file of any format record by record, in constant memory, and hands every good one to
/// `take` with the item that it is in.
ScanReport scan_records(const std::string& path, const ScanOptions& options,
                        const std::function<void(const AnyRecord&, const ReadItem&)>& take);

/// The issue of an item that begins in `line`, with its own place where it has one: of a value of
/// several lines this is a later line.
ScanMessage message_of(RecordIssue issue, int64_t line);

/// `FILE:LINE:COLUMN: error E_ARG: args[1]: TENSOR has 4 items`
std::string to_text(const ScanMessage& message, const std::string& file);

}  // namespace opbench
