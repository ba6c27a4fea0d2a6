#include "base/json/byte_text.h"

#include <nlohmann/json.hpp>

#include "base/text/printable.h"

namespace opbench {

Json byte_text(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  Json list = Json::array();
  for (const char byte : bytes) list.push_back(static_cast<unsigned char>(byte));
  return list;
}

std::optional<std::string> bytes_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) return {};
  std::string bytes;
  for (const Json& byte : json) {
    constexpr int kLargest = 255;
    if (!byte.is_number_integer() || byte < 0 || byte > kLargest) return {};
    bytes += static_cast<char>(byte.get<int>());
  }
  return bytes;
}

}  // namespace opbench
