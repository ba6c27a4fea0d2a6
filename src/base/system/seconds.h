#pragma once

#include <chrono>

namespace opbench {

/// A length of time inside the program; reports and records have milliseconds.
using Seconds = std::chrono::duration<double>;

}  // namespace opbench
