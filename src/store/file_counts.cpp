#include <fmt/format.h>

#include <algorithm>

#include "opbench/store/trial_source.h"

namespace opbench {
namespace {

constexpr size_t kMostMessages = 100;

}  // namespace

void FileCounts::add(const std::string& file, int64_t line,
                     const std::vector<RecordIssue>& issues) {
  for (const RecordIssue& issue : issues) {
    ++(issue.is_error() ? errors : warnings)[issue.code];
    if (messages.size() >= kMostMessages) continue;
    std::string place = fmt::format("{}:{}", file, line);
    if (issue.column > 0) place += fmt::format(":{}", issue.column);
    const std::string field = issue.field.empty() ? "" : issue.field + ": ";
    messages.push_back(fmt::format("{}: {}: {}{}", place, issue.code, field, issue.message));
  }
}

void FileCounts::add(const FileCounts& other) {
  records += other.records;
  valid += other.valid;
  for (const auto& [code, count] : other.errors) errors[code] += count;
  for (const auto& [code, count] : other.warnings) warnings[code] += count;
  const size_t room = kMostMessages - std::min(kMostMessages, messages.size());
  messages.insert(
      messages.end(), other.messages.begin(),
      other.messages.begin() + static_cast<std::ptrdiff_t>(std::min(room, other.messages.size())));
}

}  // namespace opbench
