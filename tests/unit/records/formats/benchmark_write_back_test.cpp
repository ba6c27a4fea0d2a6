#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "records/formats/benchmark/benchmark_v01.h"

namespace opbench {
namespace {

/// For comparisons in which neither the order of keys counts nor how a number is written.
nlohmann::json benchmark_write_back_by_value(const Json& json) { return json; }

DecodedBenchmark decode_benchmark_write_back(const Json& json) {
  return decode_benchmark(json.dump());
}

/// Records of either form, all fields at random.
class BenchmarkWriteBackMaker {
 public:
  explicit BenchmarkWriteBackMaker(uint64_t seed) : random_(seed) {}

  Json any() {
    const std::vector<Json> values = {nullptr,
                                      true,
                                      7,
                                      -2.5,
                                      "text",
                                      "é\"",
                                      Json::array({1, "a"}),
                                      Json::object(),
                                      Json::parse(R"({"a": {"b": [null]}})")};
    return values[random_.below(values.size())];
  }

  Json object(std::initializer_list<const char*> keys) {
    Json result = Json::object();
    for (const char* key : keys) {
      if (random_.below(2) == 0) result[key] = any();
    }
    return result;
  }

  double time() { return 0.001 + 100 * random_.uniform(); }

  /// Fields that both forms have, in the order of neither.
  Json shared() {
    Json record = {{"workload", "ai.onnx.m" + std::to_string(random_.below(9))}};
    maybe(record, "workload_args", [&] {
      Json args = object({"batch", "data_layouts"});
      if (random_.below(2) == 0) args["input_shape_dict"] = Json::parse(R"({"x": [1, 2]})");
      return args;
    });
    maybe(record, "engine_version", [] { return "1.0.5"; });
    maybe(record, "execution_config", [] { return Json{{"number", 1}, {"repeat", 10}}; });
    maybe(record, "my_own_key", [&] { return any(); });
    return record;
  }

  Json form_d() {
    Json record = shared();
    record["schema_version"] = "0.1";
    record["engine"] = random_.below(2) == 0 ? "tvm" : "onnxruntime";
    record["hardware"] = "gcp";
    record["timestamp"] = random_.below(2) == 0 ? Json("20191123003411") : Json(1572282699.625);
    record["runtime_ms_mean"] = time();
    maybe(record, "runtime_ms_std", [&] { return time(); });
    maybe(record, "metadata", [&] {
      Json metadata = object({"docker_tag", "x"});
      metadata["docker_hash"] = "h";
      return metadata;
    });
    maybe(record, "workload_metadata", [&] { return object({"class", "opset"}); });
    maybe(record, "engine_config", [&] {
      Json config = object({"llvm", "nvcc"});
      if (random_.below(3) == 0) config["tvm_target"] = "llvm -mcpu=cascadelake";
      return config;
    });
    maybe(record, "compilation_config", [&] {
      const std::vector<const char*> names = {"opt_level", "relay_opt_level", "relay_opt_lvl"};
      Json config = object({"layer_schedules"});
      config[names[random_.below(3)]] = 2;
      return config;
    });
    if (!record.contains("compilation_config") && record.contains("engine_config")) {
      record["engine_config"]["relay_opt_level"] = 2;
    }
    maybe(record, "software_config", [&] { return object({"os", "pip", "cudnn"}); });
    maybe(record, "runtime_config", [] { return Json{{"num_cpu_threads", 3}}; });
    maybe(record, "hardware_config", [&] { return object({"cpu_count", "memory_GB"}); });
    maybe(record, "metrics", [&] {
      return random_.below(2) == 0 ? Json{{"accuracy", 48.5}}
                                   : Json{{"accuracy", 48.5}, {"note", "n"}, {"none", nullptr}};
    });
    maybe(record, "runtime_raw", [&] {
      Json raw = Json::array();
      for (uint64_t i = random_.below(4); i > 0; --i) {
        raw.push_back({{"runtime_ms", time()}});
        if (random_.below(3) == 0) raw.back()["cpu"] = 1;
      }
      return raw;
    });
    return record;
  }

