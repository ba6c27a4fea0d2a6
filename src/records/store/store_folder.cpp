#include "records/store/store_folder.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

#include "base/files/file.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPartPrefix = "part-", kMergedPrefix = "part-c", kSuffix = ".parquet";

Error folder_error(std::string_view action, const fs::path& path, ErrorCode code) {
  return {code, fmt::format("cannot {} \"{}\": {}", action, path.string(), std::strerror(errno))};
}

}  // namespace

Result<void> sync_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return folder_error("sync", path, ErrorCode::kSystem);
  const bool is_done = ::fsync(fd) == 0 || errno == EINVAL;
  const int reason = errno;
  ::close(fd);
  errno = reason;
  if (is_done) return {};
  return folder_error("sync", path, ErrorCode::kSystem);
}

namespace {

/// One listing, which may miss or repeat files that are renamed meanwhile.
std::vector<StorePart> list_once(const fs::path& folder) {
  std::vector<StorePart> parts;
  std::error_code error;
  for (fs::directory_iterator day(folder, error), end; !error && day != end; day.increment(error)) {
    if (!day->path().filename().string().starts_with("date=")) continue;
    std::error_code inner;
    for (fs::directory_iterator file(day->path(), inner); !inner && file != end;
         file.increment(inner)) {
      const std::string name = file->path().filename().string();
      if (!name.starts_with(kPartPrefix) || !name.ends_with(kSuffix)) continue;
      struct stat info {};
      if (::stat(file->path().c_str(), &info) != 0) continue;
      parts.push_back({file->path(), name.substr(0, name.size() - kSuffix.size()), info.st_size});
    }
  }
  std::ranges::sort(parts, {}, [](const StorePart& part) { return part.path; });
  return parts;
}

}  // namespace

std::string_view name_of(RecordKind kind) {
  switch (kind) {
    case RecordKind::kTrial:
      return "trial";
    case RecordKind::kBenchmark:
      return "benchmark";
    case RecordKind::kPrediction:
      return "prediction";
    case RecordKind::kSource:
      break;
  }
  return "source";
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

std::optional<fs::path> named_store_folder(const std::string& name) {
  if (name == "none") return std::nullopt;
  return name;
}

std::optional<fs::path> default_store_folder() {
  const auto value = [](const char* name) {
    const char* const text = std::getenv(name);
    return fs::path(text == nullptr ? "" : text);
  };
  if (fs::path store = value("OPBENCH_STORE"); !store.empty()) {
    return named_store_folder(store.string());
  }
  if (const fs::path data = value("XDG_DATA_HOME"); !data.empty()) return data / "opbench/store";
  const fs::path home = value("HOME");
  return (home.empty() ? fs::path("/tmp") : home) / ".local/share/opbench/store";
}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

Result<FolderLock> FolderLock::take(const fs::path& folder, const std::string& name,
                                    bool is_patient) {
  const fs::path path = folder / name;
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return folder_error("lock", path, ErrorCode::kInvalidInput);
  while (::flock(fd, is_patient ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    ::close(fd);
    if (errno == EWOULDBLOCK) return FolderLock(-1);
    return folder_error("lock", path, ErrorCode::kSystem);
  }
  return FolderLock(fd);
}

Result<StoreFolder> StoreFolder::open_to_write(const fs::path& folder) {
  StoreFolder store(folder);
  for (const fs::path& needed : {folder, store.temporary()}) {
    const Result<void> made = make_writable_folder(needed);
    if (made) continue;
    return Error(made.error())
        .with("set", "OPBENCH_STORE, or --store, to a folder that can be written");
  }
  TemporaryFolder::remove_abandoned(store.temporary());
  return store;
}

Result<StoreFolder> StoreFolder::open_to_read(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return StoreFolder(folder);
  const bool is_there = fs::exists(folder, error);
  return Error{ErrorCode::kInvalidInput,
               is_there ? fmt::format("\"{}\" is not a folder", folder.string())
                        : fmt::format("no store at \"{}\"", folder.string())}
      .with("help", "opbench records import FILES makes one; --store and $OPBENCH_STORE name it");
}

/// Of one listing; false when a merged part went away meanwhile.
Result<bool> StoreFolder::find_superseded(Listing& listing) {
  for (const StorePart& part : listing.parts) {
    if (!part.name.starts_with(kMergedPrefix)) continue;
    if (!replaced_by_.contains(part.name)) {
      bool is_gone = false;
      Result<std::vector<std::string>> replaced = read_replaced(part.path, is_gone);
      if (is_gone) return false;
      if (!replaced) return std::move(replaced).error();
      replaced_by_.emplace(part.name, std::move(*replaced));
    }
    const std::vector<std::string>& names = replaced_by_.at(part.name);
    listing.superseded.insert(names.begin(), names.end());
  }
  return true;
}

Result<StoreFolder::Listing> StoreFolder::list(RecordKind kind) {
  const fs::path folder = path_ / fmt::format("kind={}", name_of(kind));
  constexpr int kAttempts = 1000;
  std::vector<StorePart> before = list_once(folder);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Listing listing{.parts = list_once(folder)};
    if (listing.parts == before) {
      OPBENCH_TRY(const bool is_whole, find_superseded(listing));
      if (is_whole) return listing;
    }
    before = std::move(listing.parts);
  }
  return Error{
      ErrorCode::kSystem,
      fmt::format("the store \"{}\" changes faster than it can be listed", path_.string())};
}

Result<std::vector<StorePart>> StoreFolder::live_parts(RecordKind kind) {
  OPBENCH_TRY(Listing listing, list(kind));
  std::erase_if(listing.parts,
                [&](const StorePart& part) { return listing.superseded.contains(part.name); });
  // A part may stand in two days' folders: one import wrote it before, one after midnight.
  std::set<std::string> seen;
  std::erase_if(listing.parts,
                [&](const StorePart& part) { return !seen.insert(part.name).second; });
  return std::move(listing.parts);
}

Result<std::vector<StorePart>> StoreFolder::superseded_parts(RecordKind kind) {
  OPBENCH_TRY(Listing listing, list(kind));
  std::erase_if(listing.parts,
                [&](const StorePart& part) { return !listing.superseded.contains(part.name); });
  return std::move(listing.parts);
}

Result<std::set<std::string>> StoreFolder::superseded_names(RecordKind kind) {
  OPBENCH_TRY(Listing listing, list(kind));
  return std::move(listing.superseded);
}

Result<fs::path> StoreFolder::commit(const fs::path& file, RecordKind kind,
                                     const std::string& name) {
  const fs::path kind_folder = path_ / fmt::format("kind={}", name_of(kind));
  const fs::path day = kind_folder / ("date=" + today());
  std::error_code error;
  const bool is_new_day = fs::create_directories(day, error);
  if (error) {
    errno = error.value();
    return folder_error("create", day, ErrorCode::kSystem);
  }
  OPBENCH_CHECK(sync_file(file));
  const fs::path place = day / (name + std::string(kSuffix));
  if (::rename(file.c_str(), place.c_str()) != 0) {
    return folder_error("write", place, ErrorCode::kSystem);
  }
  OPBENCH_CHECK(sync_file(day));
  if (is_new_day) {
    OPBENCH_CHECK(sync_file(kind_folder));
    OPBENCH_CHECK(sync_file(path_));
  }
  return place;
}

}  // namespace opbench
