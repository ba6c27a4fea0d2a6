// How long segments take side by side: predictors on pairs of segments that they have not seen,
// half of which are bound by memory on both sides.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/numbers/random.h"
#include "benchmarks/together/part.h"
#include "experiments/interference/interference_session.h"
#include "experiments/unit_times/measured_pairs.h"
#include "machine/ceilings/ceilings.h"
#include "machine/resources/pinning.h"
#include "prediction/costs/roofline.h"
#include "prediction/interference/interference_file.h"
#include "presentation/report/interference/interference_report.h"

namespace opbench {
namespace {

constexpr double kTogetherSegmentPairsMostError = 8;  // percent
constexpr double kTimesFloor = 1.5;
const char* const kTogetherSegmentPairsOurs = "trees";

/// Bound by memory: some streams larger than last caches are, some that one holds and two do not;
/// then what computing bounds, or a core's own cache holds.
const std::vector<std::string> kWorkloads = {
    "relu 4096x4096",
    "add 4096x3072 4096x3072",
    "mul 3000x5000 3000x5000",
    "matmul 1x4096 w:4096x6144",
    "matmul 1x1x4096 1x4096x5120",
    "lstm 4x1x1024 w:1x8192x1024 w:1x8192x2048",
    "relu 1536x1536",
    "add 1024x1280 1024x1280",
    "matmul 1x2048 w:2048x2560",
    "dense 1x4096 w:4096x1024",
    "global_average_pool 1x64x256x320",
    "conv2d 1x64x56x56 w:64x64x3x3",
    "conv2d 1x256x14x14 w:256x256x3x3",
    "matmul 384x512 w:512x512",
    "gelu 256x1024",
    "softmax 512x512",
    "tanh 512x512",
};

Result<std::string> measured_report(double budget_s) {
  InterferenceRequest request;
  request.run.measure.check_engine = "none";
  request.run.measure.budget_s = budget_s;
  request.units = 1;  // of each, without changes of layout
  for (const std::string& workload : kWorkloads) request.subjects.push_back({.workload = workload});
  Report::progress(fmt::format("segment pairs: {:.0f} s side by side", budget_s));
  OPBENCH_TRY(const InterferenceResult result, run_interference(request));
  return interference_json(result).dump();
}

/// By the roofline of one thread, from memory that CPUs share.
bool is_memory_bound(const GroupPart& part, const Ceilings& ceilings) {
  const RooflineTime roofline =
      roofline_time(part.flops, part.bytes, part.resident_bytes, ceilings, 1);
  const std::string& level = ceilings.bandwidth.at(static_cast<size_t>(roofline.level)).level;
  return (level == "L3" || level == "DRAM") && roofline.memory_s > roofline.compute_s;
}

/// All pairs that memory bounds on both sides, and as many of the others, drawn.
std::vector<GroupSample> halves(const std::vector<GroupSample>& pairs, const Ceilings& ceilings) {
  std::vector<GroupSample> bound, others, drawn;
  for (const GroupSample& pair : pairs) {
    const bool is_bound = std::ranges::all_of(
        pair.parts, [&](const GroupPart& part) { return is_memory_bound(part, ceilings); });
    (is_bound ? bound : others).push_back(pair);
  }
  const std::vector<size_t> order = Random(0, "other pairs").shuffled(others.size());
  const size_t count = std::min(bound.size(), others.size());
  drawn.assign(bound.begin(), bound.begin() + static_cast<std::ptrdiff_t>(count));
  for (size_t i = 0; i < count; ++i) drawn.push_back(others[order[i]]);
  return drawn;
}

void add_judgement(const GroupJudgement& judgement, Report& report) {
  for (const GroupErrors& one : judgement.errors) {
    report.note(fmt::format(
        "{}: mean error {:.1f} %, median {:.1f} %, worst {:.1f} %; on {} pairs where max is off by "
        "more than twice the noise {:.1f} %",
        one.method, one.mean_error * 100, one.median_error * 100, one.worst_error * 100,
        one.slowed_groups, one.slowed_error * 100));
  }
  const auto of = [&](const std::string& method) {
    return *std::ranges::find(judgement.errors, method, &GroupErrors::method);
  };
  const GroupErrors ours = of(kTogetherSegmentPairsOurs), longest = of("max");
  const double bar =
      std::max(kTogetherSegmentPairsMostError, kTimesFloor * judgement.noise_floor * 100);
  report.add({fmt::format("together segment pairs: mean error of {} on unseen segments, percent",
                          kTogetherSegmentPairsOurs),
              ours.mean_error * 100, bar});
  if (ours.slowed_groups == 0) return;
  report.add({fmt::format("together segment pairs: error of {} over that of max, where max errs",
                          kTogetherSegmentPairsOurs),
              ours.slowed_error / longest.slowed_error, 1});
}

Result<void> run_together_segment_pairs(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const double budget_s, arguments.positive("--pairs-budget"));
  const std::string file = arguments.value("--pairs");
  OPBENCH_TRY(const std::string text, file.empty() ? measured_report(budget_s) : read_file(file));
  OPBENCH_TRY(const MeasuredPairs pairs,
              parse_measured_pairs(text, file.empty() ? "the pairs" : file));
  OPBENCH_TRY(const Topology topology, this_topology());
  OPBENCH_TRY(const Ceilings ceilings, measure_ceilings(current_affinity(), topology));
  if (ceilings.bandwidth.empty()) return Error{ErrorCode::kEnvironment, "no memory was measured"};
  const std::vector<GroupSample> drawn = halves(pairs.groups, ceilings);
  if (drawn.empty()) return Error{ErrorCode::kPartial, "no pair is bound by memory"};
  OPBENCH_TRY(const GroupJudgement judgement, judge_on_unseen_segments(drawn, pairs.bytes_per_ms));
  report.note(
      fmt::format("{} of {} pairs, half of them bound by memory on both sides; {} pairs "
                  "had no undisturbed rounds; noise floor {:.1f} %",
                  drawn.size(), pairs.groups.size(), pairs.left_out, judgement.noise_floor * 100));
  add_judgement(judgement, report);
  return {};
}

}  // namespace

TogetherPart segment_pairs_part() {
  return {.name = "segment-pairs",
          .summary = "how long segments take side by side: predictors on unseen segments",
          .run = run_together_segment_pairs};
}

}  // namespace opbench
