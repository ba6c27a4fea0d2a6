#pragma once

#include <string>
#include <vector>

#include "measuring/results/profile_result.h"

namespace opbench {

/// A unit of one node, timed alone and in the model.
inline UnitResult page_unit(const std::string& node, const std::string& operators, double ms,
                            int64_t step) {
  UnitResult unit{.identity = {.operator_text = operators,
                               .nodes = {node},
                               .texts = {.shapes = "shapes of " + node}}};
  unit.occurrences = {
      {.nodes = {node}, .in_place_ms = ms, .in_place_error_ms = ms * 0.001, .step = step}};
  unit.time = Measurement{.median_ms = ms, .low_ms = ms * 0.998, .high_ms = ms * 1.002};
  unit.time->samples = {{.wall_s = ms / 1000}, {.wall_s = ms / 990, .process = 1}};
  unit.in_place_ms = unit.total_ms = ms;
  unit.flops = 1e6;
  unit.bytes = 1e5;
  unit.gflops_per_s = 1e-3 / ms * 1e3;
  unit.bound = "memory";
  unit.reproducer = "opbench op '" + operators + "'";
  return unit;
}

/// A model of three nodes in a row: a of 1 ms, b of 2 ms, c of 4 ms times `factor`.
inline ProfileResult page_profile(const std::string& run_id, double factor = 1) {
  ProfileResult result;
  result.run_id = run_id;
  result.model = "tiny";
  result.sha256 = "abcdef0123456789";
  result.source = "zoo";
  result.argv = {"build/bin/opbench", "profile", "tiny"};
  EngineResult run{.engine = "halide", .version = "0.1.0"};
  run.peak_gflops = 100;
  run.memory_gbytes_per_s = 20;
  run.units = {page_unit("c", "conv2d", 4 * factor, 2), page_unit("b", "relu", 2, 1),
               page_unit("a", "pool", 1, 0)};
  run.model.end_to_end = Measurement{.median_ms = 7.1, .low_ms = 7.05, .high_ms = 7.15};
  run.model.sum_in_place_ms = 7;
  run.model.dispatch_ms = 0.05;
  result.engines = {run};
  result.graph = {{"a", "MaxPool", {}}, {"b", "Relu", {"a"}}, {"c", "Conv", {"b"}}};
  return result;
}

/// How often a text occurs in another one.
inline size_t count_in(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace opbench
