#include "measuring/results/profile_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json_members.h"
#include "measuring/results/profile_json.h"

namespace opbench {

Result<ProfileResult> parse_profile(const Json& report, const std::string& what) {
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kInvalidInput, "\"" + what + "\" " + why}.with(
        "to make one", "opbench profile MODEL --format json -o FILE");
  };
  if (report.is_array()) return refuse("holds profiles of several models");
  if (!is_profile(report)) {
    const std::string schema = text_of_member(report, "schema");
    if (schema.empty()) return refuse("is no profile");
    return refuse("holds " + schema + ", not a profile").with("known", kProfileSchema);
  }
  if (!report.contains("engines") || !report.at("engines").is_array()) {
    return refuse("has no list of engines");
  }
  size_t place = 0;
  for (const Json& engine : report.at("engines")) {
    const std::string where = fmt::format("engines[{}]", place++);
    if (!engine.is_object()) return refuse("is damaged: " + where + " is no object");
    if (!engine.contains("units") || !engine.at("units").is_array()) {
      return refuse("is damaged: " + where + " has no list of units");
    }
    if (!engine.contains("model") || !engine.at("model").is_object()) {
      return refuse("is damaged: " + where + " has no object model");
    }
  }
  return profile_of(report);
}

}  // namespace opbench
