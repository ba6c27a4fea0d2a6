#include "experiments/sessions/request/cache_mode.h"

#include <array>
#include <utility>

namespace opbench {
namespace {

constexpr std::array<std::pair<CacheMode, std::string_view>, 3> kCacheModes = {
    {{CacheMode::kHot, "hot"},
     {CacheMode::kColdWeights, "cold-weights"},
     {CacheMode::kColdAll, "cold-all"}}};

}  // namespace

std::string name_of(CacheMode mode) {
  for (const auto& [known, name] : kCacheModes) {
    if (known == mode) return std::string(name);
  }
  return "";
}

std::optional<CacheMode> parse_cache_mode(std::string_view name) {
  for (const auto& [mode, known] : kCacheModes) {
    if (known == name) return mode;
  }
  return std::nullopt;
}

}  // namespace opbench
