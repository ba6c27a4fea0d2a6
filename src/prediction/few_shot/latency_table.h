#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "prediction/few_shot/dense_matrix.h"

namespace opbench {

/// A published table of latencies: a line a unit, a column a device.
struct LatencyTable {
  std::vector<std::string> units;    ///< what the first column calls them
  std::vector<std::string> devices;  ///< names of the other columns
  DenseMatrix times_ms;              ///< units x devices, all above 0
  size_t left_out = 0;               ///< lines without a time above 0 on every device
};

/// Reads comma-separated values with a line of names. `kInvalidInput` naming the line: no file,
/// fewer than two devices, a device twice, another number of values, a value that is no number, no
/// line with a time on every device.
Result<LatencyTable> read_latency_table(const std::filesystem::path& path);

/// The name of a device without the batch size at its end: `titanx` of `titanx_32`, `titanx_b32`
/// and `titanx-batch32`. A number above 1024 belongs to the name (`gold_6226`), as a number without
/// a separator does (`pixel3`).
std::string_view device_family(std::string_view device);

/// Whether all times of a device are whole milliseconds: too coarse to rank units by.
bool has_whole_times(const LatencyTable& table, size_t device);

}  // namespace opbench
