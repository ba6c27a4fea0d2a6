#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "records/store/rows/trial_row.h"
#include "records/store/store_folder.h"

/// The best trial of every workload on every target, sorted by key in one file, `_index/best`. It
/// covers the parts that it names; a lookup asks those that came later, too. Losing it loses
/// nothing: the next lookup or compaction makes it again.
namespace opbench {

struct BestKey {
  uint64_t workload = 0;                             ///< workload_key_of()
  uint64_t target = 0;                               ///< target_key_of()
  auto operator<=>(const BestKey&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Equal for every spelling of a target.
uint64_t target_key_of(const std::string& target);

/// The fastest good trial; of equally fast ones the oldest.
struct BestTrial {
  double mean_s = 0;
  double timestamp = 0;
  uint64_t config_index = 0;
  int64_t line = 0;
  Id128 id;
  std::string knobs, knob_values, file;  ///< as the columns of kind=trial
};

/// Frees a mapped file.
struct UnmapFile {
  size_t bytes = 0;
  void operator()(const char* begin) const;
};

/// The index file, mapped into memory.
class BestIndex {
 public:
  /// Nothing if there is none, or none that this program can read.
  static std::optional<BestIndex> open(const std::filesystem::path& store);

  std::optional<BestTrial> find(const BestKey& key) const;
  /// Parts that are covered, with what each stands for.
  const std::map<std::string, std::vector<std::string>>& parts() const { return parts_; }
  int64_t size() const { return size_; }

  /// An entry by its place, for merging: its key and what else it holds, as bytes.
  BestKey key_at(int64_t index) const;
  std::string_view payload_at(int64_t index) const;
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  bool read_head();
  std::unique_ptr<const char, UnmapFile> file_;
  size_t entries_at_ = 0;
  int64_t size_ = 0;
  std::map<std::string, std::vector<std::string>> parts_;
  std::vector<std::string> texts_;  ///< knobs and files, which entries name by number
};

/// Where the parts of a file begin; at its end. All numbers little-endian.
struct BestIndexTail {
  uint64_t entries_at = 0;  ///< of 24 bytes: key, place of the payload
  uint64_t entries = 0;
  uint64_t texts_at = 0;  ///< texts, each after its length in 4 bytes
  uint64_t texts = 0;
  uint64_t parts_at = 0;  ///< a line each: names, the part first
  uint64_t parts_bytes = 0;
  char magic[8] = {'O', 'P', 'B', 'B', 'E', 'S', 'T', '1'};
};

/// What an entry holds beside its key; the values follow.
struct BestPayload {
  double mean_s = 0;
  double timestamp = 0;
  uint64_t config_index = 0;
  int64_t line = 0;
  Id128 id;
  uint32_t knobs = 0, file = 0;  ///< numbers of texts
  uint64_t values_bytes = 0;
};

/// Makes the index cover all parts; does nothing if it does. `kInvalidInput` if the store cannot be
/// written.
Result<void> refresh_best_index(StoreFolder& store);

/// The best trial of a task with these arguments (compact JSON, as in the column `args`) on a
/// target, in any spelling. Makes the index if there is none. Errors as StoreFolder::live_parts().
Result<std::optional<BestTrial>> find_best(StoreFolder& store, const std::string& target,
                                           std::string_view task, std::string_view args);

}  // namespace opbench
