#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace opbench {

enum class ArgumentKind {
  kNull,
  kBool,
  kInt,
  kBigInt,  ///< beyond 64 bits: decimal digits in `text`
  kDouble,
  kString,
  kTensor,
  kTuple,
  kSymbol,  ///< a symbolic extent or argument: its name in `text`
};

/// One argument of a tuning task, as AutoTVM has them (docs/reference/formats.md, "Task
/// arguments").
struct Argument {
  ArgumentKind kind = ArgumentKind::kNull;
  bool flag = false;
  int64_t integer = 0;
  double real = 0;
  std::string text;                ///< of a string, big integer or symbol; a tensor's data type
  std::vector<Argument> items;     ///< of a tuple; a tensor's extents, outermost first
  std::vector<Argument> trailing;  ///< what follows a tensor's data type in some real logs
  bool operator==(const Argument&) const = default;

  static Argument null() { return {}; }
  static Argument of_bool(bool value) { return {.kind = ArgumentKind::kBool, .flag = value}; }
  static Argument of_int(int64_t value) { return {.kind = ArgumentKind::kInt, .integer = value}; }
  static Argument of_double(double value) { return {.kind = ArgumentKind::kDouble, .real = value}; }
  static Argument of_string(std::string value) {
    return {.kind = ArgumentKind::kString, .text = std::move(value)};
  }
  static Argument of_tuple(std::vector<Argument> values) {
    return {.kind = ArgumentKind::kTuple, .items = std::move(values)};
  }
};

struct NamedArgument {
  std::string name;  ///< empty when the task's parameters are not known
  Argument value;
  bool operator==(const NamedArgument&) const = default;
};

}  // namespace opbench
