#pragma once

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

}  // namespace opbench
