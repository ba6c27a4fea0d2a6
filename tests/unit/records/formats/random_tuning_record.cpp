#include "random_tuning_record.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace opbench {
namespace {

class RandomTuningRecordMaker {
 public:
  explicit RandomTuningRecordMaker(Random& random) : random_(random) {}

  TuningRecord make() {
    TuningRecord record;
    record.target = pick({"llvm -mcpu=core-avx2", "cuda -model=1080ti", "opencl -device=mali", "",
                          "ext_dev -keys=cpu", "{\"kind\": \"llvm\"}"});
    if (record.target.empty()) record.target = "llvm";
    record.task = pick({"dense_nopack.x86", "conv2d_NCHWc.x86", "ansor:abc", "é\"\n"});
    for (uint64_t i = random_.below(5); i > 0; --i) record.arguments.push_back({name(), value(3)});
    for (uint64_t i = random_.below(2); i > 0; --i) record.kwargs.push_back({name(), value(2)});
    if (one_in(3)) record.template_key = pick({"", "direct", "winograd"});
    if (one_in(3)) record.legacy_workload = value(3);
    fill_config(record);
    fill_result(record.result);
    if (one_in(2)) record.tvm_version = pick({"", "0.7.dev1", "0.8.0"});
    if (one_in(3)) record.extras_json = R"({"note":"x","n":[1,2.5,null]})";
    fill_origin(record.origin);
    return record;
  }

  Argument value(int depth) {
    Argument result;
    result.kind = static_cast<ArgumentKind>(random_.below(depth > 0 ? 9 : 6));
    if (result.kind == ArgumentKind::kTensor && depth <= 0) result.kind = ArgumentKind::kNull;
    switch (result.kind) {
      case ArgumentKind::kNull:
        break;
      case ArgumentKind::kBool:
        result.flag = one_in(2);
        break;
      case ArgumentKind::kInt:
        result.integer = integer();
        break;
      case ArgumentKind::kBigInt:
        result.text = "123456789012345678901234567890";
        break;
      case ArgumentKind::kDouble:
        result.real = real();
        break;
      case ArgumentKind::kSymbol:
      case ArgumentKind::kString:
        result.text = name();
        break;
      case ArgumentKind::kTensor:
        result.text = pick({"float32", "int8x4", "custom[posit]16", ""});
        for (uint64_t i = random_.below(4); i > 0; --i) {
          result.items.push_back(one_in(9) ? value(depth - 1)
                                           : Argument::of_int(static_cast<int64_t>(
                                                 random_.below(one_in(9) ? 1ULL << 40 : 512))));
        }
        if (one_in(8)) result.trailing.push_back(value(depth - 1));
        break;
      case ArgumentKind::kTuple:
        for (uint64_t i = random_.below(4); i > 0; --i) result.items.push_back(value(depth - 1));
    }
    return result;
  }

 private:
  bool one_in(uint64_t n) { return random_.below(n) == 0; }
  std::string pick(const std::vector<std::string>& texts) {
    return texts[random_.below(texts.size())];
  }
  std::string name() {
    return pick({"", "data", "NCHW", "TENSOR", "line\nbreak", "\"quoted\\\"", "日本", "\x01", "0"});
  }
  int64_t integer() {
    const std::vector<int64_t> odd = {
        0,        -1, 1, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min(),
        1LL << 53};
    return one_in(3) ? odd[random_.below(odd.size())] : static_cast<int64_t>(random_.below(4096));
  }
  double real() {
    const std::vector<double> odd = {0.0, -0.0, 1e9, 5e-324, 1.7976931348623157e308, 0.1, 1e16};
    if (one_in(3)) return odd[random_.below(odd.size())];
    return std::ldexp(random_.uniform(), -static_cast<int>(random_.below(40)));
  }

  Argument tuple_of(uint64_t length, auto make) {
    Argument tuple = Argument::of_tuple({});
    for (uint64_t i = 0; i < length; ++i) tuple.items.push_back(make());
    return tuple;
  }

