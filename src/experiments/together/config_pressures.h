#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/request/run_request.h"
#include "experiments/together/unit_config.h"
#include "kernels/schedules/kernel_spec.h"
#include "prediction/interference/pair_forecast.h"

namespace opbench {

/// What is known of each config of two units beside a neighbour; nothing: not measured.
struct ConfigPressures {
  std::array<std::vector<std::optional<UnitPressure>>, 2> known;
  double peak_bytes_per_s = 0;  ///< of memory, both CPUs; 0: not known
  std::vector<std::string> warnings;

  bool is_empty() const;
  /// Of the first unit's config beside the second's, and back: by curve and pressure where both are
  /// known, else 1.
  std::array<double, 2> slowdowns(size_t first, size_t second) const;
};

/// Measures every config alone and beside the neighbour (run_interference), within `budget_s`.
/// Where that ends without a single round, nothing is known, and a warning says why.
/// `kInterrupted`.
Result<ConfigPressures> measure_pressures(const std::array<KernelSpec, 2>& units,
                                          const std::array<std::vector<UnitConfig>, 2>& lists,
                                          const RunRequest& run, double budget_s);

}  // namespace opbench
