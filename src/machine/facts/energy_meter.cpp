#include "machine/facts/energy_meter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "base/numbers/number.h"
#include "base/system/monotonic_clock.h"
#include "machine/facts/facts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

Error refused(std::string message) { return {ErrorCode::kEnvironment, std::move(message)}; }

Result<uint64_t> energy_meter_number_in(const fs::path& file) {
  if (access(file.c_str(), R_OK) != 0 && errno == EACCES) {
    return refused(fmt::format("only root may read \"{}\"", file.string()));
  }
  const Result<std::string> text = read_file(file);
  if (!text) return refused(text.error().message);
  const auto number = parse_integer(text->substr(0, text->find_last_not_of(" \n") + 1));
  if (number && *number >= 0) return static_cast<uint64_t>(*number);
  return refused(fmt::format("\"{}\" holds no number", file.string()));
}

/// `intel-rapl:0`; a part of a package has a second colon, and `intel-rapl-mmio:0` counts a package
/// again.
bool is_zone(const std::string& folder) {
  constexpr std::string_view kStart = "intel-rapl:";
  return folder.starts_with(kStart) && parse_integer(folder.substr(kStart.size())).has_value();
}

}  // namespace

Result<EnergyMeter> find_energy_meter(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) {
    return refused(fmt::format("the kernel shows no energy meter: there is no folder \"{}\"",
                               folder.string()));
  }
  EnergyMeter meter;
  for (const fs::directory_entry& entry : entries) {
    if (!is_zone(entry.path().filename().string())) continue;
    const std::string name = read_text(entry.path() / "name").value_or("");
    if (name.starts_with("package-")) meter.zones.push_back({name, entry.path(), 0});
  }
  if (meter.zones.empty()) {
    return refused(
        fmt::format("the kernel shows no energy meter of a package in \"{}\"", folder.string()));
  }
  std::ranges::sort(meter.zones, {}, &EnergyZone::name);
  for (EnergyZone& zone : meter.zones) {
    OPBENCH_TRY(zone.range_uj, energy_meter_number_in(zone.folder / "max_energy_range_uj"));
  }
  OPBENCH_CHECK(read_energy(meter));
  return meter;
}

Result<MeterReading> read_energy(const EnergyMeter& meter) {
  MeterReading reading;
  for (const EnergyZone& zone : meter.zones) {
    OPBENCH_TRY(const uint64_t counter, energy_meter_number_in(zone.folder / "energy_uj"));
    reading.counters_uj.push_back(counter);
  }
  reading.at_s = monotonic_s();
  return reading;
}

double joules_between(const EnergyMeter& meter, const MeterReading& before,
                      const MeterReading& after) {
  constexpr double kJoulesPerMicrojoule = 1e-6;
  double joules = 0;
  for (size_t i = 0; i < meter.zones.size(); ++i) {
    const uint64_t from = before.counters_uj[i];
    const uint64_t to = after.counters_uj[i];
    const uint64_t spent = to >= from ? to - from : to + meter.zones[i].range_uj - from;
    joules += static_cast<double>(spent) * kJoulesPerMicrojoule;
  }
  return joules;
}

std::string name_of(const EnergyMeter& meter) {
  std::vector<std::string> names;
  for (const EnergyZone& zone : meter.zones) names.push_back(zone.name);
  return join(names);
}

}  // namespace opbench
