#pragma once

#include <string>

#include "base/errors/error.h"
#include "machine/target/target.h"

namespace opbench {

/// Reads `llvm`, `host`, TVM's `llvm -mcpu=core-avx2 -mattr=+fma`, TVM's JSON, Halide's
/// `x86-64-linux-avx2-fma`, and `@file.json`. `host` and `-mcpu=native` are expanded to this
/// machine. `kInvalidInput` quoting the word, with the valid kinds and a guess.
Result<Target> parse_target(const std::string& text);

}  // namespace opbench
