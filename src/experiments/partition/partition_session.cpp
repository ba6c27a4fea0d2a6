#include "experiments/partition/partition_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "experiments/devices/transfer_cost.h"
#include "experiments/partition/part_timer.h"
#include "experiments/partition/split_workload.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

class PartitionSession {
 public:
  explicit PartitionSession(const PartitionRequest& request)
      : request_(request), timer_(request.run, request.devices) {}

  Result<PartitionResult> run() {
    OPBENCH_CHECK(choose_sizes());
    OPBENCH_CHECK(prepare());
    OPBENCH_CHECK(measure());
    OPBENCH_CHECK(set_join());
    OPBENCH_TRY(result_.study, study_partition(result_.grid, request_.study));
    return std::move(result_);
  }

  Result<std::vector<ProfileRequest>> prepared_requests() {
    OPBENCH_CHECK(choose_sizes());
    std::vector<ProfileRequest> requests;
    for (size_t device = 0; device < kDevices; ++device) {
      for (int parts = 1; parts <= result_.grid.parts; ++parts) {
        OPBENCH_TRY(const std::string text, part_text(split_, channels_of(parts, device == 0)));
        requests.push_back(part_request(request_.run, request_.devices[device], text,
                                        parts == result_.grid.parts));
      }
    }
    return requests;
  }

 private:
  Result<void> choose_sizes() {
    OPBENCH_CHECK(check_devices());
    OPBENCH_TRY(split_, parse_split_workload(request_.run.model.workload));
    return make_sizes();
  }

  Result<void> check_devices() {
    if (request_.devices.size() != 2) {
      return invalid_input(fmt::format("an operator is split on two devices, not {}",
                                       request_.devices.size()))
          .with("usage", "--devices cpu0,cpu1:avx2");
    }
    for (const DeviceChoice& device : request_.devices) {
      if (!device.device.empty()) {
        return invalid_input(
                   fmt::format("device \"{}\" is no CPU: operators are split on CPUs", device.name))
            .with("valid", "cpu0, cpu0+cpu1, cpu1:avx2");
      }
      if (!device.is_table()) continue;
      return invalid_input(
                 fmt::format("device \"{}\" is a table: parts are measured here", device.name))
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
      return invalid_input(
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

  PartTimes& times_of(size_t device) {
    return device == 0 ? result_.grid.first : result_.grid.second;
  }

  /// All sizes on both devices, and the whole operator on the first once more. The whole operator's
  /// result is checked as the request says; those of parts are not.
  Result<void> prepare() {
    for (size_t device = 0; device < kDevices; ++device) {
      PartTimes& times = times_of(device);
      times.device = request_.devices[device].name;
      for (int parts = 1; parts <= result_.grid.parts; ++parts) {
        OPBENCH_TRY(const std::string text, part_text(split_, channels_of(parts, device == 0)));
        OPBENCH_TRY(const size_t number, timer_.add(device, text, parts == result_.grid.parts));
        numbers_[device].push_back(number);
        times.target = timer_.target_of(number);
        times.schedules.push_back(timer_.schedule_of(number));
      }
    }
    control_ = timer_.add_again(numbers_[0].back());
    OPBENCH_CHECK(timer_.start());
    for (const std::string& warning : timer_.warnings()) result_.warnings.push_back(warning);
    result_.grid.noise = timer_.noise();
    return {};
  }

  Result<void> measure() {
    std::vector<size_t> all = numbers_[0];
    all.insert(all.end(), numbers_[1].begin(), numbers_[1].end());
    all.push_back(control_);
    const double budget_s = kDevices * request_.run.measure.budget_s;
    OPBENCH_TRY(const std::vector<Measurement> found, timer_.measure(all, Seconds(budget_s)));
    for (size_t i = 0; i + 1 < all.size(); ++i) {
      PartTimes& times = times_of(i < numbers_[0].size() ? 0 : 1);
      times.times_ms.push_back(found[i].median_ms);
      times.errors_ms.push_back((found[i].high_ms - found[i].low_ms) / 2);
    }
    const PartTimes& first = result_.grid.first;
    result_.grid.control =
        ratio_of_times(found.back().median_ms, (found.back().high_ms - found.back().low_ms) / 2,
                       first.times_ms.back(), first.errors_ms.back());
    OPBENCH_CHECK(measure_slow_sizes(budget_s / static_cast<double>(all.size())));
    for (size_t device = 0; device < kDevices; ++device) warn_of_slow_sizes(times_of(device));
    return {};
  }

  /// Once more, and the shorter time counts.
  Result<void> measure_slow_sizes(double budget_s) {
    std::vector<size_t> slow;
    std::vector<std::pair<size_t, size_t>> places;  // device and size
    for (size_t device = 0; device < kDevices; ++device) {
      for (const int parts : slow_sizes(times_of(device).times_ms)) {
        const auto at = static_cast<size_t>(parts - 1);
        slow.push_back(numbers_[device][at]);
        places.emplace_back(device, at);
      }
    }
    if (slow.empty()) return {};
    const Seconds budget(budget_s * static_cast<double>(slow.size()));
    OPBENCH_TRY(const std::vector<Measurement> found, timer_.measure(slow, budget));
    for (size_t i = 0; i < slow.size(); ++i) {
      PartTimes& times = times_of(places[i].first);
      const size_t at = places[i].second;
      if (found[i].median_ms >= times.times_ms[at]) continue;
      times.times_ms[at] = found[i].median_ms;
      times.errors_ms[at] = (found[i].high_ms - found[i].low_ms) / 2;
    }
    return {};
  }

  void warn_of_slow_sizes(const PartTimes& times) {
    for (const int parts : slow_sizes(times.times_ms)) {
      result_.warnings.push_back(fmt::format(
          "on {} {} part{} took longer than more parts, twice: the machine is disturbed, "
          "or the kernel does not suit so few channels",
          times.device, parts, parts == 1 ? "" : "s"));
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

  static constexpr size_t kDevices = 2;

  const PartitionRequest& request_;
  PartTimer timer_;
  std::array<std::vector<size_t>, kDevices> numbers_;  ///< of the timer, by device and size
  size_t control_ = 0;
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

Result<std::vector<ProfileRequest>> prepared_requests(const PartitionRequest& request) {
  return PartitionSession(request).prepared_requests();
}

Result<PartitionResult> run_partition(const PartitionRequest& request) {
  return PartitionSession(request).run();
}

}  // namespace opbench
