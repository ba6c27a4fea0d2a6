#include <iterator>

#include "records/formats/record_scan.h"
#include "records/store/import/trial_source.h"

namespace opbench {
namespace {

constexpr size_t kMostMessages = 100;

}  // namespace

void FileCounts::add(const std::string& file, int64_t line,
                     const std::vector<RecordIssue>& issues) {
  for (const RecordIssue& issue : issues) {
    ++(issue.is_error() ? errors : warnings)[issue.code];
    if (messages.size() >= kMostMessages) continue;
    const ScanMessage message = message_of(issue, line);
    messages.emplace(message.line, to_text(message, file));
  }
}

void FileCounts::add(const FileCounts& other) {
  records += other.records;
  valid += other.valid;
  for (const auto& [code, count] : other.errors) errors[code] += count;
  for (const auto& [code, count] : other.warnings) warnings[code] += count;
  messages.insert(other.messages.begin(), other.messages.end());
  while (messages.size() > kMostMessages) messages.erase(std::prev(messages.end()));
}

std::vector<std::string> FileCounts::ordered_messages() const {
  std::vector<std::string> texts;
  for (const auto& [line, text] : messages) texts.push_back(text);
  return texts;
}

}  // namespace opbench
