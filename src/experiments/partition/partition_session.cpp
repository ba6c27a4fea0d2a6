#include "experiments/partition/partition_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "engines/catalog/engine_choice.h"
#include "experiments/partition/split_workload.h"
#include "experiments/place/device_times.h"
#include "experiments/place/transfer_cost.h"
#include "experiments/profile/profile_session.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

Error invalid(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

/// The time of a workload that was measured alone, as a whole.
std::optional<Measurement> partition_session_time_of(const EngineResult& engine) {
  if (engine.model.alone) return engine.model.alone;
  if (engine.units.size() == 1 && engine.units.front().count == 1) return engine.units.front().time;
  return engine.model.end_to_end;
}

std::string failure_of(const EngineResult& engine) {
  for (const UnitResult& unit : engine.units) {
    if (unit.failure) return to_text(*unit.failure);
  }
  return engine.model.end_to_end_reason.empty() ? "no time" : engine.model.end_to_end_reason;
}

class PartitionSession {
 public:
  explicit PartitionSession(const PartitionRequest& request) : request_(request) {}

  Result<PartitionResult> run() {
    OPBENCH_CHECK(check_devices());
    OPBENCH_TRY(split_, parse_split_workload(request_.profile.workload));
    OPBENCH_CHECK(make_sizes());
    OPBENCH_CHECK(measure(request_.devices[0], true, result_.grid.first));
    OPBENCH_CHECK(measure(request_.devices[1], false, result_.grid.second));
    OPBENCH_CHECK(set_join());
    OPBENCH_TRY(result_.study, study_partition(result_.grid, request_.study));
    return std::move(result_);
  }

 private:
  Result<void> check_devices() {
    if (request_.devices.size() != 2) {
      return invalid(fmt::format("an operator is split on two devices, not {}",
                                 request_.devices.size()))
          .with("usage", "--devices cpu0,cpu1:avx2");
    }
    for (const DeviceChoice& device : request_.devices) {
      if (!device.is_table()) continue;
      return invalid(fmt::format("device \"{}\" is a table: parts are measured here", device.name))
          .with("valid", "cpu0, cpu0+cpu1, cpu1:avx2");
    }
    const std::string shared = shared_cpus_warning(request_.devices);
    if (!shared.empty()) result_.warnings.push_back(shared);
    return {};
  }

  Result<void> make_sizes() {
    int lanes = 1;
    for (const DeviceChoice& device : request_.devices) {
      OPBENCH_TRY(const Target target, parse_target(device.target));
      lanes = std::max(lanes, float_lanes(target));
    }
    const PartSizes sizes = part_sizes(split_.channels, lanes, request_.most_parts);
    if (sizes.parts < 2) {
      return invalid(
          fmt::format("{} output channels make no two parts of {} lanes", split_.channels, lanes));
    }
    result_.grid.workload = text_of(split_.workload);
    result_.grid.channels = split_.channels;
    result_.grid.part_channels = sizes.part_channels;
    result_.grid.parts = sizes.parts;
    return {};
  }

  /// The first device takes parts from the front, the second from the back, where one may be short.
  int64_t channels_of(int parts, bool is_first) const {
    const PartitionGrid& grid = result_.grid;
    if (is_first) return std::min(parts * grid.part_channels, grid.channels);
    return grid.channels - (grid.parts - parts) * grid.part_channels;
  }

  Result<void> measure(const DeviceChoice& device, bool is_first, PartTimes& times) {
    times.device = device.name;
    times.schedules.resize(static_cast<size_t>(result_.grid.parts));
    OPBENCH_TRY(const auto neighbour, neighbour_of(device));
    for (int parts = 1; parts <= result_.grid.parts; ++parts) {
      OPBENCH_TRY(const Measurement time, measure_size(device, is_first, parts, times));
      times.times_ms.push_back(time.median_ms);
      times.errors_ms.push_back((time.high_ms - time.low_ms) / 2);
    }
    for (const int parts : slow_sizes(times.times_ms)) {
      OPBENCH_TRY(const Measurement time, measure_size(device, is_first, parts, times));
      const auto at = static_cast<size_t>(parts - 1);
      if (time.median_ms >= times.times_ms[at]) continue;
      times.times_ms[at] = time.median_ms;
      times.errors_ms[at] = (time.high_ms - time.low_ms) / 2;
    }
    warn_of_slow_sizes(times);
    return {};
  }

  Result<Measurement> measure_size(const DeviceChoice& device, bool is_first, int parts,
                                   PartTimes& times) {
    OPBENCH_TRY(const std::string text, part_text(split_, channels_of(parts, is_first)));
    OPBENCH_TRY(const ProfileResult profile, run_profile(request_for(device, text, parts)));
    if (request_.profile.cancel != nullptr && *request_.profile.cancel) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    const EngineResult& engine = profile.engines.front();
    const std::optional<Measurement> time = partition_session_time_of(engine);
    if (!time) {
      return Error{ErrorCode::kPartial, fmt::format("a part could not be timed on {}", device.name)}
          .with("workload", text)
          .with("reason", failure_of(engine));
    }
    times.target = profile.target;
    times.schedules.at(static_cast<size_t>(parts - 1)) =
        engine.units.empty() ? "" : engine.units.front().schedule;
    add_warnings(profile);
    return *time;
  }

  void warn_of_slow_sizes(const PartTimes& times) {
    for (const int parts : slow_sizes(times.times_ms)) {
      result_.warnings.push_back(fmt::format(
          "on {} {} part{} took longer than more parts, twice: the machine is disturbed, "
          "or the kernel does not suit so few channels",
          times.device, parts, parts == 1 ? "" : "s"));
    }
  }

  /// The whole operator's result is checked as the request says; parts of it are not.
  ProfileRequest request_for(const DeviceChoice& device, const std::string& text, int parts) const {
    ProfileRequest own = request_.profile;
    own.workload = text;
    own.engines = {package_engine().name};
    own.threads = {static_cast<int>(device.cpus.size())};
    own.cpus = device.cpus;
    own.target = device.target;
    own.budget_s = request_.profile.budget_s / result_.grid.parts;
    if (parts < result_.grid.parts) own.check_engine = "none";
    return own;
  }

  void add_warnings(const ProfileResult& profile) {
    for (const std::string& warning : profile.warnings) {
      const bool is_known = std::ranges::find(result_.warnings, warning) != result_.warnings.end();
      if (!is_known && !warning.starts_with("not checked")) result_.warnings.push_back(warning);
    }
  }

  /// A line there and back to end together, and the second device's half of the output.
  Result<void> set_join() {
    constexpr double kShare = 0.5;
    OPBENCH_TRY(const TransferCost cost, transfer_cost(request_.devices));
    result_.grid.join_ms = cost.latency_ms + kShare * split_.output_bytes * cost.ms_per_byte;
    result_.grid.join_source = cost.source + ", for half of the output";
    return {};
  }

  const PartitionRequest& request_;
  SplitWorkload split_;
  PartitionResult result_;
};

}  // namespace

std::vector<int> slow_sizes(const std::vector<double>& times_ms) {
  constexpr double kMore = 1.05;
  std::vector<int> sizes;
  double least = std::numeric_limits<double>::infinity();
  for (size_t i = times_ms.size(); i-- > 0;) {
    if (times_ms[i] > kMore * least) sizes.push_back(static_cast<int>(i + 1));
    least = std::min(least, times_ms[i]);
  }
  std::ranges::reverse(sizes);
  return sizes;
}

PartSizes part_sizes(int64_t channels, int lanes, int most_parts) {
  const int64_t most = static_cast<int64_t>(lanes) * most_parts;
  const int64_t part = lanes * std::max<int64_t>(1, (channels + most - 1) / most);
  return {part, static_cast<int>((channels + part - 1) / part)};
}

Result<PartitionResult> run_partition(const PartitionRequest& request) {
  return PartitionSession(request).run();
}

}  // namespace opbench
