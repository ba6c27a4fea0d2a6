#pragma once

#include <string>

#include "base/numbers/random.h"

namespace opbench {

/// An ONNX model with one to a few bytes changed, cut out, repeated or put in.
std::string with_damaged_bytes(std::string model, Random& random);

/// The same with one to a few fields of its messages changed: left out, repeated, exchanged, given
/// odd values, or taken from the model `donor`. What is no model comes back as it is.
std::string with_damaged_fields(const std::string& model, const std::string& donor, Random& random);

}  // namespace opbench
