#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// A processor package that counts the energy it takes.
struct EnergyZone {
  std::string name;              ///< package-0
  std::filesystem::path folder;  ///< with the file energy_uj
  uint64_t range_uj = 0;         ///< after so many microjoules the counter starts again at 0
  bool operator==(const EnergyZone&) const = default;
};

/// All packages of this machine.
struct EnergyMeter {
  std::vector<EnergyZone> zones;
  bool operator==(const EnergyMeter&) const = default;
};

/// What the counters showed at some moment.
struct MeterReading {
  std::vector<uint64_t> counters_uj;  ///< by zone
  double at_s = 0;                    ///< of monotonic_s()
  bool operator==(const MeterReading&) const = default;
};

/// Where Linux shows energy meters (powercap). AMD's processors have Intel's names there.
constexpr const char* kPowercapFolder = "/sys/class/powercap";

/// The packages `intel-rapl:N` in `folder`; their parts and the whole platform (psys) are left out.
/// `kEnvironment` with the reason: no folder, no package, or a file that cannot be read, by name.
Result<EnergyMeter> find_energy_meter(const std::filesystem::path& folder = kPowercapFolder);

/// The counters now; they change about once a millisecond. `kEnvironment` naming a file that cannot
/// be read.
Result<MeterReading> read_energy(const EnergyMeter& meter);

/// Joules of all packages together between two readings. Each counter may have started again once.
double joules_between(const EnergyMeter& meter, const MeterReading& before,
                      const MeterReading& after);

/// `package-0, package-1`
std::string name_of(const EnergyMeter& meter);

}  // namespace opbench
