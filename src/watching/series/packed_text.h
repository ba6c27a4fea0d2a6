#pragma once

#include <string>

#include "base/errors/error.h"

namespace opbench {

/// The text of a file, "-" is stdin: unpacked where it is gzip, without the mark of UTF-8.
/// `kInvalidInput` for what cannot be read or unpacked, for UTF-16 and UTF-32, and for more than
/// 4 GiB.
Result<std::string> read_packed_text(const std::string& path);

}  // namespace opbench
