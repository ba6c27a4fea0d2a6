#pragma once

#include <string>

#include "base/json/json.h"

namespace opbench {

/// Asked for by tests: puts `UNIT=FAULT`, a unit's number and what it shall do, into the params of
/// `prepare`. Nothing for a text without `=`.
void add_fault(const std::string& fault, Json& params);

}  // namespace opbench
