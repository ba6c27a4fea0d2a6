#pragma once

#include "prediction/interference/interference_result.h"

namespace opbench {

inline MeasuredCorun measured_interference(double first, double second) {
  MeasuredCorun corun;
  corun.slowdowns = {Slowdown{first, {first - 0.02, first + 0.02}, 12},
                     Slowdown{second, {second - 0.02, second + 0.02}, 12}};
  corun.solo_ms = {1, 2};
  corun.kept = 12;
  corun.dropped = {{"preempted", 3}, {"late", 1}};
  return corun;
}

inline InterferenceResult sample_interference() {
  InterferenceResult result;
  result.timestamp = "2026-11-25T12:00:00Z";
  result.models = {"net"};
  result.target = "llvm";
  result.cpus = {0, 1};
  result.control = measured_interference(1.001, 0.999);
  result.units = {{.key = "A",
                   .subject = "net",
                   .identity = {.operator_text = "conv2d", .texts = {.shapes = "64x56x56"}},
                   .in_model_ms = 1.5,
                   .share = 0.5,
                   .alone_ms = 1.4},
                  {.key = "B",
                   .subject = "net",
                   .identity = {.operator_text = "a<b&c", .texts = {.shapes = "7"}},
                   .in_model_ms = 0.5,
                   .share = 0.25,
                   .alone_ms = 0.4}};
  result.levels = {{"16 MiB", 16 << 20, 1, true, measured_interference(1.4, 1.4)}};
  result.beside = {{measured_interference(1.2, 1.3)}, {measured_interference(1.0, 1.1)}};
  MeasuredCorun unknown;
  unknown.reason = "the budget ended before it";
  result.pairs = {
      {0, 0, measured_interference(1.12, 1.11), {}},
      {0, 1, measured_interference(1.31, 1.05), std::array{PairForecast{1.3}, PairForecast{1.0}}},
      {1, 1, unknown, {}}};
  result.errors = {{.method = "curve", .pairs = 2, .mean_error = 0.02, .hits = 1}};
  result.kept = 60;
  result.dropped = 20;
  result.disturbed_turns = 7;
  result.judged = 2;
  result.warnings = {"more rounds were dropped than kept"};
  return result;
}

}  // namespace opbench
