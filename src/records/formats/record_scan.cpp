#include "records/formats/record_scan.h"

#include <fmt/format.h>

#include "records/formats/repeat_finder.h"

namespace opbench {
namespace {

/// Counts what a scan meets.
class Scan {
 public:
  Scan(const std::string& path, const ScanOptions& options) : options_(options) {
    report_.file = path;
  }

  /// Whether the item's record is good; notes the issues.
  bool note(ReadItem& item, const CodecDef& codec) {
    if (item.record) note_format(codec, *item.record);
    if (options_.finds_repeats) {
      for (RecordIssue& issue : repeats_.issues_of(item)) item.issues.push_back(std::move(issue));
    }
    bool is_good = item.record.has_value();
    for (RecordIssue issue : item.issues) {
      if (options_.is_strict) issue = strict_form(std::move(issue));
      is_good = is_good && !issue.is_error();
      ++(issue.is_error() ? report_.errors : report_.warnings)[issue.code];
      if (report_.messages.size() >= options_.most_messages) continue;
      report_.messages.push_back(message_of(std::move(issue), item.line));
    }
    if (item.is_of_file) return is_good;
    ++report_.records;
    if (is_good) ++report_.valid;
    return is_good;
  }

  ScanReport& report() { return report_; }

 private:
  /// Formats with versions are named with it as long as all records have the same.
  void note_format(const CodecDef& codec, const AnyRecord& record) {
    std::string format = codec.name;
    const TuningRecord* trial = std::get_if<TuningRecord>(&record);
    const bool is_autotvm = trial != nullptr && codec.name == "autotvm";
    if (is_autotvm) format += "-" + trial->origin.format_version;
    if (report_.format.empty()) report_.format = format;
    if (report_.format != format) report_.format = codec.name;
  }

  const ScanOptions& options_;
  ScanReport report_;
  RepeatFinder repeats_;
};

}  // namespace

ScanReport scan_records(const std::string& path, const ScanOptions& options,
                        const std::function<void(const AnyRecord&, const ReadItem&)>& take) {
  Scan scan(path, options);
  Result<RecordFile> file = open_records(path);
  if (!file) {
    scan.report().failure = file.error();
    return scan.report();
  }
  while (file->reader) {
    Result<std::optional<ReadItem>> item = file->reader->next();
    if (!item) scan.report().failure = item.error();
    if (!item || !*item) break;
    const bool is_good = scan.note(**item, *file->codec);
    if (is_good && (*item)->record) take(*(*item)->record, **item);
    if (options.is_strict && !scan.report().errors.empty()) break;
  }
  if (file->codec != nullptr && scan.report().format.empty()) {
    scan.report().format = file->codec->name;
  }
  return scan.report();
}

ScanMessage message_of(RecordIssue issue, int64_t line) {
  return {issue.line > 0 ? issue.line : line, std::move(issue)};
}

std::string to_text(const ScanMessage& message, const std::string& file) {
  std::string text = file;
  if (message.line > 0) text += fmt::format(":{}", message.line);
  if (message.line > 0 && message.issue.column > 0)
    text += fmt::format(":{}", message.issue.column);
  const char* level = message.issue.is_error() ? "error" : "warning";
  text += fmt::format(": {} {}: ", level, message.issue.code);
  if (!message.issue.field.empty()) text += message.issue.field + ": ";
  return text + message.issue.message;
}

}  // namespace opbench
