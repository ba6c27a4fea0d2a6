#include "experiments/devices/device_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "base/numbers/number.h"
#include "machine/resources/pinning.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

constexpr const char* kUsage = "cpu0, cpu0+cpu1, cpu1:avx2, cpu0:busy, opencl:0, table.json";
constexpr const char* kBusy = "busy";
constexpr const char* kOpenCl = "opencl";

const std::map<std::string, std::string>& variants() {
  static const std::map<std::string, std::string> targets = {
      {"avx2", "llvm -mcpu=core-avx2"},
      {"avx512", "llvm -mcpu=skylake-avx512"},
      {"host", "host"},
      {"sse4.1", "llvm -mcpu=penryn"}};
  return targets;
}

/// `cpu0+cpu1`
Result<std::vector<int>> parse_cpus(const std::string& words, const std::string& text) {
  std::vector<int> cpus;
  size_t begin = 0;
  while (begin <= words.size()) {
    const size_t end = std::min(words.find('+', begin), words.size());
    const std::string word = words.substr(begin, end - begin);
    begin = end + 1;
    const bool is_cpu = word.starts_with("cpu");
    const auto number = is_cpu ? parse_integer(word.substr(3)) : std::nullopt;
    if (!number || *number < 0 || *number > INT32_MAX) {
      return invalid_input(fmt::format("\"{}\" is no device", text)).with("valid", kUsage);
    }
    const int cpu = static_cast<int>(*number);
    if (std::ranges::find(cpus, cpu) != cpus.end()) {
      return invalid_input(fmt::format("device \"{}\" names CPU {} twice", text, cpu));
    }
    cpus.push_back(cpu);
  }
  return cpus;
}

/// A word after a colon.
Result<void> set_property(const std::string& word, DeviceChoice& choice) {
  if (word == kBusy) {
    choice.has_busy_neighbour = true;
    return {};
  }
  const auto target = variants().find(word);
  if (target == variants().end()) {
    std::vector<std::string> known = {kBusy};
    for (const auto& [name, form] : variants()) known.push_back(name);
    return unknown_name("property of a device", word, known).with("in", choice.name);
  }
  choice.variant = word;
  choice.target = target->second;
  return {};
}

/// `opencl:0`, `pocl:0`: a word of a kind or a driver, and a number.
bool is_numbered_device(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || text.starts_with("cpu")) return false;
  const auto number = parse_integer(text.substr(colon + 1));
  return number && *number >= 0;
}

/// The device runs beside the others: on a CPU that none of them has.
void choose_cpu(const std::vector<DeviceChoice>& others, DeviceChoice& device) {
  const std::vector<int> ours = current_affinity();
  const auto is_free = [&](int cpu) {
    return std::ranges::none_of(
        others, [&](const DeviceChoice& other) { return std::ranges::count(other.cpus, cpu) > 0; });
  };
  const auto found = std::ranges::find_if(ours, is_free);
  device.cpus = {found == ours.end() ? ours.back() : *found};
}

Result<DeviceChoice> read_table(const std::string& path) {
  OPBENCH_TRY(const std::string text, read_text_file(path));
  DeviceChoice choice;
  OPBENCH_TRY(choice.table, parse_device_table(text, path));
  choice.name = choice.table.name;
  if (choice.name.empty()) choice.name = std::filesystem::path(path).stem().string();
  return choice;
}

}  // namespace

Result<DeviceChoice> parse_device(const std::string& text) {
  if (text.ends_with(".json")) return read_table(text);
  if (is_numbered_device(text)) {
    return DeviceChoice{.name = text, .cpus = {}, .variant = {}, .target = kOpenCl, .device = text};
  }
  DeviceChoice choice{.name = text};
  const size_t colon = std::min(text.find(':'), text.size());
  OPBENCH_TRY(choice.cpus, parse_cpus(text.substr(0, colon), text));
  for (size_t begin = colon + 1; begin <= text.size();) {
    const size_t end = std::min(text.find(':', begin), text.size());
    OPBENCH_CHECK(set_property(text.substr(begin, end - begin), choice));
    begin = end + 1;
  }
  return choice;
}

Result<std::vector<DeviceChoice>> parse_devices(const std::vector<std::string>& texts) {
  std::vector<DeviceChoice> devices;
  for (const std::string& text : texts) {
    OPBENCH_TRY(DeviceChoice choice, parse_device(text));
    if (std::ranges::find(devices, choice.name, &DeviceChoice::name) != devices.end()) {
      return invalid_input(fmt::format("two devices have the name \"{}\"", choice.name));
    }
    devices.push_back(std::move(choice));
  }
  for (DeviceChoice& device : devices) {
    if (!device.device.empty()) choose_cpu(devices, device);
  }
  if (devices.size() >= 2) return devices;
  return invalid_input("it takes at least two devices").with("usage", "--devices cpu0,cpu1:avx2");
}

Result<size_t> find_device(const std::vector<DeviceChoice>& devices, const std::string& name) {
  std::vector<std::string> names;
  for (const DeviceChoice& device : devices) names.push_back(device.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return unknown_name("device", name, names);
  return static_cast<size_t>(found - names.begin());
}

std::string narrower_variant(const DeviceChoice& choice, const Target& host) {
  const auto target = parse_target(choice.target);
  return target && float_lanes(*target) < float_lanes(host) ? choice.variant : "";
}

std::string shared_cpus_warning(const std::vector<DeviceChoice>& devices) {
  std::map<int, std::vector<std::string>> users;
  for (const DeviceChoice& device : devices) {
    for (const int cpu : device.cpus) users[cpu].push_back(device.name);
  }
  for (const auto& [cpu, names] : users) {
    if (names.size() < 2) continue;
    return fmt::format(
        "{} share CPU {}: placements treat them as devices that work at the same time", join(names),
        cpu);
  }
  return "";
}

}  // namespace opbench
