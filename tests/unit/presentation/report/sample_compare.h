#pragma once

#include "measuring/results/compare_result.h"
#include "sample_profile.h"

namespace opbench {

inline CompareUnit compared(const std::string& name, double base_ms, std::optional<Ratio> ratio,
                            std::optional<Verdict> verdict) {
  CompareUnit unit;
  unit.identity = {.operator_text = name,
                   .nodes = {name + "_0"},
                   .texts = {.workload = name + " 1x64", .shapes = "64 -> 64"}};
  unit.base = measured(base_ms, 0.005);
  if (ratio) unit.candidate = measured(base_ms * ratio->median, 0.005);
  unit.ratio = ratio;
  unit.verdict = verdict;
  unit.reason = verdict ? "its interval and the margin" : "";
  unit.floor_percent = 0.4;
  unit.rounds = 40;
  unit.dropped_rounds = 2;
  return unit;
}

/// Every verdict, a unit without one, and a unit that failed.
inline Comparison sample_pair() {
  Comparison pair;
  CompareUnit conv = compared("conv2d+relu", 2.0, Ratio{1.061, 1.052, 1.07}, Verdict::kSlower);
  conv.count = 4;
  CompareUnit gemm = compared("gemm", 1.0, Ratio{0.5, 0.49, 0.51}, Verdict::kFaster);
  CompareUnit pool = compared("max_pool", 0.05, Ratio{0.9999, 0.995, 1.004}, Verdict::kSame);
  CompareUnit add = compared("add", 0.04, Ratio{1.01, 0.985, 1.032}, Verdict::kInconclusive);
  add.reason = "between -1.5 % and +3.2 %, the margin is 2 %";
  add.needs_s = 130;
  CompareUnit relu = compared("relu", 0.001, Ratio{1.3, 1.1, 1.5}, std::nullopt);
  relu.reason = "shorter than 20 empty calls of onnxruntime";
  CompareUnit broken = compared("softmax", 0.03, std::nullopt, std::nullopt);
  broken.reason = "failed on the new side: run_error: killed by signal 11 (SIGSEGV)";
  broken.floor_percent.reset();
  broken.has_failed = true;
  pair.units = {conv, gemm, pool, add, relu, broken};
  pair.model = compared("model", 10.2, Ratio{0.981, 0.977, 0.985}, Verdict::kFaster);
  pair.model.identity.texts.workload.clear();
  pair.differences = {"engine: halide, onednn", "software.libc: \"2.36\", null"};
  return pair;
}

inline ComparedVariant side_of(const std::string& engine) {
  ComparedVariant side{.label = engine, .engine = engine, .version = "1.0"};
  side.versions = {{engine, "1.0"}};
  side.threads = 2;
  side.cpus = {0, 1};
  side.check = {.engine = "onnxruntime", .max_relative_error = 2.5e-6, .passed = true};
  return side;
}

inline CompareResult sample_compare() {
  CompareResult result;
  result.run_id = "c1";
  result.timestamp = "2026-11-21T16:00:00Z";
  result.model = "tiny";
  result.source = "zoo";
  result.target = "llvm -mcpu=core-avx2";
  result.noise = {"quiet", "quiet machine: the reference kernel varies by 0.3 %", 0.8};
  result.sides = {side_of("halide"), side_of("onednn")};
  result.comparisons = {sample_pair()};
  result.argv = {"opbench", "compare", "tiny"};
  result.environment.machine = MachineFacts{.cpu_model = known<std::string>("A CPU"),
                                            .cores = known<int64_t>(2),
                                            .cpus = known<int64_t>(2)};
  return result;
}

/// Three sides, all pairs: onednn is the fastest at the model and at gemm; at conv2d onednn and
/// onnxruntime tie; at relu nothing is known.
inline CompareResult sample_of_three() {
  CompareResult result = sample_compare();
  result.sides.push_back(side_of("onnxruntime"));
  const Ratio faster{0.8, 0.79, 0.81};
  const Ratio slower{1.25, 1.2, 1.3};
  const Ratio same{1.001, 0.995, 1.006};
  const auto pair = [&](size_t base, size_t candidate, std::optional<Verdict> conv,
                        std::optional<Verdict> gemm) {
    const auto ratio = [&](std::optional<Verdict> verdict) {
      return verdict == Verdict::kFaster ? faster : verdict == Verdict::kSlower ? slower : same;
    };
    Comparison comparison{.base = base, .candidate = candidate};
    comparison.units = {compared("conv2d", 2, ratio(conv), conv),
                        compared("gemm", 1, ratio(gemm), gemm),
                        compared("relu", 0.1, same, Verdict::kInconclusive)};
    comparison.model = compared("model", 10, ratio(gemm), gemm);
    return comparison;
  };
  result.comparisons = {pair(0, 1, Verdict::kFaster, Verdict::kFaster),
                        pair(0, 2, Verdict::kFaster, Verdict::kSame),
                        pair(1, 2, Verdict::kSame, Verdict::kSlower)};
  return result;
}

}  // namespace opbench
