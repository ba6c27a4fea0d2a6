#include "experiments/regress/kept_builds.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/numbers/number.h"
#include "base/text/ascii.h"
#include "experiments/regress/frozen_build.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// A finished build: `COMMIT`, and `COMMIT.done` from when it was finished.
struct FinishedBuild {
  fs::path tree;
  fs::file_time_type time;
  double bytes = 0;
};

Error bad_keep_rule(std::string_view text) {
  return invalid_input(fmt::format("--keep takes builds and bytes, not \"{}\"", text))
      .with("for instance", "30 builds, 10 GB");
}

std::optional<double> unit_bytes(const std::string& unit) {
  if (unit == "mb") return 1e6;
  if (unit == "gb") return 1e9;
  if (unit == "tb") return 1e12;
  return std::nullopt;
}

double bytes_below(const fs::path& folder) {
  double bytes = 0;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored)) {
      bytes += static_cast<double>(entry->file_size(ignored));
    }
  }
  return bytes;
}

void add_finished(const fs::path& folder, std::vector<FinishedBuild>& builds) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != ".done") continue;
    const fs::path tree = folder / entry->path().stem();
    builds.push_back({tree, entry->last_write_time(error), bytes_below(tree)});
  }
}

/// False where another program has it.
Result<bool> remove_build(const fs::path& tree) {
  OPBENCH_TRY(const FolderLock lock,
              FolderLock::take(tree.parent_path(), tree.filename().string() + ".lock", false));
  if (!lock.is_held()) return false;
  std::error_code error;
  fs::remove(tree.string() + ".done", error);
  fs::remove(tree.string() + ".log", error);
  fs::remove_all(tree, error);
  return true;
}

}  // namespace

Result<KeepRule> parse_keep_rule(std::string_view text) {
  KeepRule rule;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string part = lower_case(trimmed(rest.substr(0, comma)));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const size_t letter = std::min(part.find_first_of("abcdefghijklmnopqrstuvwxyz"), part.size());
    const auto number = parse_number(trimmed(part.substr(0, letter)));
    const std::string unit = part.substr(letter);
    const auto bytes = unit_bytes(unit);
    const bool is_count = unit == "builds" || unit == "build";
    const bool fits = number && *number >= 0 && (bytes || is_count);
    if (!fits || (is_count && *number > 1e9)) return bad_keep_rule(text);
    if (is_count) rule.builds = static_cast<int64_t>(*number);
    if (bytes) rule.bytes = *number * *bytes;
  }
  if (!rule.builds && !rule.bytes) return bad_keep_rule(text);
  return rule;
}

Result<PrunedBuilds> prune_builds(const fs::path& folder, const KeepRule& rule) {
  std::vector<FinishedBuild> builds;
  add_finished(folder, builds);
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const bool is_build = fs::exists(entry->path().string() + ".done", ignored);
    if (entry->is_directory(ignored) && !is_build) add_finished(entry->path(), builds);
  }
  std::ranges::sort(builds, std::ranges::greater(), &FinishedBuild::time);
  PrunedBuilds pruned;
  double bytes = 0;
  for (const FinishedBuild& build : builds) {
    const bool is_over = (rule.builds && pruned.kept >= *rule.builds) ||
                         (rule.bytes && bytes + build.bytes > *rule.bytes);
    if (is_over && !is_frozen_build(build.tree)) {
      OPBENCH_TRY(const bool is_removed, remove_build(build.tree));
      if (is_removed) {
        ++pruned.removed;
        pruned.freed_bytes += build.bytes;
        continue;
      }
    }
    ++pruned.kept;
    bytes += build.bytes;
  }
  return pruned;
}

}  // namespace opbench
