#include "presentation/cli/waits/sweep_waits.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace opbench {
namespace {

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

/// The run that measures all points of a group; nothing where its values fit no operands.
std::optional<ProfileRequest> group_request(const SweepPlan& plan, const SweepGroup& group) {
  Result<ProfileRequest> request = plan.request(group.points.front());
  if (!request) return {};
  request->engines.clear();
  request->threads.clear();
  for (const size_t index : group.points) {
    const SweepPoint point = plan.point(index);
    add_once(request->engines, point.engine);
    add_once(request->threads, point.threads);
  }
  return std::move(*request);
}

}  // namespace

WaitNotice sweep_waits(const std::string& command, const SweepPlan& plan, size_t points,
                       ProgressLine& progress) {
  constexpr size_t kMostRead = 16;  // groups, which stand for all: a sweep may have thousands
  constexpr int kProcesses = 3;
  const std::vector<SweepGroup> groups = plan.groups();
  const size_t step = (groups.size() + kMostRead - 1) / kMostRead;
  std::vector<ProfileRequest> requests;
  size_t points_read = 0;
  for (size_t i = 0; i < groups.size(); i += step) {
    const auto request = group_request(plan, groups[i]);
    if (!request) continue;
    requests.push_back(*request);
    points_read += groups[i].points.size();
  }
  const double times =
      static_cast<double>(points) / static_cast<double>(std::max<size_t>(points_read, 1));
  PreparationEstimate estimate = estimate_preparation(command, requests, kProcesses, times);
  estimate.kernels =
      static_cast<size_t>(std::llround(static_cast<double>(estimate.kernels) * times));
  const ProfileRequest& base = plan.base();
  return {progress, estimate,
          base.measure.runs > 0 ? 0 : static_cast<double>(points) * base.measure.budget_s};
}

}  // namespace opbench
