#pragma once

#include <string>

#include "base/errors/error.h"

namespace opbench {

/// `message; label: text; label: text`: an error as a reason beside other results.
std::string one_line_text(const Error& error);

}  // namespace opbench
