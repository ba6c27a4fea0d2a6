#pragma once

#include <string>
#include <string_view>

#include "base/errors/error.h"

namespace opbench {

/// Why a kernel, unit or trial has no time. Data, stored beside results; never a large number.
enum class FailureKind {
  kBuildError,
  kBuildTimeout,
  kRunError,
  kRunTimeout,
  kWrongResult,
  kDeviceLost,
  kInvalidConfig,
  kUnsupported,  ///< the engine cannot run this
  kCancelled,    ///< the run was interrupted before it: no result, and not on record
};

/// `build_error`, `run_timeout`, …
std::string_view name_of(FailureKind kind);
/// kRunError for an unknown word.
FailureKind parse_failure_kind(std::string_view word);

struct Failure {
  FailureKind kind = FailureKind::kRunError;
  std::string text;
  bool operator==(const Failure&) const = default;
};

/// A value, or the reason why the measured side has none.
template <class T>
using Outcome = tl::expected<T, Failure>;

/// `run_error: killed by signal 11 (SIGSEGV)`
std::string to_text(const Failure& failure);

}  // namespace opbench
