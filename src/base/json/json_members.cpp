#include "base/json/json_members.h"

#include <nlohmann/json.hpp>

namespace opbench {

double number_of(const Json& object, const char* key) {
  const auto member = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && member != object.end() && member->is_number() ? member->get<double>()
                                                                             : 0;
}

std::string text_of_member(const Json& object, const char* key) {
  const auto member = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && member != object.end() && member->is_string()
             ? member->get<std::string>()
             : "";
}

Json list_of(const Json& object, const char* key) {
  const auto member = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && member != object.end() && member->is_array() ? *member
                                                                            : Json::array();
}

Json object_of(const Json& object, const char* key) {
  const auto member = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && member != object.end() && member->is_object() ? *member
                                                                             : Json::object();
}

}  // namespace opbench
