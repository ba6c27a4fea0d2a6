#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/why/injection.h"
#include "engines/package/layout_plan.h"
#include "machine/target/target.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

class Cases {
 public:
  explicit Cases(double budget_s) : budget_s_(budget_s) {}

  ProfileRequest run(const std::string& workload, int threads = 1) const {
    ProfileRequest request;
    request.model.workload = text_of(parse_workload(workload).value());
    request.threads = {threads};
    request.measure.budget_s = budget_s_;
    request.measure.check_engine = "none";
    return request;
  }

  /// With these knobs of the kernel by this schedule, the others by default.
  static ProfileRequest with_knobs(ProfileRequest request, const std::string& schedule,
                                   Config config) {
    KernelChoice choice;
    choice.workload = request.model.workload;
    choice.blocks = blocks_alone(parse_workload(choice.workload).value(), host_target());
    choice.schedule = schedule;
    choice.config = std::move(config);
    choice.origin = "bench why";
    request.settings.kernels = {choice};
    return request;
  }

  static ProfileRequest with_cache(ProfileRequest request, CacheMode cache) {
    request.measure.cache = cache;
    return request;
  }

  static ProfileRequest with_target(ProfileRequest request, const std::string& target) {
    request.settings.target = target;
    return request;
  }

  static ProfileRequest with_layouts(ProfileRequest request, std::vector<int> layouts) {
    request.model.layouts = std::move(layouts);
    return request;
  }

 private:
  double budget_s_;
};

constexpr const char* kInjectedConvolution = "conv2d 1x64x28x28 w:64x64x3x3 pads=1,1,1,1; relu";

// As many columns as a tile of four vectors has: one panel, so that tasks are rows alone.
std::string product(int rows) {
  const int columns = 4 * std::max(float_lanes(host_target()), 1);
  return fmt::format("matmul {}x512 512x{}", rows, columns);
}

void add_kernels(const Cases& cases, std::vector<Injection>& list) {
  list.push_back({.cause = "padding taps computed",
                  .with = cases.run("conv2d 1x32x5x5x5 w:32x32x3x3x3 pads=1,1,1,1,1,1"),
                  .without = cases.run("conv2d 1x32x7x7x7 w:32x32x3x3x3")});
  const Config even = {{"vectors", 4}, {"rows", 4}, {"row_tasks", 4}};
  Config uneven = even, alone = even;
  uneven["row_tasks"] = 3;
  alone["row_tasks"] = 1;
  const ProfileRequest two = cases.run(product(192), 2);
  list.push_back({.cause = "uneven threads",
                  .with = Cases::with_knobs(two, "matmul", uneven),
                  .without = Cases::with_knobs(two, "matmul", even)});
  list.push_back({.cause = "missing threads",
                  .with = Cases::with_knobs(two, "matmul", alone),
                  .without = Cases::with_knobs(two, "matmul", even)});
  // More sums than any x86 CPU has registers for, beside what a step loads.
  const bool is_wide = float_lanes(host_target()) == 16;
  const Config spilled = is_wide ? Config{{"vectors", 5}, {"rows", 6}, {"row_tasks", 1}}
                                 : Config{{"vectors", 2}, {"rows", 7}, {"row_tasks", 1}};
  const Config fitting = {{"vectors", 2}, {"rows", 4}, {"row_tasks", 1}};
  const ProfileRequest large = cases.run("matmul 240x512 512x480");
  list.push_back({.cause = "spilled registers",
                  .with = Cases::with_knobs(large, "matmul", spilled),
                  .without = Cases::with_knobs(large, "matmul", fitting)});
  const Config rows = {{"vectors", 2}, {"rows", 6}, {"row_tasks", 1}};
  list.push_back({.cause = "tiles with a large remainder",
                  .with = Cases::with_knobs(cases.run(product(7)), "matmul", rows),
                  .without = Cases::with_knobs(cases.run(product(12)), "matmul", rows)});
}

}  // namespace

std::vector<Injection> injections(double budget_s) {
  const Cases cases(budget_s);
  std::vector<Injection> list;
  add_kernels(cases, list);
  const int block = float_lanes(host_target());
  list.push_back({.cause = "weights streamed from memory",
                  .with = cases.run("dense 1x4096 w:16384x4096 w:16384 transB=1"),
                  .without = cases.run("dense 1x512 w:512x512 w:512 transB=1")});
  list.push_back(
      {.cause = "smaller ISA",
       .with = Cases::with_target(cases.run(kInjectedConvolution),
                                  block == 16 ? "llvm -mcpu=core-avx2" : "llvm -mcpu=nehalem"),
       .without = cases.run(kInjectedConvolution)});
  list.push_back({.cause = "layout conversion",
                  .with = cases.run(kInjectedConvolution),
                  .without = Cases::with_layouts(cases.run(kInjectedConvolution), {block, block}),
                  .explains_layout = true});
  const ProfileRequest dense = cases.run("dense 1x1024 w:1024x1024 w:1024 transB=1");
  list.push_back({.cause = "cold caches",
                  .with = Cases::with_cache(dense, CacheMode::kColdAll),
                  .without = dense});
  list.push_back({.cause = "dispatch",
                  .with = cases.run("relu 1x16"),
                  .without = cases.run("relu 1x64x56x56")});
  list.push_back({.cause = "bound by a memory level",
                  .with = cases.run("add 1x16777216 1x16777216"),
                  .without = cases.run(kInjectedConvolution)});
  list.push_back({.cause = "no kernel",
                  .with = cases.run("cum_sum 256x4096 =1:int64"),
                  .without = cases.run("softmax 64x1000")});
  list.push_back(
      {.cause = "loop not vectorised",
       .with = Cases::with_knobs(cases.run("dense 4x512 w:128x512 transB=1"), "dense_nopack_x86",
                                 {{"tile_y", 4}, {"tile_x", 1}, {"tile_k", 1}}),
       .without = cases.run("dense 4x512 w:128x512 transB=1")});
  return list;
}

}  // namespace opbench
