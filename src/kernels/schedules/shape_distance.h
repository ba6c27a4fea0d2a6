#pragma once

#include <optional>
#include <string>

namespace opbench {

/// How far two workloads, as canonical texts, are apart: the sum of |ln(a / b)| over all extents
/// and groups. Nothing when they differ in more than these: in operators, other attributes, ranks,
/// data types, or the window of a convolution.
std::optional<double> shape_distance(const std::string& a, const std::string& b);

}  // namespace opbench
