#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json/json.h"

/// Members of JSON objects that may not be there, or be of any type.
namespace opbench {

/// Null if it is not there, or if this is no object.
Json member(const Json& object, const std::string& key);

/// Nothing unless it is text that is not empty.
std::optional<std::string> text_member(const Json& object, const std::string& key);

/// Nothing unless it is a finite number.
std::optional<double> number_member(const Json& object, const std::string& key);

/// The value of a whole number that 64 bits with a sign hold, written as an integer (8) or not
/// (8.0); nothing for any other value. JSON's own integers reach to 2^64, where a cast would wrap.
std::optional<int64_t> whole_number(const Json& value);

}  // namespace opbench
