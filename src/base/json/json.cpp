#include "base/json/json.h"

#include <nlohmann/json.hpp>

namespace opbench {

Result<Json> parse_json(std::string_view text, std::string_view what) {
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& exception) {
    const std::string shown(text.substr(0, 60));
    return Error{ErrorCode::kInvalidInput, std::string(what) + " is not JSON: \"" + shown + "\""}
        .with("reason", exception.what());
  }
}

std::string canonical_text(const Json& json) {
  return nlohmann::json(json).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace opbench
