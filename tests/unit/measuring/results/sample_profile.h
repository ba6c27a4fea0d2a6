#pragma once

#include <utility>

#include "measuring/results/profile_result.h"

namespace opbench {

template <class T>
Known<T> known(T value) {
  return {.value = std::move(value), .is_there = true};
}

inline Measurement measured(double median_ms, double half_width) {
  Measurement time;
  time.median_ms = time.mean_ms = median_ms;
  time.low_ms = median_ms * (1 - half_width);
  time.high_ms = median_ms * (1 + half_width);
  time.min_ms = time.low_ms;
  time.q1_ms = time.q3_ms = median_ms;
  time.stop_reason = "precision";
  time.processes = 3;
  time.samples = {{.wall_s = median_ms / 1000}, {.wall_s = 1, .flag = "preempted"}};
  time.dropped = {{"preempted", 1}};
  return time;
}

/// A model of three units, one of which failed.
inline EngineResult sample_engine() {
  EngineResult engine{.engine = "halide", .version = "0.1.0", .threads = 1};
  engine.versions = {{"halide", "14.0.0"}};
  engine.cpus = {0};
  engine.call_floor_ms = 0.0008;
  engine.peak_gflops = 117.4;
  UnitResult conv;
  conv.identity = identity_from({.workload = "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu",
                                 .shapes = "64x56x56 k3 -> 64x56x56",
                                 .layouts = {16, 16}});
  conv.identity.nodes = {"a", "b"};
  conv.identity.schedule = "conv2d_direct";
  conv.count = 4;
  conv.time = measured(2.0, 0.005);
  conv.in_place_ms = 2.25;
  conv.total_ms = 9;
  conv.share = 0.9;
  conv.flops = 2.3e8;
  conv.gflops_per_s = 103.7;
  conv.percent_of_peak = 88.3;
  conv.gbytes_per_s = 1.6;
  conv.bound = "compute";
  conv.reproducer = "opbench op 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu'";
  UnitResult pool{.identity = {.operator_text = "max_pool",
                               .nodes = {"p"},
                               .texts = {.shapes = "64x112x112 k3 s2"}}};
  pool.time = measured(0.05, 0.02);
  pool.total_ms = 1;
  pool.share = 0.1;
  UnitResult broken{
      .identity = {.operator_text = "softmax", .nodes = {"s"}, .texts = {.shapes = "1x1000"}}};
  broken.failure = Failure{FailureKind::kRunError, "killed by signal 11 (SIGSEGV)"};
  engine.units = {conv, pool, broken};
  engine.model.end_to_end = measured(10.0, 0.003);
  engine.model.sum_in_place_ms = 9.9;
  engine.model.dispatch_ms = 0.05;
  engine.model.gap_percent = 0.5;
  engine.model.profiler_slowdown_percent = 1.2;
  engine.check = {.engine = "onnxruntime", .max_relative_error = 2.5e-6, .passed = true};
  return engine;
}

inline ProfileResult sample_profile() {
  ProfileResult result;
  result.run_id = "r1";
  result.timestamp = "2026-11-21T09:00:00Z";
  result.model = "tiny";
  result.source = "zoo";
  result.target = "llvm -mcpu=core-avx2";
  result.argv = {"opbench", "profile", "tiny"};
  result.inputs = {{"data", {1, 64, 56, 56}}};
  result.environment.machine = MachineFacts{
      .cpu_model = known<std::string>("A CPU"),
      .cores = known<int64_t>(2),
      .cpus = known<int64_t>(4),
      .caches = known<std::vector<CacheFacts>>({{.level = 1, .bytes = 32768},
                                                {.level = 1, .instruction = true, .bytes = 32768},
                                                {.level = 2, .bytes = 1048576}}),
      .memory_bytes = known<int64_t>(8589934592),
      .cpu_quota = {.is_there = true}};
  result.environment.state = StateFacts{.governor = known<std::string>("performance")};
  result.environment.software = SoftwareFacts{.kernel = known<std::string>("6.1")};
  result.noise = "quiet";
  result.engines = {sample_engine()};
  return result;
}

}  // namespace opbench
