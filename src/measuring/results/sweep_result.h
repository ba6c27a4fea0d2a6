#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/profile_result.h"

namespace opbench {

/// What a sweep varies, with its values in the order given.
struct SweepKey {
  std::string name;  ///< as the user wrote it: threads, batch, cache, engine, input.1, C, data.2
  std::vector<std::string> values;
  bool is_numeric = true;  ///< the values are whole numbers
  bool operator==(const SweepKey&) const = default;
};

/// One point of a sweep: what was set, and what came out.
struct SweepPoint {
  size_t index = 0;                 ///< in the full product; the last key varies fastest
  std::vector<std::string> values;  ///< one a key
  std::string workload;             ///< canonical text with the values put in; empty for a model
  std::string engine;
  std::string version;
  int threads = 1;
  std::vector<int> cpus;
  int64_t batch = 1;                   ///< items that one call computes
  std::optional<Measurement> time;     ///< a call
  std::string time_of;                 ///< `alone`: the kernel; `end to end`: with all around it
  std::optional<double> flops, bytes;  ///< per call
  std::optional<double> gflops_per_s, percent_of_peak, gbytes_per_s;
  std::string bound;  ///< as in UnitResult; of a model: where most of its time goes
  CheckResult check;
  std::string failure;          ///< why there is no time, or why it is not to be trusted
  bool is_recorded = false;     ///< taken over from a file of records
  bool is_interrupted = false;  ///< measured in part only
};

/// All that one `sweep` found out.
struct SweepResult {
  std::string timestamp;  ///< RFC 3339, UTC
  std::string model;      ///< name; empty for a workload
  std::string workload;   ///< canonical text as given; empty for a model
  std::string source;     ///< zoo, or the path as given
  std::string target;     ///< display form
  uint64_t seed = 0;
  std::string cache = "hot";  ///< unless it is a key
  std::vector<std::string> argv;
  Environment environment;  ///< empty: not captured
  std::string noise;        ///< of the last run
  std::vector<SweepKey> keys;
  std::vector<SweepPoint> points;  ///< those that there are, by index
  size_t total = 0;                ///< points asked for
  std::vector<std::string> warnings;
};

/// The numbers of points asked for: the product over the keys.
size_t point_count(const std::vector<SweepKey>& keys);

/// The values of the point with that number, one a key; the last key varies fastest.
std::vector<std::string> point_values(const std::vector<SweepKey>& keys, size_t index);

/// Milliseconds an item of the batch; nothing without a time.
std::optional<double> item_ms(const SweepPoint& point);

/// How many times faster each point is, an item of the batch, than the first of its series: the
/// points that differ from it in the last key only. One entry a point; nothing where either has no
/// time.
std::vector<std::optional<double>> speed_ups(const SweepResult& result);

}  // namespace opbench
