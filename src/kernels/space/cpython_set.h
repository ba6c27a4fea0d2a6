#pragma once

#include <cstdint>
#include <vector>

namespace opbench {

/// The order in which CPython iterates over `set(first) | set(second)` of small non-negative
/// integers, whose hash is their value (docs/reference/config-spaces.md, "Order of verbose splits";
/// CPython 3.7 and later). TVM numbers the values of policy `verbose` in this order. Both lists are
/// inserted as given.
std::vector<int64_t> cpython_union_order(const std::vector<int64_t>& first,
                                         const std::vector<int64_t>& second);

}  // namespace opbench
