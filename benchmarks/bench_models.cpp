// `./dev bench models`: our time over ONNX Runtime's for whole models, interleaved in one run.
//
//   bench-models [--format json] [--budget SECONDS] [--threads 1,2] [--data FOLDER] [MODEL…]
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "opbench/analysis/profile_request.h"
#include "opbench/base/json.h"

namespace opbench {
namespace {

// The bars of point 3: ours over ONNX Runtime's.
constexpr double kGeometricMeanLimit = 1.0;
constexpr double kWorstLimit = 1.15;
constexpr double kGapLimit = 3.0;
constexpr uint64_t kSeed = 1;

struct Options {
  bool json = false;
  double budget_s = 12;
  std::vector<int> threads = {1, 2};
  std::filesystem::path data = std::filesystem::path(OPBENCH_SHARED_DATA) / "onnx-light";
  std::vector<std::string> models;
};

struct Row {
  std::string model;
  int threads = 1;
  double ours_ms = 0, theirs_ms = 0, our_gap = 0, their_gap = 0;
  std::string failure;
  double ratio() const { return ours_ms / theirs_ms; }
};

std::vector<int> parse_threads(const std::string& text) {
  std::vector<int> threads;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    threads.push_back(std::atoi(word.c_str()));
  return threads;
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--format" && has_value) {
      options.json = std::string(argv[++i]) == "json";
    } else if (word == "--budget" && has_value) {
      options.budget_s = std::atof(argv[++i]);
    } else if (word == "--threads" && has_value) {
      options.threads = parse_threads(argv[++i]);
    } else if (word == "--data" && has_value) {
      options.data = argv[++i];
    } else {
      options.models.push_back(word);
    }
  }
  if (!options.models.empty()) return options;
  for (const char* light : {"resnet50", "squeezenet", "inception_v1", "bvlc_alexnet", "zfnet512"}) {
    const auto path = options.data / fmt::format("light_{}.onnx", light);
    if (std::filesystem::exists(path)) {
      options.models.push_back(path.string());
    } else {
      std::cerr << "left out, not found: " << path.string() << "\n";
    }
  }
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
    if (ours.model.end_to_end && theirs.model.end_to_end) {
      row.ours_ms = ours.model.end_to_end->median_ms;
      row.theirs_ms = theirs.model.end_to_end->median_ms;
      row.our_gap = ours.model.gap_percent.value_or(0);
      row.their_gap = theirs.model.gap_percent.value_or(0);
    } else {
      row.failure = ours.model.end_to_end_reason + theirs.model.end_to_end_reason;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void print_row(const Row& row) {
  if (!row.failure.empty()) {
    std::cout << fmt::format("{:<22} failed: {}\n", row.model, row.failure) << std::flush;
    return;
  }
  std::cout << fmt::format("{:<22} {:>7} {:>10.3f} {:>10.3f} {:>7.3f} {:>7.2f} {:>7.2f}\n",
                           row.model, row.threads, row.ours_ms, row.theirs_ms, row.ratio(),
                           row.our_gap, row.their_gap)
            << std::flush;
}

struct Bar {
  std::string bar;
  double value, limit;
};

std::vector<Bar> judge(const std::vector<Row>& rows) {
  double log_sum = 0, worst = 0, gap = 0;
  int count = 0;
  for (const Row& row : rows) {
    if (!row.failure.empty()) {
      worst = INFINITY;
      continue;
    }
    log_sum += std::log(row.ratio());
    worst = std::max(worst, row.ratio());
    gap = std::max(gap, std::abs(row.our_gap));
    ++count;
  }
  const double mean = count > 0 ? std::exp(log_sum / count) : INFINITY;
  return {{"models: geometric mean of halide over onnxruntime", mean, kGeometricMeanLimit},
          {"models: worst ratio of halide over onnxruntime", worst, kWorstLimit},
          {"models: largest gap of halide's books, percent", gap, kGapLimit}};
}

int run(const Options& options) {
  if (!options.json) {
    std::cout << "model                  threads  halide ms     ort ms   ratio   gap %  ort gap\n";
  }
  std::vector<Row> rows;
  for (const std::string& model : options.models) {
    for (Row& row : measure(model, options)) {
      if (!options.json) print_row(row);
      rows.push_back(std::move(row));
    }
  }
  bool passed = true;
  for (const Bar& bar : judge(rows)) {
    const bool holds = bar.value <= bar.limit;
    passed = passed && holds;
    if (options.json) {
      const Json line = {
          {"bar", bar.bar}, {"value", bar.value}, {"limit", bar.limit}, {"passed", holds}};
      std::cout << line.dump() << "\n";
    } else {
      std::cout << fmt::format("{}: {:.3f}, limit {:.2f}: {}\n", bar.bar, bar.value, bar.limit,
                               holds ? "holds" : "misses");
    }
  }
  return passed ? 0 : 3;
}

}  // namespace
}  // namespace opbench

int main(int argc, char** argv) { return opbench::run(opbench::parse_options(argc, argv)); }
