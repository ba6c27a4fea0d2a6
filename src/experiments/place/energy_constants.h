#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/place_graph.h"

namespace opbench {

/// What a device draws.
struct DevicePower {
  double busy_w = 0;  ///< while a unit runs on it
  double idle_w = 0;  ///< while none does
  /// `measured (package-0)`, or what a file says; empty: the constants' name says it.
  std::string source = {};
  bool operator==(const DevicePower&) const = default;
};

/// Whether a meter gave these watts: their source begins with this word.
bool is_measured(const DevicePower& power);

/// Constants of the energy model, declared in a file; watts of devices may be measured. Energies
/// that are made of them are modelled.
struct EnergyConstants {
  std::string name;                             ///< of the file
  DevicePower cpu;                              ///< for each CPU of a device of this machine
  std::map<std::string, DevicePower> variants;  ///< in place of `cpu`, by PlaceDevice::variant
  std::map<std::string, DevicePower> devices;   ///< of a whole device, by its name
  double transfer_pj_per_byte = 0;
  bool operator==(const EnergyConstants&) const = default;
};

/// The name of the constants that are built in.
constexpr std::string_view kBuiltInEnergy = "built-in";

/// Their file, with comments.
std::string_view built_in_energy_text();

/// `kInvalidInput` with the line for text that is no TOML, an unknown table or key (with a guess),
/// a number below 0 or missing, a device that draws less when busy. `what` names it.
Result<EnergyConstants> parse_energy(std::string_view text, const std::string& what);

/// A file of these constants, for parse_energy.
std::string energy_text(const EnergyConstants& constants);

/// What each device of the graph draws. `kInvalidInput` for a table without a `[device.NAME]`.
Result<std::vector<DevicePower>> powers_of(const EnergyConstants& constants,
                                           const PlaceGraph& graph);

/// A constant that a decision may hang on.
struct EnergyConstant {
  std::string name;  ///< as in the file: cpu.busy_w
  double* value;
};

/// All constants, to be changed in place.
std::vector<EnergyConstant> constants_in(EnergyConstants& constants);

}  // namespace opbench
