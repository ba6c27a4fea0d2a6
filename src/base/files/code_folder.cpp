#include "base/files/code_folder.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/files/temporary_place.h"

namespace opbench {

Result<TemporaryFolder> make_code_folder() {
  OPBENCH_TRY(const std::filesystem::path place, temporary_place(PlaceUse::kCode));
  TemporaryFolder::remove_abandoned(place);
  return TemporaryFolder::make_in(place);
}

namespace {

/// Made once: packages link to what lies in it, and may outlive the session that made them.
Result<std::filesystem::path> own_cache_home() {
  static std::mutex mutex;
  static std::optional<TemporaryFolder> own;
  const std::lock_guard lock(mutex);
  if (!own) {
    OPBENCH_TRY(TemporaryFolder folder, make_code_folder());
    own.emplace(std::move(folder));
  }
  return own->path();
}

}  // namespace

Result<CacheChoice> choose_cache() {
  const std::filesystem::path cache = cache_folder();
  Result<void> usable = make_writable_folder(cache);
  if (usable) usable = check_code_folder(cache);
  if (usable) return CacheChoice{.folder = cache};
  OPBENCH_TRY(const std::filesystem::path home, own_cache_home());
  const std::filesystem::path own = home / "opbench";
  OPBENCH_CHECK(make_writable_folder(own));
  return CacheChoice{.folder = own,
                     .warning = "nothing is kept for later runs: " + usable.error().message,
                     .home = home};
}

}  // namespace opbench
