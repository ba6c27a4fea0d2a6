// `./dev bench models`: our time over ONNX Runtime's for whole models, interleaved in one run.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/profile_json.h"
#include "measuring/sampling/noise.h"

namespace opbench {
namespace {

// Ours over ONNX Runtime's.
constexpr double kGeometricMeanLimit = 1.0;
constexpr double kModelsQuantizedLimit = 1.0;
// A sum of unit times is judged where the reference kernel varies by less than this; one model may
// miss.
constexpr double kGapLimit = 3.0, kVariationLimit = 10.0, kMissesLimit = 1.0;
/// What a run may take beyond its budget, preparation left out.
constexpr double kBudgetSlackS = 5.0;
constexpr uint64_t kSeed = 1;

/// A set of models and its bars.
struct Set {
  std::string name;
  std::vector<std::string> models;
  double worst_limit = 0;
};

// Of the CNN set the light models come before these.
const std::vector<Set>& sets() {
  static const std::vector<Set> all = {
      {"cnn", {"resnet-18", "mobilenet", "inception_v3", "bert", "roberta"}, 1.15},
      {"transformers",
       {"bert", "roberta", "gpt2", "gpt2-decode", "vit-base", "llama-prefill", "llama-decode",
        "t5-encoder", "t5-decoder-with-lm-head", "lstm", "mobilenet_v2", "mobilenet_v3",
        "efficientnet-b0", "densenet-121", "yolov5n", "unet", "resnet50-qdq"},
       1.3}};
  return all;
}

/// Their ratio has a bar of its own.
bool is_quantized(const std::string& model) { return model.ends_with("-qdq"); }

struct ModelsOptions {
  double budget_s = 12;
  double worst_limit = 0;
  std::vector<int> threads;
  std::vector<std::string> models;
};

/// How one engine's unit times add up to the time of its model.
struct UnitSum {
  std::optional<double> gap_percent;
  std::string inconclusive;  ///< why the gap says nothing
  bool is_judged() const { return gap_percent.has_value() && inconclusive.empty(); }
  bool holds() const { return std::abs(*gap_percent) <= kGapLimit; }
};

struct ModelsRow {
  std::string model;
  int threads = 1;
  double ours_ms = 0, theirs_ms = 0;
  UnitSum our_sum, their_sum;
  std::string failure;
  double ratio() const { return ours_ms / theirs_ms; }
};

/// What one run gave.
struct ModelRun {
  std::vector<ModelsRow> rows;
  std::optional<double> measuring_s;  ///< without its preparation
  double budget_s = 0;                ///< of all engines and thread counts
};

Result<ModelsOptions> models_options_of(const Arguments& arguments) {
  ModelsOptions options;
  OPBENCH_TRY(options.budget_s, arguments.positive("--budget"));
  OPBENCH_TRY(options.threads, arguments.integers("--threads", 1));
  std::vector<std::string> names;
  for (const Set& set : sets()) names.push_back(set.name);
  OPBENCH_TRY(const std::string name, arguments.choice("--set", names));
  const Set& set = *std::ranges::find(sets(), name, &Set::name);
  options.worst_limit = set.worst_limit;
  options.models = arguments.positionals();
  if (!options.models.empty()) return options;
  if (name == "cnn") options.models = light_models(arguments.value("--data"));
  options.models.insert(options.models.end(), set.models.begin(), set.models.end());
  return options;
}

ProfileRequest models_request_for(const std::string& model, const ModelsOptions& options) {
  ProfileRequest request;
  request.model.name = model;
  request.model.is_zoo = !model.ends_with(".onnx");
  if (!request.model.is_zoo) request.model.randomize_weights = kSeed;
  request.engines = {"halide", "onnxruntime"};
  request.threads = options.threads;
  request.measure.budget_s = options.budget_s;
  request.measure.measures_units = false;
  return request;
}

/// Of an engine in the JSON report; `variation` is the reference kernel's in percent.
UnitSum unit_sum_of(const Json& engine, double variation) {
  const Json& model = engine.at("model");
  UnitSum sum;
  const Json gap = model.value("gap_percent", Json());
  if (gap.is_number()) sum.gap_percent = gap.get<double>();
  if (model.value("books", Json()) == "inconclusive") {
    sum.inconclusive = model.value("books_reason", "");
  } else if (!sum.gap_percent) {
    sum.inconclusive = model.value("gap_percent_reason", "no times of its parts");
  } else if (variation >= kVariationLimit) {
    sum.inconclusive = fmt::format("the reference kernel varies by {:.0f} %", variation);
  }
  return sum;
}

ModelsRow models_row_of(const std::string& name, const EngineResult& ours,
                        const EngineResult& theirs) {
  ModelsRow row{.model = name, .threads = ours.threads};
  if (ours.model.end_to_end && theirs.model.end_to_end) {
    row.ours_ms = ours.model.end_to_end->median_ms;
    row.theirs_ms = theirs.model.end_to_end->median_ms;
  } else {
    row.failure = ours.model.end_to_end_reason + theirs.model.end_to_end_reason;
    if (row.failure.empty()) row.failure = "no end-to-end time";
  }
  return row;
}

/// How much the reference kernel varies now, in percent, samples that were seen to be disturbed
/// included.
double reference_variation() { return run_preflight().cv_percent; }

ModelRun measure_models(const std::string& model, const ModelsOptions& options) {
  const double before = reference_variation();
  const auto result = run_profile(models_request_for(model, options));
  const std::string name = std::filesystem::path(model).stem().string();
  if (!result) return {.rows = {{.model = name, .failure = result.error().message}}};
  const double variation = std::max(before, reference_variation());
  const Json json = profile_json(*result);
  ModelRun run{.budget_s = options.budget_s * static_cast<double>(result->engines.size())};
  if (const Json time = json.value("measuring_ms", Json()); time.is_number()) {
    run.measuring_s = ms_to_s(time.get<double>());
  }
  for (size_t i = 0; i + 1 < result->engines.size(); i += 2) {
    ModelsRow row = models_row_of(name, result->engines[i], result->engines[i + 1]);
    row.our_sum = unit_sum_of(json.at("engines").at(i), variation);
    row.their_sum = unit_sum_of(json.at("engines").at(i + 1), variation);
    run.rows.push_back(std::move(row));
  }
  return run;
}

std::string gap_text(const UnitSum& sum) {
  return sum.gap_percent ? fmt::format("{:.2f}{}", *sum.gap_percent, sum.is_judged() ? "" : " ?")
                         : "?";
}

/// What the ratio says of one row.
std::string verdict_of(const ModelsRow& row, double worst_limit) {
  const double limit = is_quantized(row.model) ? kModelsQuantizedLimit : worst_limit;
  if (row.ratio() > limit) return fmt::format("above {}", limit);
  return row.ratio() > 1 ? "slower" : "faster";
}

std::string line_of(const ModelsRow& row, double worst_limit) {
  if (!row.failure.empty()) return fmt::format("{:<22} failed: {}", row.model, row.failure);
  std::string line =
      fmt::format("{:<22} {:>7} {:>10.3f} {:>10.3f} {:>7.3f} {:>8} {:>8}  {}", row.model,
                  row.threads, row.ours_ms, row.theirs_ms, row.ratio(), gap_text(row.our_sum),
                  gap_text(row.their_sum), verdict_of(row, worst_limit));
  for (const auto& [engine, sum] :
       {std::pair{"halide", &row.our_sum}, std::pair{"onnxruntime", &row.their_sum}}) {
    if (!sum->is_judged()) line += fmt::format("; {}: {}", engine, sum->inconclusive);
  }
  return line;
}

/// The worst ratio of the rows, and what failed among them.
Bar worst_of(const std::vector<ModelsRow>& rows, bool quantized, Bar bar) {
  for (const ModelsRow& row : rows) {
    if (is_quantized(row.model) != quantized || !row.failure.empty()) continue;
    bar.value = std::max(bar.value, row.ratio());
  }
  return bar;
}

/// Of the float32 models; the quantised ones have the last bar.
std::vector<Bar> judge_ratios(const std::vector<ModelsRow>& rows, double worst_limit) {
  double log_sum = 0;
  int count = 0;
  std::string failed, quantized_failed;
  for (const ModelsRow& row : rows) {
    if (!row.failure.empty()) {
      std::string& list = is_quantized(row.model) ? quantized_failed : failed;
      list += fmt::format("{}{}: {}", list.empty() ? "" : "; ", row.model, row.failure);
    } else if (!is_quantized(row.model)) {
      log_sum += std::log(row.ratio());
      ++count;
    }
  }
  const double mean = std::exp(log_sum / std::max(count, 1));
  const char* const kWorst = "models: worst ratio of halide over onnxruntime";
  const char* const kQuantized = "models: worst ratio of a quantised model";
  std::vector<Bar> bars = {
      {"models: geometric mean of halide over onnxruntime", mean, kGeometricMeanLimit, failed},
      worst_of(rows, false, {kWorst, 0, worst_limit, failed})};
  const bool has_quantized =
      std::ranges::any_of(rows, [](const ModelsRow& row) { return is_quantized(row.model); });
  if (has_quantized) {
    bars.push_back(worst_of(rows, true, {kQuantized, 0, kModelsQuantizedLimit, quantized_failed}));
  }
  return bars;
}

/// A model misses when one of its gaps that are judged is too wide.
Bar judge_unit_sum(const std::vector<ModelsRow>& rows, const std::string& engine,
                   UnitSum ModelsRow::*sum) {
  std::set<std::string> judged, missed;
  for (const ModelsRow& row : rows) {
    if (!(row.*sum).is_judged()) continue;
    judged.insert(row.model);
    if (!(row.*sum).holds()) missed.insert(row.model);
  }
  return {fmt::format("models: gaps of {} above {} %, of {} models judged", engine, kGapLimit,
                      judged.size()),
          static_cast<double>(missed.size()), kMissesLimit,
          judged.empty() ? "all are inconclusive" : ""};
}

/// The run that took the most beyond its budget.
Bar judge_budget(const std::vector<ModelRun>& runs) {
  Bar bar{"models: seconds beyond the budget after preparation, at most", 0, kBudgetSlackS};
  for (const ModelRun& run : runs) {
    if (run.measuring_s) bar.value = std::max(bar.value, *run.measuring_s - run.budget_s);
    if (!run.measuring_s) bar.reason = "a run does not say how long it measured";
  }
  return bar;
}

Result<void> models_run(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const ModelsOptions options, models_options_of(arguments));
  report.note(
      "model                  threads  halide ms     ort ms   ratio    gap %  ort gap  verdict");
  std::vector<ModelsRow> rows;
  std::vector<ModelRun> runs;
  for (const std::string& model : options.models) {
    runs.push_back(measure_models(model, options));
    for (const ModelsRow& row : runs.back().rows) {
      report.note(line_of(row, options.worst_limit));
      rows.push_back(row);
    }
  }
  for (const Bar& bar : judge_ratios(rows, options.worst_limit)) report.add(bar);
  report.add(judge_unit_sum(rows, "halide", &ModelsRow::our_sum));
  report.add(judge_unit_sum(rows, "onnxruntime", &ModelsRow::their_sum));
  report.add(judge_budget(runs));
  return {};
}

}  // namespace
}  // namespace opbench

int bench_models_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "models",
      .summary = "our time over ONNX Runtime's for whole models, interleaved in one run",
      .positionals = {{.name = "MODEL",
                       .help = "files or names of the zoo; default: those of the set",
                       .is_required = false,
                       .repeats = true}},
      .options = {{.name = "--set",
                   .value_name = "SET",
                   .help =
                       "cnn: light models and five built-in ones; transformers: language models "
                       "and later networks for images",
                   .otherwise = "cnn"},
                  {.name = "--budget",
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
      .run = opbench::models_run};
  return opbench::run_benchmark(benchmark, argc, argv);
}
