#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "records/record/profile_records.h"

namespace opbench {

/// What an environment may hold.
inline constexpr const char* kRecordedEnvironment = R"({
  "machine": {"cpu_model": "Xeon 5", "memory_bytes": 8000000000, "system_product": null},
  "state": {"governor": null, "governor_reason": "no frequency control"},
  "software": {"distribution": "Debian 12", "container_digest": null,
               "container_digest_reason": "not in a container"},
  "machine_hash": "m1", "software_hash": "s1"})";

inline Measurement measurement(double median) {
  Measurement time;
  time.median_ms = time.mean_ms = median;
  time.low_ms = median * 0.99;
  time.high_ms = median * 1.01;
  time.min_ms = median * 0.98;
  time.std_ms = 0.1;
  time.effective_n = 3;
  time.number = 4;
  time.processes = 1;
  time.stop_reason = "precision";
  time.dropped = {{"preempted", 1}};
  for (int i = 0; i < 4; ++i) {
    Sample sample;
    sample.wall_s = median * 1e-3;
    sample.cpu_s = median * 1e-3;
    if (i == 0) {
      sample.flag = "preempted";
      sample.involuntary_switches = 2;
    }
    time.samples.push_back(sample);
  }
  return time;
}

/// A model of two units, one of which failed.
inline ProfileResult profile() {
  ProfileResult result;
  result.run_id = "r1";
  result.timestamp = "2026-11-21T09:00:00Z";
  result.model = "resnet-18";
  result.source = "zoo";
  result.sha256 = "abc";
  result.target = "llvm -mcpu=core-avx2";
  result.seed = 7;
  result.argv = {"opbench", "profile", "resnet-18", "--label", "a=b c"};
  result.labels = {{"a", "b c"}};
  result.metrics = {{"accuracy", 0.7}};
  result.inputs = {{"data", {1, 3, 224, 224}}};
  result.environment = environment_from(Json::parse(kRecordedEnvironment));
  EngineResult engine;
  engine.engine = "halide";
  engine.version = "0.1.0";
  engine.versions = {{"halide", "14.0.0"}};
  engine.threads = 2;
  engine.cpus = {0, 1};
  engine.check = {
      .engine = "onnxruntime", .max_relative_error = 1e-6, .passed = true, .reason = ""};
  UnitResult good;
  good.identity.operator_text = "conv2d+relu";
  good.identity.nodes = {"n1", "n2"};
  good.identity.schedule = "conv2d_direct";
  good.identity.texts = {
      .workload = "conv2d 1x3x224x224 w:64x3x7x7; relu", .shapes = "", .layouts = {0, 16}};
  good.count = 2;
  good.time = measurement(3);
  good.in_place_ms = 3.1;
  good.reproducer = "opbench op 'conv2d …'";
  UnitResult bad = good;
  bad.identity.texts.workload.clear();
  bad.identity.texts.shapes = "1x3";
  bad.time.reset();
  bad.in_place_ms.reset();
  bad.failure = Failure{FailureKind::kRunTimeout, "no reply within 5 s"};
  engine.units = {good, bad};
  engine.model.end_to_end = measurement(20);
  engine.model.gap_percent = 0.5;
  result.engines = {engine};
  return result;
}

inline std::vector<BenchmarkRecord> records() { return records_of(profile()).value(); }

}  // namespace opbench
