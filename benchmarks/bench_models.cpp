// `./dev bench models`: our time over ONNX Runtime's for whole models, interleaved in one run.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "benchmark.h"
#include "opbench/analysis/profile_request.h"

namespace opbench {
namespace {

// The bars of point 3: ours over ONNX Runtime's.
constexpr double kGeometricMeanLimit = 1.0;
constexpr double kWorstLimit = 1.15;
constexpr double kGapLimit = 3.0;
constexpr uint64_t kSeed = 1;

struct Options {
  double budget_s = 12;
  std::vector<int> threads;
  std::vector<std::string> models;
};

struct Row {
  std::string model;
  int threads = 1;
  double ours_ms = 0, theirs_ms = 0, our_gap = 0, their_gap = 0;
  std::string failure;
  double ratio() const { return ours_ms / theirs_ms; }
};

Result<Options> options_of(const Arguments& arguments) {
  Options options;
  OPBENCH_TRY(options.budget_s, arguments.positive("--budget"));
  OPBENCH_TRY(options.threads, arguments.integers("--threads", 1));
  options.models = arguments.positionals();
  if (!options.models.empty()) return options;
  options.models = light_models(arguments.value("--data"));
  for (const char* zoo : {"resnet-18", "mobilenet", "inception_v3"}) options.models.push_back(zoo);
  return options;
}

ProfileRequest request_for(const std::string& model, const Options& options) {
  ProfileRequest request;
  request.model = model;
  request.model_is_zoo = !model.ends_with(".onnx");
  if (!request.model_is_zoo) request.randomize_weights = kSeed;
  request.engines = {"halide", "onnxruntime"};
  request.threads = options.threads;
  request.budget_s = options.budget_s;
  request.measures_units = false;
  return request;
}

std::vector<Row> measure(const std::string& model, const Options& options) {
  const auto result = run_profile(request_for(model, options));
  const std::string name = std::filesystem::path(model).stem().string();
  if (!result) return {{.model = name, .failure = result.error().message}};
  std::vector<Row> rows;
  for (size_t i = 0; i + 1 < result->engines.size(); i += 2) {
    const EngineResult& ours = result->engines[i];
    const EngineResult& theirs = result->engines[i + 1];
    Row row{.model = name, .threads = ours.threads};
    const bool is_complete =
        ours.model.end_to_end && ours.model.gap_percent && theirs.model.end_to_end;
    if (is_complete) {
      row.ours_ms = ours.model.end_to_end->median_ms;
      row.theirs_ms = theirs.model.end_to_end->median_ms;
      row.our_gap = *ours.model.gap_percent;
      row.their_gap = theirs.model.gap_percent.value_or(0);
    } else {
      row.failure = ours.model.end_to_end_reason + theirs.model.end_to_end_reason;
      if (row.failure.empty()) row.failure = "no times of its parts";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string line_of(const Row& row) {
  if (!row.failure.empty()) return fmt::format("{:<22} failed: {}", row.model, row.failure);
  return fmt::format("{:<22} {:>7} {:>10.3f} {:>10.3f} {:>7.3f} {:>7.2f} {:>7.2f}", row.model,
                     row.threads, row.ours_ms, row.theirs_ms, row.ratio(), row.our_gap,
                     row.their_gap);
}

std::vector<Bar> judge(const std::vector<Row>& rows) {
  double log_sum = 0, worst = 0, gap = 0;
  int count = 0;
  std::string failed;
  for (const Row& row : rows) {
    if (!row.failure.empty()) {
      failed += fmt::format("{}{}: {}", failed.empty() ? "" : "; ", row.model, row.failure);
      continue;
    }
    log_sum += std::log(row.ratio());
    worst = std::max(worst, row.ratio());
    gap = std::max(gap, std::abs(row.our_gap));
    ++count;
  }
  const double mean = std::exp(log_sum / std::max(count, 1));
  return {{"models: geometric mean of halide over onnxruntime", mean, kGeometricMeanLimit, failed},
          {"models: worst ratio of halide over onnxruntime", worst, kWorstLimit, failed},
          {"models: largest gap of halide's books, percent", gap, kGapLimit, failed}};
}

Result<void> run(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const Options options, options_of(arguments));
  report.note("model                  threads  halide ms     ort ms   ratio   gap %  ort gap");
  std::vector<Row> rows;
  for (const std::string& model : options.models) {
    for (Row& row : measure(model, options)) {
      report.note(line_of(row));
      rows.push_back(std::move(row));
    }
  }
  for (const Bar& bar : judge(rows)) report.add(bar);
  return {};
}

}  // namespace
}  // namespace opbench

int main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "models",
      .summary = "our time over ONNX Runtime's for whole models, interleaved in one run",
      .positionals = {{.name = "MODEL",
                       .help = "files or names of the zoo; default: the eight of the bar",
                       .is_required = false,
                       .repeats = true}},
      .options = {{.name = "--budget",
                   .value_name = "SECONDS",
                   .help = "for each engine and thread count",
                   .otherwise = "12"},
                  {.name = "--threads",
                   .value_name = "N,N…",
                   .help = "threads of a call",
                   .otherwise = "1,2",
                   .kind = opbench::OptionKind::kList},
                  {.name = "--data",
                   .value_name = "FOLDER",
                   .help = "of the light models",
                   .otherwise = OPBENCH_SHARED_DATA "/onnx-light"}},
      .run = opbench::run};
  return opbench::run_benchmark(benchmark, argc, argv);
}
