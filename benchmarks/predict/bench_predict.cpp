// `./dev bench predict`: how well predictors do, each beside trivial baselines. Each part is a file
// of its own, predict_X.cpp.
#include <filesystem>

#include "benchmarks/predict/part.h"

namespace opbench {
namespace {

std::vector<PredictPart> predict_parts() {
  return {predict_models(),         predict_few_shot(), predict_zero_shot(),
          predict_configurations(), predict_at_home(),  predict_training(),
          predict_prices(),         predict_sampling(), predict_speed()};
}

Result<void> run_predict(const Arguments& arguments, Report& report) {
  bool is_any_given = false;
  for (const PredictPart& part : predict_parts()) {
    is_any_given = is_any_given || arguments.has(part.option.name);
  }
  for (const PredictPart& part : predict_parts()) {
    std::string data = arguments.value(part.option.name);
    if (!is_any_given && !part.data.empty()) {
      data = (std::filesystem::path(OPBENCH_SHARED_DATA) / part.data).string();
      if (!std::filesystem::exists(data)) {
        Report::progress("left out, not found: " + data);
        continue;
      }
    }
    if (!data.empty()) OPBENCH_CHECK(part.run(data, arguments, report));
  }
  return {};
}

}  // namespace
}  // namespace opbench

int bench_predict_main(int argc, char** argv) {
  std::vector<opbench::OptionDef> options = {
      {.name = "--seed", .value_name = "N", .help = "of all draws", .otherwise = "0"}};
  for (const opbench::PredictPart& part : opbench::predict_parts()) {
    options.push_back(part.option);
    options.insert(options.end(), part.options.begin(), part.options.end());
  }
  return opbench::run_benchmark(
      {.name = "predict",
       .summary = "errors of predictors beside those of trivial baselines",
       .options = std::move(options),
       .run = opbench::run_predict},
      argc, argv);
}
