#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace opbench {

/// The text as a terminal can show it safely: control characters and marks that change the
/// direction of writing as `\n`, `\x1b` or `\u202e`, bytes that are not UTF-8 as `\xff`.
std::string printable(std::string_view text);

/// True if the bytes are UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

/// A text of at most `most` bytes as it is; of a longer one the begin and the end with `…` between
/// them, cut where characters begin.
std::string shortened_middle(std::string_view text, size_t most);

}  // namespace opbench
