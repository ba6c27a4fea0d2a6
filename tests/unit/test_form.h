#pragma once

#include <cstdlib>
#include <utility>

namespace opbench {

/// The size of a test: the first in `./dev test`, where it finds the same defects in less time; the
/// second in `./dev test --slow`, where it also finds rarer ones.
template <class T>
T by_form(T brief, T whole) {
  const char* is_slow = std::getenv("OPBENCH_SLOW_TESTS");
  return is_slow != nullptr && *is_slow != '\0' ? std::move(whole) : std::move(brief);
}

}  // namespace opbench
