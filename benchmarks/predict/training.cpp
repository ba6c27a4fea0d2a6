// `./dev bench predict --training N`: what learning from N records costs. The records are copies of
// one that was measured, with other shapes and times that are drawn: only the cost is real.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "benchmarks/common/program_run.h"
#include "benchmarks/predict/part.h"
#include "records/record/benchmark_record.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

constexpr double kSecondsLimit = 30;
constexpr double kGrowthLimit = 2;  // of peak memory, where records become four times as many
constexpr int kFewer = 4;

namespace fs = std::filesystem;

Result<ProgramRun> run_opbench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), opbench_path());
  OPBENCH_TRY(ProgramRun run, run_to_end({.argv = std::move(arguments)}));
  if (run.exit_code != 0) return Error{ErrorCode::kSystem, run.err};
  return run;
}

Result<BenchmarkRecord> measured_record(const fs::path& folder) {
  const std::string file = (folder / "measured.jsonl").string();
  OPBENCH_CHECK(run_opbench({"op", "conv2d 1x16x14x14 w:16x16x3x3 w:16 pads=1,1,1,1; relu",
                             "--record", file, "--budget", "0.3", "--check", "none", "--quiet"}));
  OPBENCH_TRY(const std::string text, read_file(file));
  OPBENCH_TRY(const std::vector<BenchmarkRecord> records, parse_record_lines(text));
  const auto unit = std::ranges::find_if(records, [](const BenchmarkRecord& record) {
    return record.scope == "unit" && record.runtime_ms_in_place.has_value();
  });
  if (unit == records.end()) return Error{ErrorCode::kPartial, "no record has an in-model time"};
  return *unit;
}

/// Of another convolution, whose time is that of 120 to 190 GFLOP/s.
BenchmarkRecord drawn_record(BenchmarkRecord record, Random& random) {
  constexpr std::array<int64_t, 8> kChannels = {16, 32, 48, 64, 96, 128, 192, 256};
  const auto below = [&](double end) { return static_cast<int64_t>(random.uniform() * end); };
  const int64_t channels = kChannels[static_cast<size_t>(below(kChannels.size()))];
  const int64_t filters = kChannels[static_cast<size_t>(below(kChannels.size()))];
  const int64_t height = 7 + below(106), width = 7 + below(106);
  const int64_t pad = below(3), kernel = 2 * pad + 1;
  const std::string workload =
      fmt::format("conv2d 1x{0}x{1}x{2} w:{3}x{0}x{4}x{4} w:{3} pads={5},{5},{5},{5}; relu",
                  channels, height, width, filters, kernel, pad);
  const double flops =
      2.0 * static_cast<double>(channels * filters * height * width * kernel * kernel);
  const double ms = 1e-3 + flops / (1.2e8 + 0.7e8 * random.uniform());
  record.record_id.reset();
  record.workload = "opbench." + workload;
  record.workload_args = JsonText{canonical_text({{"workload", workload}})};
  record.runtime_raw.reset();
  record.runtime_raw_ms.reset();
  record.samples_dropped = std::map<std::string, int64_t>{};
  record.runtime_ms_mean = record.runtime_ms_median = record.runtime_ms_in_place = ms;
  record.runtime_ms_min = record.runtime_ms_low = 0.99 * ms;
  record.runtime_ms_high = 1.01 * ms;
  return record;
}

/// Learns from so many records in a process of its own.
Result<ProgramRun> train(const fs::path& folder, const BenchmarkRecord& measured, int64_t count,
                         uint64_t seed) {
  Random random(seed, "training");
  std::vector<BenchmarkRecord> records;
  for (int64_t i = 0; i < count; ++i) records.push_back(drawn_record(measured, random));
  assign_record_ids(records);
  const std::string file = (folder / fmt::format("{}.jsonl", count)).string();
  OPBENCH_CHECK(write_file(file, to_lines(records)));
  records.clear();
  const std::string predictors = (folder / fmt::format("predictors-{}", count)).string();
  return run_opbench({"predict", "train", "--records", file, "--budget", "0", "--predictors",
                      predictors, "--quiet"});
}

Result<void> run_predict_training(const std::string& given, const Arguments& arguments,
                                  Report& report) {
  OPBENCH_TRY(const int64_t count, arguments.integer("--training", kFewer));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  OPBENCH_TRY(const BenchmarkRecord measured, measured_record(folder.path()));
  OPBENCH_TRY(const ProgramRun fewer,
              train(folder.path(), measured, count / kFewer, static_cast<uint64_t>(seed)));
  OPBENCH_TRY(const ProgramRun all,
              train(folder.path(), measured, count, static_cast<uint64_t>(seed)));
  const auto bytes = static_cast<double>(all.peak_bytes - fewer.peak_bytes);
  report.note(fmt::format(
      "{} records: {:.1f} s, {:.0f} MB; {} records: {:.1f} s, {:.0f} MB; {:.1f} kB a record",
      count / kFewer, fewer.wall_s, static_cast<double>(fewer.peak_bytes) / 1e6, given, all.wall_s,
      static_cast<double>(all.peak_bytes) / 1e6,
      bytes / static_cast<double>(count - count / kFewer) / 1e3));
  report.add(
      {fmt::format("predict training: seconds for {} records", count), all.wall_s, kSecondsLimit});
  report.add({fmt::format("predict training: peak memory over that of {} records", count / kFewer),
              static_cast<double>(all.peak_bytes) / static_cast<double>(fewer.peak_bytes),
              kGrowthLimit});
  return {};
}

}  // namespace

PredictPart predict_training() {
  return {.option = {.name = "--training",
                     .value_name = "N",
                     .help = "learn from so many records, of which only the cost is real"},
          .run = run_predict_training};
}

}  // namespace opbench
