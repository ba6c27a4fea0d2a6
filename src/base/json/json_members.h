#pragma once

#include <string>

#include "base/json/json.h"

/// Members of reports that other versions may have written: what is not there counts as empty.
namespace opbench {

/// 0 where there is no such number.
double number_of(const Json& object, const char* key);

std::string text_of_member(const Json& object, const char* key);

Json list_of(const Json& object, const char* key);

Json object_of(const Json& object, const char* key);

}  // namespace opbench