  /// Factors, a permutation, words and axes: what logs may hold.
  KnobValue knob() {
    KnobValue knob{.name = name(), .kind = pick({"sp", "re", "an", "ot"})};
    const uint64_t length = 1 + random_.below(4);
    if (knob.kind == "ot") {
      knob.value = value(1);
    } else if (knob.kind == "an") {
      const bool has_axes = one_in(4);
      knob.value = tuple_of(length, [&] {
        return has_axes && one_in(2) ? Argument::of_int(integer())
                                     : Argument::of_string(pick({"none", "unroll", "vec"}));
      });
    } else if (knob.kind == "sp") {
      knob.value = tuple_of(length, [&] {
        return Argument::of_int(
            static_cast<int64_t>(1 + random_.below(one_in(9) ? 1LL << 40 : 64)));
      });
      if (one_in(2)) knob.value.items.front() = Argument::of_int(-1);
    } else {
      int64_t next = 0;
      knob.value = tuple_of(length, [&] { return Argument::of_int(next++); });
      std::swap(knob.value.items.front(), knob.value.items[random_.below(length)]);
    }
    return knob;
  }

  KnobConfig knob_config() {
    KnobConfig config;
    config.index = one_in(4) ? random_.next() : random_.below(100000);
    if (one_in(2)) config.code_hash = pick({"", "5d3f1c2a"});
    for (uint64_t i = random_.below(6); i > 0; --i) config.knobs.push_back(knob());
    return config;
  }

  AnsorConfig ansor_config() {
    AnsorConfig config{.workload_key = R"(["abc", 1, 2])"};
    if (one_in(2)) config.hardware_params = {-1, 16, 64, 49152, 2147483647, 1024, 8, 32};
    if (one_in(2)) config.target_host = pick({"", "llvm"});
    if (one_in(2)) config.layout_rewrite = static_cast<int64_t>(random_.below(3));
    if (one_in(3)) config.task_inputs.emplace(random_.below(3), "placeholder");
    config.task_items = static_cast<int>(2 + random_.below(5));
    for (uint64_t i = random_.below(4); i > 0; --i) {
      config.steps.push_back({pick({"AN", "SP"}), {value(0), value(1)}});
    }
    return config;
  }

  TraceConfig trace_config() {
    TraceConfig config{.workload_index = static_cast<int64_t>(random_.below(9)),
                       .workload_hash = "1234567890123456789",
                       .workload_module = "AAAA",
                       .trace_json = "[[],[]]",
                       .target_json = pick({"null", R"({"kind":"llvm"})"}),
                       .has_times = one_in(2)};
    if (!one_in(3)) config.args_info.emplace();
    for (uint64_t i = config.args_info ? random_.below(3) : 0; i > 0; --i) {
      config.args_info->push_back({.kind = ArgumentKind::kTensor,
                                   .text = "float32",
                                   .items = {Argument::of_int(integer())}});
    }
    return config;
  }

  void fill_config(TuningRecord& record) {
    const uint64_t choice = random_.below(4);
    if (choice < 2) {
      record.config = knob_config();
    } else if (choice == 2) {
      record.config = ansor_config();
    } else {
      record.config = trace_config();
    }
  }

  void fill_result(TuningResult& result) {
    if (one_in(3)) {
      result.error_no = static_cast<int>(1 + random_.below(8));
      result.error_message = pick({"", "killed"});
      if (!one_in(3)) result.failure_sentinel = one_in(2) ? 1e9 : 1e10;
    } else {
      for (uint64_t i = 1 + random_.below(10); i > 0; --i) {
        result.costs_s.push_back(std::ldexp(0.5 + random_.uniform(), -12));
      }
    }
    if (!one_in(4)) result.all_cost_s = one_in(3) ? 10.0 : 20 * random_.uniform();
    if (!one_in(4)) result.timestamp = 1.5e9 + 1e9 * random_.uniform();
    result.all_cost_is_int = one_in(3);
    result.timestamp_is_int = one_in(5);
  }

  void fill_origin(TuningOrigin& origin) {
    origin.format = static_cast<TuningFormat>(random_.below(5));
    origin.format_version = pick({"0.1", "0.2", "v0.6", ""});
    origin.file = pick({"", "a/b c.log"});
    origin.line = static_cast<int64_t>(random_.below(1000000));
    if (one_in(2)) origin.sha256 = std::string(64, 'a');
    if (one_in(3)) origin.key_order = {"result", "input", "config", "version", "tvm_version"};
    if (one_in(3)) origin.config_order = {"entity", "index", "code_hash"};
  }

  Random& random_;
};

}  // namespace

TuningRecord random_tuning_record(Random& random) { return RandomTuningRecordMaker(random).make(); }

}  // namespace opbench