  Json form_b() {
    Json record = shared();
    record["schema_version"] = 0.1;
    record["engine"] = random_.below(2) == 0 ? "tvm" : "onnx-runtime";
    record["env_name"] = "rapi3b";
    record["timestamp"] = 1572282699.625;
    record["execution_elapsed_ms_mean"] = time();
    maybe(record, "execution_elapsed_ms_std", [&] { return time(); });
    maybe(record, "additional_info", [&] {
      return object({"docker_tag", "code_size", "device_memory_usage", "build_start"});
    });
    maybe(record, "engine_config", [&] { return object({"llvm", "accelerator"}); });
    maybe(record, "target", [] { return "llvm -mcpu=skylake-avx512"; });
    maybe(record, "build_config", [&] { return object({"opt_level", "layer_schedules"}); });
    maybe(record, "hw_model", [] { return "bcm2837"; });
    maybe(record, "runtime_config", [&] {
      Json config = object({"cudnn", "cuda_driver", "os"});
      config["num_cpu_threads"] = 2;
      return config;
    });
    return record;
  }

 private:
  void maybe(Json& record, const char* key, const auto& make) {
    if (random_.below(3) != 0) record[key] = make();
  }

  Random random_;
};

TEST(BenchmarkWriteBack, WritesEveryFieldOfFormDBack) {
  BenchmarkWriteBackMaker maker(11);
  for (int i = 0; i < 2000; ++i) {
    const Json old = maker.form_d();
    const DecodedBenchmark decoded = decode_benchmark_write_back(old);
    ASSERT_TRUE(decoded.record) << decoded.issues.front().message << "\n" << old.dump();
    const Json back = downgrade_benchmark(*decoded.record, BenchmarkForm::kD).value();
    ASSERT_EQ(benchmark_write_back_by_value(back), benchmark_write_back_by_value(old))
        << to_line(*decoded.record);
  }
}

TEST(BenchmarkWriteBack, WritesEveryFieldOfFormBBack) {
  BenchmarkWriteBackMaker maker(12);
  for (int i = 0; i < 2000; ++i) {
    const Json old = maker.form_b();
    const DecodedBenchmark decoded = decode_benchmark_write_back(old);
    ASSERT_TRUE(decoded.record) << decoded.issues.front().message << "\n" << old.dump();
    const Json back = downgrade_benchmark(*decoded.record, BenchmarkForm::kB).value();
    ASSERT_EQ(benchmark_write_back_by_value(back), benchmark_write_back_by_value(old))
        << to_line(*decoded.record);
  }
}

TEST(BenchmarkWriteBack, KeepsWhatTheOtherFormHasANameFor) {
  BenchmarkWriteBackMaker maker(13);
  for (int i = 0; i < 500; ++i) {
    const BenchmarkRecord record = *decode_benchmark_write_back(maker.form_b()).record;
    const Json d = downgrade_benchmark(record, BenchmarkForm::kD).value();
    const BenchmarkRecord again = *decode_benchmark_write_back(d).record;
    EXPECT_EQ(again.workload, record.workload);
    EXPECT_EQ(again.engine, record.engine);
    EXPECT_EQ(again.hardware, record.hardware);
    EXPECT_EQ(again.target, record.target);
    EXPECT_EQ(again.timestamp, record.timestamp);
    EXPECT_EQ(again.runtime_ms_mean, record.runtime_ms_mean);
    EXPECT_EQ(again.runtime_ms_std, record.runtime_ms_std);
    EXPECT_EQ(again.metadata, record.metadata);
    EXPECT_EQ(again.metrics, record.metrics);
    EXPECT_EQ(again.software_config, record.software_config);
    EXPECT_EQ(again.runtime_config, record.runtime_config);
    EXPECT_EQ(again.compilation_config, record.compilation_config);
    EXPECT_EQ(again.inputs, record.inputs);
    EXPECT_EQ(again.extras, record.extras);
  }
}

}  // namespace
}  // namespace opbench
