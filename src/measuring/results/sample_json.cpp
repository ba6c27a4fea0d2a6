#include "measuring/results/sample_json.h"

#include <nlohmann/json.hpp>

namespace opbench {
namespace {

double number_or(const Json& object, const char* key, double otherwise) {
  const auto field = object.find(key);
  return field != object.end() && field->is_number() ? field->get<double>() : otherwise;
}

int64_t count_or(const Json& object, const char* key, int64_t otherwise) {
  const auto field = object.find(key);
  return field != object.end() && field->is_number() ? field->get<int64_t>() : otherwise;
}

}  // namespace

std::optional<Sample> parse_sample(const Json& entry) {
  if (!entry.is_object()) return std::nullopt;
  Sample sample;
  sample.wall_s = number_or(entry, "wall_s", 0);
  if (!(sample.wall_s > 0)) return std::nullopt;
  sample.cpu_s = number_or(entry, "cpu_s", 0);
  sample.involuntary_switches = count_or(entry, "involuntary_switches", 0);
  const double waited_s = number_or(entry, "waited_s", -1);
  if (waited_s >= 0) sample.waited_s = waited_s;
  const double device_s = number_or(entry, "device_s", -1);
  if (device_s >= 0) sample.device_s = device_s;
  const double copies_s = number_or(entry, "copies_s", -1);
  if (copies_s >= 0) sample.copies_s = copies_s;
  if (const auto clock = entry.find("clock"); clock != entry.end() && !clock->is_null()) {
    const auto known = time_clock_named(clock->is_string() ? clock->get<std::string>() : "");
    if (!known) return std::nullopt;
    sample.clock = *known;
  }
  sample.minor_faults = count_or(entry, "minor_faults", 0);
  sample.cpu = static_cast<int>(count_or(entry, "cpu", -1));
  return sample;
}

}  // namespace opbench
