#include "base/files/temporary_place.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text/printable.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMemory = "/dev/shm";

bool has_room(const fs::path& folder) {
  constexpr unsigned long long kWanted = 4ULL << 30;
  struct statvfs info {};
  if (::statvfs(folder.c_str(), &info) != 0) return false;
  return static_cast<unsigned long long>(info.f_bavail) * info.f_frsize >= kWanted;
}

bool forbids_code(const fs::path& folder) {
  struct statvfs info {};
  return ::statvfs(folder.c_str(), &info) == 0 && (info.f_flag & ST_NOEXEC) != 0;
}

std::vector<fs::path> usual_places() {
  const char* const named = std::getenv("TMPDIR");
  std::vector<fs::path> places;
  if (named != nullptr && *named != '\0') places.emplace_back(named);
  for (const char* const place : {"/tmp", "/var/tmp", kMemory}) {
    if (std::ranges::find(places, fs::path(place)) == places.end()) places.emplace_back(place);
  }
  return places;
}

}  // namespace

std::string why_unusable(const fs::path& folder, PlaceUse use) {
  if (!is_utf8(folder.string())) return "its name is not UTF-8";
  std::error_code error;
  if (!fs::is_directory(folder, error)) return error ? error.message() : "it is no folder";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return std::strerror(errno);
  if (use == PlaceUse::kCode && forbids_code(folder)) return "it is mounted noexec";
  return "";
}

Result<void> check_code_folder(const fs::path& folder) {
  if (!forbids_code(folder)) return {};
  return Error{ErrorCode::kInvalidInput,
               fmt::format("no kernel can be loaded from the folder \"{}\": it is mounted noexec",
                           folder.string())}
      .with("set", "XDG_CACHE_HOME to a folder on another file system");
}

Result<fs::path> first_usable(const std::vector<fs::path>& places, PlaceUse use) {
  Error error{ErrorCode::kEnvironment, use == PlaceUse::kCode
                                           ? "there is no folder for temporary code"
                                           : "there is no folder for temporary files"};
  for (const fs::path& place : places) {
    const std::string reason = why_unusable(place, use);
    if (reason.empty()) return place;
    error.facts.push_back({printable(place.string()), reason});
  }
  return std::move(error).with(
      "set", use == PlaceUse::kCode ? "TMPDIR to a folder that can be written and holds programs"
                                    : "TMPDIR to a folder that can be written");
}

Result<fs::path> temporary_place(PlaceUse use) {
  const bool is_in_memory =
      use == PlaceUse::kFiles && why_unusable(kMemory, use).empty() && has_room(kMemory);
  if (is_in_memory) return fs::path(kMemory);
  return first_usable(usual_places(), use);
}

}  // namespace opbench
