#include "benchmarks/records/log_generator.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <random>

#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

class Variation {
 public:
  explicit Variation(uint64_t seed) : random_(seed) {}

  int64_t below(int64_t limit) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit));
  }
  double share() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  /// Another shape; small extents (the spatial ones of kernels, block sizes) stay.
  void vary_shapes(Argument& argument) {
    if (argument.kind == ArgumentKind::kTensor) {
      constexpr int64_t kSmall = 8;
      for (Argument& extent : argument.items) {
        if (extent.integer > kSmall)
          extent.integer = 1 + extent.integer / 2 + below(extent.integer);
      }
      return;
    }
    for (Argument& item : argument.items) vary_shapes(item);
  }

  void vary_knob(KnobValue& knob) {
    static constexpr std::array<int64_t, 12> kFactors = {1, 2, 3, 4, 6, 7, 8, 14, 16, 28, 32, 64};
    static constexpr std::array<const char*, 3> kWords = {"none", "unroll", "vec"};
    if (knob.kind == "sp") {
      for (Argument& factor : knob.value.items) {
        if (factor.integer > 0) factor.integer = kFactors[static_cast<size_t>(below(12))];
      }
    } else if (knob.kind == "an") {
      for (Argument& word : knob.value.items) word.text = kWords[static_cast<size_t>(below(3))];
    } else if (knob.kind == "ot" && knob.value.kind == ArgumentKind::kInt) {
      knob.value.integer = std::array<int64_t, 4>{0, 1, 512, 1500}[static_cast<size_t>(below(4))];
    } else if (knob.kind == "ot" && knob.value.kind == ArgumentKind::kBool) {
      knob.value.flag = below(2) == 1;
    }
  }

  /// A workload's trials lie about one time: in real logs the median is 1.4 to 2.8 times the best
  /// and the logarithms deviate by 0.24 to 0.78 (`shared/data/opbench/log`).
  void begin_workload(const TuningResult& best) {
    const double best_s = best.costs_s.empty() ? 1e-3 : best.costs_s[0];
    middle_s_ = best_s * std::exp(share());
  }

  void vary_result(TuningResult& result, double failures) {
    now_ += 3 * share();
    result.timestamp = now_;
    result.timestamp_is_int = result.all_cost_is_int = false;
    result.all_cost_s = 0.3 + 5 * share();
    result.failure_sentinel.reset();
    result.error_no = share() < failures ? (below(4) == 0 ? 4 : 1) : 0;
    if (result.error_no != 0) {
      result.costs_s.clear();
      result.failure_sentinel = 1e9;
      return;
    }
    constexpr double kDeviation = 0.45;
    result.costs_s = {middle_s_ * std::exp(kDeviation * normal_(random_))};
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  double middle_s_ = 1e-3;
  double now_ = 1.6e9;
};

}  // namespace

Result<LogGenerator> LogGenerator::make(const std::filesystem::path& logs) {
  LogGenerator generator;
  for (const char* name : {"arm_cpu_v0.08", "cuda_v0.10", "llvm_v0.04", "vta_v0.10"}) {
    const std::filesystem::path path = logs / fmt::format("{}.log", name);
    OPBENCH_TRY(const RecordFile file, open_records(path.string()));
    while (true) {
      OPBENCH_TRY(std::optional<ReadItem> item, file.reader->next());
      if (!item) break;
      const auto* const record = item->record && item->issues.empty()
                                     ? std::get_if<TuningRecord>(&*item->record)
                                     : nullptr;
      if (record != nullptr) generator.patterns_.push_back(*record);
    }
  }
  return generator;
}

Result<int64_t> LogGenerator::write(const Options& options) const {
  constexpr int64_t kLongest = 1063;
  Variation variation(options.seed);
  std::ofstream stream(options.file, std::ios::binary);
  int64_t bytes = 0, records = 0;
  const auto is_enough = [&] {
    return (options.bytes > 0 && bytes >= options.bytes) ||
           (options.records > 0 && records >= options.records);
  };
  while (!is_enough()) {
    TuningRecord record = patterns_[static_cast<size_t>(variation.below(std::ssize(patterns_)))];
    for (NamedArgument& argument : record.arguments) variation.vary_shapes(argument.value);
    variation.begin_workload(record.result);
    const int64_t trials = options.has_sessions ? 1 + variation.below(kLongest - 1) : 1;
    const double failures = !options.has_sessions ? 0 : variation.below(3) == 0 ? 0.35 : 0.02;
    for (int64_t i = 0; i < trials && !is_enough(); ++i) {
      auto& config = std::get<KnobConfig>(record.config);
      config.index = static_cast<uint64_t>(variation.below(10'000'000));
      for (KnobValue& knob : config.knobs) variation.vary_knob(knob);
      variation.vary_result(record.result, failures);
      OPBENCH_TRY(const std::string line, encode_autotvm(record));
      stream << line << '\n';
      bytes += std::ssize(line) + 1;
      ++records;
    }
  }
  stream.close();
  if (stream) return records;
  return Error{ErrorCode::kSystem, fmt::format("cannot write \"{}\"", options.file.string())};
}

}  // namespace opbench
