#include "presentation/access/web_settings.h"

#include <nlohmann/json.hpp>

#include "base/json/byte_text.h"
#include "base/json/json_text.h"

namespace opbench {

std::string text_of_settings(const WebSettings& settings) {
  return json_text(Json{{"store", byte_text(settings.store.string())},
                        {"address", settings.address},
                        {"port", settings.port},
                        {"token", settings.token},
                        {"bundle", byte_text(settings.bundle)},
                        {"export", byte_text(settings.export_folder)},
                        {"is_quiet", settings.is_quiet}});
}

Result<WebSettings> web_settings_of(const std::string& text) {
  OPBENCH_TRY(const Json json, parse_json(text, "the settings"));
  try {
    return WebSettings{.store = bytes_of(json.at("store")).value_or(""),
                       .address = json.at("address").get<std::string>(),
                       .port = json.at("port").get<int>(),
                       .token = json.at("token").get<std::string>(),
                       .bundle = bytes_of(json.at("bundle")).value_or(""),
                       .export_folder = bytes_of(json.at("export")).value_or(""),
                       .is_quiet = json.at("is_quiet").get<bool>()};
  } catch (const Json::exception& fault) {
    return invalid_input("these are no settings of opbench web").with("reason", fault.what());
  }
}

}  // namespace opbench
