#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "measuring/results/statistics.h"

namespace opbench {

/// What an A/A difference is known for.
struct FloorKey {
  std::string workload;  ///< canonical text, or the model's name
  std::string engine;
  int threads = 1;
  bool operator==(const FloorKey&) const = default;
};

/// How far two measurements of the same code came apart; both relative.
struct FloorUnit {
  FloorKey key;
  double effect = 0;  ///< |ratio - 1|
  double half_width = 0;
  bool operator==(const FloorUnit&) const = default;
};

/// The A/A pairs of one comparison.
struct FloorRun {
  std::string timestamp;    ///< RFC 3339, UTC
  std::string noise_class;  ///< quiet, shared or hostile
  std::vector<FloorUnit> units;
  bool operator==(const FloorRun&) const = default;
};

/// From the logarithm of an A/A ratio.
FloorUnit floor_unit_of(FloorKey key, const Estimate& log_ratio);

/// One line, ended. The inverse of parse_floor_runs.
std::string floor_line(const FloorRun& run);

/// The runs of these lines. Lines that are torn or of another form are left out.
std::vector<FloorRun> parse_floor_runs(std::string_view lines);

/// `<folder>/<machine_hash>.jsonl`
std::filesystem::path floor_file(const std::filesystem::path& folder,
                                 std::string_view machine_hash);

/// The newest 200 runs of the file, oldest first, reading no more than its last 16 MiB; none if
/// there is no file or it cannot be read.
std::vector<FloorRun> read_floor_runs(const std::filesystem::path& file);

/// Adds a line in one write; any number of programs may do so. `kInvalidInput` naming the path.
Result<void> append_floor_run(const std::filesystem::path& file, const FloorRun& run);

/// The A/A difference that a unit can show by chance: the 95th percentile (type 7) of its effects
/// in this run and the kept ones of the same noise class if there are at least five, else of those
/// of all this run's units. Nothing without any.
std::optional<double> unit_floor(const FloorKey& key, const FloorRun& run,
                                 std::span<const FloorRun> kept);

/// The same for the machine: over all units of this run and of the kept ones of its noise class.
std::optional<double> machine_floor(const FloorRun& run, std::span<const FloorRun> kept);

}  // namespace opbench
