#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "kernel_harness.h"

// Spaces of AutoTVM's templates for GPUs, of small workloads.

namespace opbench {

/// A knob of a template: a split of `extent` in `parts` (the schedule's knobs are NAME_1, …, NAME),
/// or one of `options`.
struct GpuTemplateKnob {
  std::string name;
  int64_t extent = 1;
  int parts = 0;
  std::vector<int64_t> options = {};
};

struct GpuTemplateTask {
  const char* schedule;
  const char* workload;
  std::vector<GpuTemplateKnob> knobs;
};

inline int64_t random_divisor(Random& random, int64_t number) {
  std::vector<int64_t> divisors;
  for (int64_t i = 1; i <= number; ++i)
    if (number % i == 0) divisors.push_back(i);
  return divisors[static_cast<size_t>(random.below(divisors.size()))];
}

/// A point of the template's space: sizes of a split are divisors that divide its extent together.
inline Config random_point(Random& random, const GpuTemplateTask& task) {
  Config config;
  for (const GpuTemplateKnob& knob : task.knobs) {
    if (knob.parts == 0) {
      config[knob.name] = knob.options[static_cast<size_t>(random.below(knob.options.size()))];
      continue;
    }
    int64_t rest = knob.extent;
    std::vector<int64_t> sizes;
    for (int part = 1; part < knob.parts; ++part) {
      sizes.push_back(random_divisor(random, rest));
      rest /= sizes.back();
    }
    for (size_t i = sizes.size(); i > 1; --i)
      std::swap(sizes[i - 1], sizes[static_cast<size_t>(random.below(i))]);
    for (size_t i = 0; i < sizes.size(); ++i) {
      const bool is_last = i + 1 == sizes.size();
      config[is_last ? knob.name : knob.name + "_" + std::to_string(i + 1)] = sizes[i];
    }
  }
  return config;
}

/// The first of the random points that the device can run.
inline KernelSpec valid_point(Random& random, const GpuTemplateTask& task,
                              const std::string& target = "opencl") {
  auto spec = kernel_spec(task.workload, target, task.schedule, false);
  if (!spec) {
    ADD_FAILURE() << to_text(spec.error());
    return {};
  }
  do {
    spec->config = random_point(random, task);
  } while (!check_spec(*spec));
  return *spec;
}

inline const std::vector<int64_t> kUnrollSteps = {0, 512, 1500};

inline GpuTemplateTask large_dense_task() {
  return {"dense_large_batch_gpu",
          "dense 64x48 w:96x48 w:96 transB=1; relu",
          {{"tile_x", 64, 4}, {"tile_y", 96, 4}, {"tile_k", 48, 3}}};
}

inline std::vector<GpuTemplateTask> convolution_tasks() {
  const auto knobs = [](int64_t f, int64_t y, int64_t x, int64_t c, int64_t ky, int64_t kx) {
    return std::vector<GpuTemplateKnob>{{"tile_f", f, 4},
                                        {"tile_y", y, 4},
                                        {"tile_x", x, 4},
                                        {"tile_rc", c, 2},
                                        {"tile_ry", ky, 2},
                                        {"tile_rx", kx, 2},
                                        {"auto_unroll_max_step", 0, 0, kUnrollSteps},
                                        {"unroll_explicit", 0, 0, {0, 1}}};
  };
  return {
      {"conv2d_nchw_cuda", "conv2d 1x16x14x14 w:24x16x3x3 w:24 pads=1,1,1,1; relu",
       knobs(24, 14, 14, 16, 3, 3)},
      {"conv2d_nchw_cuda", "conv2d 2x12x15x13 w:8x12x1x1 strides=2,2", knobs(8, 8, 7, 12, 1, 1)},
      {"conv2d_nchw_cuda", "conv2d 1x3x20x18 w:16x3x5x3 pads=2,2,1,0 strides=2,1 dilations=1,2",
       knobs(16, 10, 16, 3, 5, 3)}};
}

inline GpuTemplateTask depthwise_task() {
  return {"depthwise_conv2d_nchw_cuda",
          "conv2d 1x24x14x14 w:24x1x3x3 w:24 group=24 pads=1,1,1,1; relu",
          {{"tile_f", 24, 4},
           {"tile_y", 14, 4},
           {"tile_x", 14, 4},
           {"auto_unroll_max_step", 0, 0, {0, 256, 1500}},
           {"unroll_explicit", 0, 0, {0, 1}}}};
}

inline GpuTemplateTask batch_matmul_task() {
  return {"batch_matmul_cuda",
          "matmul 3x32x40 3x40x24; relu",
          {{"tile_y", 32, 3},
           {"tile_x", 24, 3},
           {"tile_k", 40, 2},
           {"auto_unroll_max_step", 0, 0, {8, 16, 32, 64}},
           {"unroll_explicit", 0, 0, {0, 1}}}};
}

}  // namespace opbench
