#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "records/store/parts/known_ids.h"

/// The folder of a store: `kind=…/date=…/part-*.parquet`. The directory is the truth. A part is
/// written in `_tmp`, synced, and renamed into place, which commits it. A part whose name begins
/// with `part-c` was merged from other parts. Its metadata names them, and they stop counting with
/// its rename.
namespace opbench {

enum class RecordKind {
  kTrial,
  kBenchmark,
  kSource,      ///< where else trials stand: files that hold rows that were there already
  kPrediction,  ///< benchmark records whose time was predicted
};

/// `trial`, `benchmark`, `prediction`, `source`
std::string_view name_of(RecordKind kind);

struct StorePart {
  std::filesystem::path path;
  std::string name;  ///< of the file, without `.parquet`
  int64_t bytes = 0;
  bool operator==(const StorePart&) const = default;
};

/// The folder, or nothing for `none`, the word for no store.
std::optional<std::filesystem::path> named_store_folder(const std::string& name);

/// $OPBENCH_STORE, else $XDG_DATA_HOME/opbench/store, else ~/.local/share/opbench/store; nothing
/// when $OPBENCH_STORE is `none`.
std::optional<std::filesystem::path> default_store_folder();

/// A lock that others wait for; the kernel frees it when its owner is killed.
class FolderLock {
 public:
  /// Waits for the lock file `name` in the folder. With `is_patient` false it gives up at once:
  /// then `is_held` is false.
  static Result<FolderLock> take(const std::filesystem::path& folder, const std::string& name,
                                 bool is_patient = true);
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();
  bool is_held() const { return fd_ >= 0; }

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

class StoreFolder {
 public:
  /// Makes the folder if it is not there, and removes what killed programs left in `_tmp`.
  /// `kInvalidInput` with the system's reason if it cannot be written.
  static Result<StoreFolder> open_to_write(const std::filesystem::path& folder);
  /// `kInvalidInput` if it is not there.
  static Result<StoreFolder> open_to_read(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path temporary() const { return path_ / "_tmp"; }

  /// The parts whose rows count, by name. Lists until two listings agree.
  Result<std::vector<StorePart>> live_parts(RecordKind kind);

  /// Parts that are there and count no more; a program that stopped between making a part of them
  /// and removing them left them behind.
  Result<std::vector<StorePart>> superseded_parts(RecordKind kind);

  /// Names that newer parts stand for, whether or not they are still there.
  Result<std::set<std::string>> superseded_names(RecordKind kind);

  /// What this object has read of the ids of a kind.
  KnownIds& known_ids(RecordKind kind) { return known_ids_[kind]; }

  /// What merged parts stand for, known from elsewhere, so that they need not be opened.
  void remember_replaced(const std::map<std::string, std::vector<std::string>>& replaced_by) {
    replaced_by_.insert(replaced_by.begin(), replaced_by.end());
  }

  /// Moves a finished file to its place in today's folder. After this returns it survives a crash.
  /// A part of that name that is there already is the same part.
  Result<std::filesystem::path> commit(const std::filesystem::path& file, RecordKind kind,
                                       const std::string& name);

 private:
  explicit StoreFolder(std::filesystem::path path) : path_(std::move(path)) {}
  struct Listing {
    std::vector<StorePart> parts;
    std::set<std::string> superseded = {};
  };
  Result<Listing> list(RecordKind kind);
  Result<bool> find_superseded(Listing& listing);

  std::filesystem::path path_;
  std::map<std::string, std::vector<std::string>> replaced_by_;  ///< read from parts once
  std::map<RecordKind, KnownIds> known_ids_;
};

/// Names that a part stands for, from its metadata. `kSystem` if the file cannot be read or is no
/// whole Parquet file; with errno ENOENT in `is_gone` when it is no longer there.
Result<std::vector<std::string>> read_replaced(const std::filesystem::path& part, bool& is_gone);

/// Waits until the content of a file or folder is on its device.
Result<void> sync_file(const std::filesystem::path& path);

/// Today in UTC: 2026-11-21.
std::string today();

}  // namespace opbench
