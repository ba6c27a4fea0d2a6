#include "machine/devices/probed_devices.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

#include "machine/devices/guarded_probe.h"

namespace opbench {

Result<std::vector<FoundDevice>> probed_devices(const std::string& kind,
                                                const std::function<Json()>& look) {
  constexpr std::chrono::milliseconds kLongestSearch{10000};
  const auto probe = [&] { return look().dump(-1, ' ', false, Json::error_handler_t::replace); };
  OPBENCH_TRY(const std::string text, probe_in_child(probe, kLongestSearch));
  OPBENCH_TRY(const Json answer, parse_json(text, "what devices of the kind " + kind + " are"));
  if (answer.contains("reason")) {
    return Error{ErrorCode::kEnvironment, answer.at("reason").get<std::string>()};
  }
  std::vector<FoundDevice> devices;
  std::map<std::string, int> of_driver;
  for (const Json& device : answer.at("devices")) {
    FoundDevice found{.name = fmt::format("{}:{}", kind, devices.size()),
                      .aliases = {},
                      .index = static_cast<int>(devices.size()),
                      .boundary = device.value("boundary", int64_t{0}),
                      .units = device.value("units", 0),
                      .arch = device.value("arch", ""),
                      .description = device.at("description").get<std::string>(),
                      .facts = {}};
    for (const Json& fact : device.at("facts")) {
      found.facts.push_back(
          {fact.at("label").get<std::string>(), fact.at("text").get<std::string>()});
    }
    if (const std::string driver = device.value("driver", ""); !driver.empty()) {
      found.aliases.push_back(fmt::format("{}:{}", driver, of_driver[driver]++));
    }
    devices.push_back(std::move(found));
  }
  return devices;
}

}  // namespace opbench
