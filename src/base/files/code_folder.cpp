#include "base/files/code_folder.h"

#include <utility>

#include "base/files/temporary_place.h"

namespace opbench {

Result<TemporaryFolder> make_code_folder() {
  OPBENCH_TRY(const std::filesystem::path place, temporary_place(PlaceUse::kCode));
  TemporaryFolder::remove_abandoned(place);
  return TemporaryFolder::make_in(place);
}

Result<CacheChoice> choose_cache() {
  const std::filesystem::path cache = cache_folder();
  Result<void> usable = make_writable_folder(cache);
  if (usable) usable = check_code_folder(cache);
  if (usable) return CacheChoice{.folder = cache};
  OPBENCH_TRY(TemporaryFolder folder, make_code_folder());
  CacheChoice choice{.folder = folder.path()};
  choice.own.emplace(std::move(folder));
  choice.warning = "nothing is kept for later runs: " + usable.error().message;
  return choice;
}

}  // namespace opbench
