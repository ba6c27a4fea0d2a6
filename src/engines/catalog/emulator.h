#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/target/target.h"

namespace opbench {

/// A program that runs the engine of another machine here. Its times say nothing of that machine.
struct Emulator {
  std::string name;                  ///< with its version: `qemu-aarch64 7.2.22`
  std::vector<std::string> command;  ///< runs the engine `halide` of that machine
  bool operator==(const Emulator&) const = default;
};

/// What runs code for the target here; nothing if this machine runs such code itself, or has no
/// engine for the target at all. `kEnvironment` if the emulator, the other machine's libraries or
/// its engine is missing.
Result<std::optional<Emulator>> emulator_of(const Target& target);

}  // namespace opbench
