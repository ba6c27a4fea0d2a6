#include "experiments/sessions/run_identity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>

#include "base/numbers/hash.h"

namespace opbench {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

std::string run_id_of(const std::string& timestamp, const std::string& content_sha256) {
  return sha256(fmt::format("{} {} {}", timestamp, ::getpid(), content_sha256)).substr(0, 16);
}

}  // namespace opbench
