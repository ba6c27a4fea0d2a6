#include "experiments/analysis/correlation_source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
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

/// The first character of a text behind blanks and comments; its end where there is none.
size_t first_character(const std::string& text) {
  size_t at = text.find_first_not_of(" \t\r\n");
  while (at != std::string::npos && text[at] == '#') {
    const size_t end = text.find('\n', at);
    at = end == std::string::npos ? end : text.find_first_not_of(" \t\r\n", end);
  }
  return at;
}

/// Text in columns, CSV, or the JSON of a sweep; the other files hold records.
bool is_sweep(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const Result<std::string> text = read_file(path);
  if (!text) return false;
  const size_t first = first_character(*text);
  if (first == std::string::npos) return false;
  if ((*text)[first] == '{') {
    const Json json = Json::parse(*text, nullptr, false);
    return json.is_object() && json.contains("points");
  }
  const bool is_binary = text->find('\0') != std::string::npos;
  return (*text)[first] != '[' && !is_binary && text->find('\n') != std::string::npos;
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
