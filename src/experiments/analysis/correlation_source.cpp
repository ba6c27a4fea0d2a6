#include "experiments/analysis/correlation_source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/errors/suggestion.h"
#include "base/files/line_reader.h"
#include "base/files/text_file.h"
#include "base/text/ascii.h"
#include "experiments/analysis/read_sweep.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// A folder with parts, or that of a store that has none yet.
bool is_store(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return false;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("kind=") || name == "_tmp") return true;
  }
  return fs::is_empty(path, error);
}

bool has_points(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  return json.is_object() && json.contains("points");
}

/// The JSON of a sweep, on one line or on many. A log has a whole object on its first line, and the
/// rest of it is not read.
bool is_sweep_document(const std::string& path, std::string_view first_line) {
  if (Json::accept(first_line)) return has_points(first_line);
  const Result<std::string> text = read_text_file(path);
  return text && has_points(*text);
}

/// Text in columns, CSV, or the JSON of a sweep; the other files hold records. Reads only as far as
/// it must, as logs can be large.
bool is_sweep(const std::string& path) {
  constexpr int64_t kHead = int64_t{1} << 16;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  Result<LineReader> reader = LineReader::open(path);
  bool is_text = false;
  while (reader && reader->bytes() < kHead) {
    const Result<std::optional<Line>> line = reader->next();
    if (!line || !*line) break;
    const std::string_view text = trimmed((*line)->text);
    if (text.find('\0') != std::string_view::npos) return false;
    if (is_text) continue;
    if (text.starts_with('{') || (*line)->is_too_long) return is_sweep_document(path, text);
    if (text.empty() || text.starts_with('#')) continue;
    if (text.starts_with('[') || (*line)->is_torn) return false;
    is_text = true;
  }
  return is_text;
}

Result<CorrelationReport> of_sweep(const std::string& path, const TrialFilter& filter,
                                   const CorrelationRequest& request) {
  if (!filter.task.empty() || !filter.target.empty()) {
    return Error{ErrorCode::kInvalidInput, "\"" + path + "\" is a sweep, which has no tasks"}.with(
        "valid", "--task and --target with tuning logs or a store");
  }
  if (request.of == CorrelationOf::kFailure) {
    return Error{ErrorCode::kInvalidInput, "--of failure is for trials"}.with(
        "but", "\"" + path + "\" is a sweep");
  }
  OPBENCH_TRY(const SweptTimes times, read_swept_times(path, ""));
  CorrelationReport report{.source = path, .of = request.of, .is_across = true};
  report.tasks.push_back(correlate_sweep(times, request));
  return report;
}

Result<TrialsRead> trials_of(const std::vector<std::string>& paths, const TrialFilter& filter) {
  const bool has_store = std::ranges::any_of(paths, is_store);
  if (!has_store) return trials_of_files(paths, filter);
  if (paths.size() == 1) return trials_of_store(paths.front(), filter);
  return Error{ErrorCode::kInvalidInput, "--from takes one store, or files"}.with("given",
                                                                                  join(paths));
}

/// No trial is left: why.
Error nothing_found(const std::vector<std::string>& paths, const TrialFilter& filter,
                    size_t others) {
  const Result<TrialsRead> all = trials_of(paths, {});
  std::vector<std::string> tasks, targets;
  for (const TrialRows& rows : all ? all->tasks : std::vector<TrialRows>()) {
    if (std::ranges::find(tasks, rows.task) == tasks.end()) tasks.push_back(rows.task);
    targets.push_back(rows.target);
  }
  if (tasks.empty()) {
    std::string what = "no trial with knobs";
    if (!filter.task.empty()) what += " of the task \"" + filter.task + "\"";
    if (!filter.target.empty()) what += " for \"" + filter.target + "\"";
    Error error{ErrorCode::kNoMatch, what + " in \"" + join(paths, "\", \"") + "\""};
    return others == 0 ? error
                       : std::move(error).with("there", fmt::format("{} other records", others));
  }
  if (!filter.task.empty() && std::ranges::find(tasks, filter.task) == tasks.end()) {
    Error error = unknown_name("task", filter.task, tasks);
    error.code = ErrorCode::kNoMatch;
    return error;
  }
  return Error{ErrorCode::kNoMatch, "no target of the task has \"" + filter.target + "\""}.with(
      "targets", join(targets, "; "));
}

}  // namespace

Result<CorrelationReport> correlation_report(const std::vector<std::string>& paths,
                                             const TrialFilter& filter,
                                             const CorrelationRequest& request) {
  if (paths.size() == 1 && is_sweep(paths.front())) {
    return of_sweep(paths.front(), filter, request);
  }
  OPBENCH_TRY(TrialsRead read, trials_of(paths, filter));
  std::erase_if(read.tasks, [](const TrialRows& rows) { return rows.rows() == 0; });
  if (read.tasks.empty()) return nothing_found(paths, filter, read.others);
  CorrelationReport report{.source = join(paths), .of = request.of, .is_across = request.is_across};
  if (read.damaged > 0) {
    report.notes.push_back(fmt::format("{} records could not be read", read.damaged));
  }
  if (read.others > 0) {
    report.notes.push_back(fmt::format("{} records are no trials with knobs", read.others));
  }
  for (const TrialRows& rows : read.tasks) {
    report.tasks.push_back(correlate_trials(rows, request));
  }
  return report;
}

}  // namespace opbench
