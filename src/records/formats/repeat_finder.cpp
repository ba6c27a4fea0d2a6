#include "records/formats/repeat_finder.h"

#include <functional>
#include <string>

#include "records/formats/best_records.h"

namespace opbench {
namespace {

uint64_t repeat_finder_hash_of(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

}  // namespace

int64_t RepeatFinder::note(std::vector<Entry>& entries, size_t& count, uint64_t hash,
                           int64_t line) {
  if (entries.size() < 2 * count + 2 && entries.size() < 2 * kMost) {
    constexpr size_t kFirst = 1024;
    std::vector<Entry> larger(entries.empty() ? kFirst : 2 * entries.size());
    std::swap(larger, entries);
    count = 0;
    for (const Entry& entry : larger) {
      if (entry.line != 0) note(entries, count, entry.hash, entry.line);
    }
  }
  for (size_t at = hash;; ++at) {
    Entry& entry = entries[at & (entries.size() - 1)];
    if (entry.line != 0 && entry.hash == hash) return entry.line;
    if (entry.line != 0) continue;
    if (count < kMost) {
      entry = {hash, line};
      ++count;
    }
    return 0;
  }
}

std::vector<RecordIssue> RepeatFinder::issues_of(const ReadItem& item) {
  std::vector<RecordIssue> issues;
  if (!item.record) return issues;
  const int64_t same = item.text.empty()
                           ? 0
                           : note(lines_, line_count_, repeat_finder_hash_of(item.text), item.line);
  if (same > 0) {
    issues.push_back({"W_DUPLICATE", "", "equals line " + std::to_string(same)});
    return issues;
  }
  const auto* trial = std::get_if<TuningRecord>(&*item.record);
  if (trial == nullptr) return issues;
  const int64_t first =
      note(configs_, config_count_, repeat_finder_hash_of(config_identity(*trial)), item.line);
  if (first > 0) {
    issues.push_back(
        {"W_REPEATED", "", "the config of line " + std::to_string(first) + ", measured again"});
  }
  return issues;
}

}  // namespace opbench
