#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>
#include <vector>

namespace opbench {

/// Why an operation failed. The value is the exit code of a command that ends with it.
enum class ErrorCode {
  kSystem = 1,         ///< our fault or the system's
  kInvalidInput = 2,   ///< wrong usage or unreadable input; nothing was done
  kNotReproduced = 3,  ///< slower, regressed or not reproduced
  kInconclusive = 4,   ///< only with --strict
  kPartial = 5,        ///< done in part; each failure is listed
  kNoMatch = 6,        ///< nothing matched
  kEnvironment = 7,    ///< the environment refuses: missing package, no permission
  kTimeBudget = 124,
  kInterrupted = 130,
};

/// An indented line under a message: `known: a, b`, `did you mean: a?`.
struct Fact {
  std::string label;
  std::string text;
  bool operator==(const Fact&) const = default;
};

/// An operation that failed. `message` is one line, lower case, quotes the bad value, has no full
/// stop.
struct Error {
  ErrorCode code = ErrorCode::kSystem;
  std::string message;
  std::vector<Fact> facts = {};

  /// The same error with one more fact.
  Error with(std::string label, std::string text) && {
    facts.push_back({std::move(label), std::move(text)});
    return std::move(*this);
  }
  bool operator==(const Error&) const = default;
};

/// An error of what the user gave: `kInvalidInput`.
inline Error invalid_input(std::string message) {
  return {ErrorCode::kInvalidInput, std::move(message)};
}

/// `error: <message>` and the facts, each on a line indented by two spaces; ends with a newline.
std::string to_text(const Error& error);

/// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  // NOLINTNEXTLINE(google-explicit-constructor): so that a function can `return Error{...}`.
  Result(Error error) : tl::expected<T, Error>(tl::make_unexpected(std::move(error))) {}
};

}  // namespace opbench

#define OPBENCH_CONCAT_INNER(a, b) a##b
#define OPBENCH_CONCAT(a, b) OPBENCH_CONCAT_INNER(a, b)

/// Evaluates an expression of type Result and returns its error from the enclosing function, or
/// declares `declaration` with its value: `OPBENCH_TRY(auto model, load(path));`
#define OPBENCH_TRY(declaration, ...)                                                      \
  auto OPBENCH_CONCAT(opbench_result_, __LINE__) = (__VA_ARGS__);                          \
  if (!OPBENCH_CONCAT(opbench_result_, __LINE__))                                          \
    return ::opbench::Error(std::move(OPBENCH_CONCAT(opbench_result_, __LINE__)).error()); \
  declaration = std::move(*OPBENCH_CONCAT(opbench_result_, __LINE__))

/// The same for Result<void>. One statement, so that it may stand behind an `if` without braces;
/// OPBENCH_TRY does not compile there.
#define OPBENCH_CHECK(...)                                         \
  do {                                                             \
    if (auto opbench_checked = (__VA_ARGS__); !opbench_checked)    \
      return ::opbench::Error(std::move(opbench_checked).error()); \
  } while (false)
