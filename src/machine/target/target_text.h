#pragma once

#include <string>

#include "machine/target/target.h"

namespace opbench {

/// Canonical JSON with sorted keys: the identity.
std::string canonical_text(const Target& target);

}  // namespace opbench
