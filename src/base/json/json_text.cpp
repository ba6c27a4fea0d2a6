#include "base/json/json_text.h"

#include <nlohmann/json.hpp>

namespace opbench {

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace opbench
