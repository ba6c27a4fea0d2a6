#include "presentation/cli/predict/price_table.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "base/errors/suggestion.h"
#include "presentation/cli/arguments.h"

namespace opbench {
namespace {

Result<void> read_key(std::string_view key, const toml::node& node, const std::string& file,
                      PricedDevice& device) {
  const std::string place = fmt::format("device.{}.{}", device.name, key);
  if (key == "price_per_hour") {
    const auto price = node.value<double>();
    if (!price || !std::isfinite(*price) || *price <= 0) {
      return invalid_input(fmt::format("\"{}\" must be a number above 0", place));
    }
    device.price_per_hour = *price;
  } else if (key == "threads") {
    const auto threads = node.value_exact<int64_t>();
    if (!threads || *threads < 1 || *threads > kMostThreads) {
      return invalid_input(fmt::format("\"{}\" must be a number of threads", place));
    }
    device.threads = static_cast<int>(*threads);
  } else if (key == "times") {
    const auto path = node.value_exact<std::string>();
    if (!path || path->empty()) {
      return invalid_input(fmt::format("\"{}\" must be the name of a file", place));
    }
    device.times = std::filesystem::path(file).parent_path() / *path;
  } else {
    return unknown_name("key", key, {"price_per_hour", "threads", "times"});
  }
  return {};
}

Result<PricedDevice> read_device(const std::string& name, const toml::node& node,
                                 const std::string& file) {
  PricedDevice device{.name = name};
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    return invalid_input(fmt::format("\"device.{}\" must be a table", name));
  }
  for (const auto& [key, value] : *table) OPBENCH_CHECK(read_key(key.str(), value, file, device));
  if (device.price_per_hour <= 0) {
    return invalid_input(fmt::format("\"device.{}\" has no price_per_hour", name));
  }
  if (device.threads == 0 && device.times.empty()) {
    return invalid_input(fmt::format("the times of \"device.{}\" are not known", name))
        .with("needed", "threads = N, by this machine's predictor, or times = \"FILE\"");
  }
  return device;
}

Result<std::vector<PricedDevice>> price_table_from_table(const toml::table& table,
                                                         const std::string& file) {
  std::vector<PricedDevice> devices;
  for (const auto& [key, node] : table) {
    const toml::table* of_devices = node.as_table();
    if (key.str() != "device" || of_devices == nullptr) {
      return invalid_input(fmt::format("unknown key \"{}\"", key.str()))
          .with("known", "[device.NAME] with price_per_hour, threads, times");
    }
    for (const auto& [name, value] : *of_devices) {
      OPBENCH_TRY(PricedDevice device, read_device(std::string(name.str()), value, file));
      devices.push_back(std::move(device));
    }
  }
  if (devices.empty()) {
    return invalid_input("the price table has no device")
        .with("needed", "[device.NAME] with price_per_hour, and threads or times");
  }
  return devices;
}

}  // namespace

Result<std::vector<PricedDevice>> parse_price_table(std::string_view text,
                                                    const std::string& file) {
  try {
    const auto devices = price_table_from_table(toml::parse(text), file);
    if (!devices) return Error(devices.error()).with("in", file);
    return *devices;
  } catch (const toml::parse_error& error) {
    return invalid_input("not TOML: " + std::string(error.description()))
        .with("in", fmt::format("{}:{}", file, error.source().begin.line));
  }
}

}  // namespace opbench
