#include "base/files/outside_wait.h"

#include <atomic>
#include <system_error>

namespace opbench {
namespace {

/// A signal handler reaches only what is static.
std::atomic<int>& waits() {
  static std::atomic<int> count = 0;
  return count;
}
static_assert(std::atomic<int>::is_always_lock_free);

}  // namespace

OutsideWait::OutsideWait(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  is_counted_ = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (is_counted_) ++waits();
}

OutsideWait::~OutsideWait() {
  if (is_counted_) --waits();
}

bool OutsideWait::is_any() { return waits() > 0; }

}  // namespace opbench
