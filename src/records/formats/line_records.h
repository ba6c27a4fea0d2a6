#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "records/formats/codec.h"

namespace opbench {

/// How a format with one record a line is read.
struct LineRules {
  /// A record or issues; place and text of the item are set by the reader.
  std::function<ReadItem(std::string_view line)> decode;
  std::string_view comment_begins = "#";  ///< first bytes of comments, any one of them
  bool keeps_origin = false;              ///< a record that names a file and line keeps them
};

/// A reader of such a file. Blank lines and comments are passed over; a line beyond 16 MiB is an
/// issue, and a last line without newline whose JSON is cut is E_TORN in place of E_JSON. File and
/// line are noted in the origin of tuning records.
Result<std::unique_ptr<RecordReader>> read_line_records(const std::string& path, LineRules rules);

/// Whose log a line is from; also of lines that are cut, and of others by their begin.
enum class LogKind { kOther, kAutotvm, kAnsor };

/// The first log that the head of a file shows.
LogKind log_kind_of(std::string_view head);

}  // namespace opbench
