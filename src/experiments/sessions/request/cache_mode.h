#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opbench {

/// Which data a call finds in the caches.
enum class CacheMode { kHot, kColdWeights, kColdAll };

/// `hot`, `cold-weights`, `cold-all`
std::string name_of(CacheMode mode);
/// The mode of that name; nothing for another word.
std::optional<CacheMode> parse_cache_mode(std::string_view name);

}  // namespace opbench
