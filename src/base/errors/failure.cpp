#include "base/errors/failure.h"

#include <array>

namespace opbench {
namespace {

constexpr std::array<std::string_view, 9> kNames = {
    "build_error", "build_timeout",  "run_error",   "run_timeout", "wrong_result",
    "device_lost", "invalid_config", "unsupported", "cancelled"};

}  // namespace

std::string_view name_of(FailureKind kind) { return kNames.at(static_cast<size_t>(kind)); }

FailureKind parse_failure_kind(std::string_view word) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames.at(i) == word) return static_cast<FailureKind>(i);
  }
  return FailureKind::kRunError;
}

std::string to_text(const Failure& failure) {
  return std::string(name_of(failure.kind)) + ": " + failure.text;
}

}  // namespace opbench
