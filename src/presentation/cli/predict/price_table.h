#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// A device of a price table: what an hour of it costs, and how its times become known.
struct PricedDevice {
  std::string name;
  double price_per_hour = 0;
  int threads = 0;              ///< of this machine's predictor; 0: times of `times` only
  std::filesystem::path times;  ///< a file of times; empty: none
};

/// Reads a table; `file` names it in errors, and `times` are found from its folder.
///
///     [device.one-core]
///     price_per_hour = 0.021
///     threads = 1                # predicted by this machine's predictor for one thread
///     [device.gpu]
///     price_per_hour = 2.5
///     times = "gpu.csv"          # known from elsewhere; beside `threads`: the truth
///
/// `kInvalidInput`: not TOML (with line), no device, an unknown or missing key, a price or number
/// of threads that is none.
Result<std::vector<PricedDevice>> parse_price_table(std::string_view text, const std::string& file);

}  // namespace opbench
