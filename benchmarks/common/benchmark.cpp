#include "benchmarks/common/benchmark.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <utility>

#include "base/json/json.h"

namespace opbench {
namespace {

std::string help_of(const BenchmarkDef& benchmark, const std::vector<OptionDef>& options) {
  std::string text = fmt::format("./dev bench {}: {}\n", benchmark.name, benchmark.summary);
  const auto add = [&](std::string name, const std::string& help) {
    for (const std::string& line : split(help, '\n')) {
      text += fmt::format("  {:<22} {}\n", std::exchange(name, ""), line);
    }
  };
  for (const PositionalDef& positional : benchmark.positionals) {
    add(positional.name, positional.help);
  }
  for (const OptionDef& option : options) add(option.name + " " + option.value_name, option.help);
  return text;
}

Result<int> benchmark_run(const BenchmarkDef& benchmark, const std::vector<std::string>& words) {
  std::vector<OptionDef> options = benchmark.options;
  options.push_back({.name = "--format",
                     .value_name = "FORMAT",
                     .help = "text, or json: an object a line for each bar",
                     .otherwise = "text"});
  if (std::ranges::find(words, "--help") != words.end()) {
    std::cout << help_of(benchmark, options);
    return 0;
  }
  OPBENCH_TRY(const Arguments arguments, Arguments::parse(words, benchmark.positionals, options));
  OPBENCH_TRY(const std::string format, arguments.choice("--format", {"text", "json"}));
  Report report(format == "json");
  OPBENCH_CHECK(benchmark.run(arguments, report));
  return report.all_hold() ? 0 : static_cast<int>(ErrorCode::kNotReproduced);
}

}  // namespace

void Report::note(const std::string& line) const {
  if (!is_json_) std::cout << line << std::endl;
}

void Report::add(const Bar& bar) {
  all_hold_ = all_hold_ && bar.holds();
  if (is_json_) {
    Json line = {{"bar", bar.bar},
                 {"value", bar.reason.empty() ? Json(bar.value) : Json()},
                 {"limit", bar.limit},
                 {"passed", bar.holds()}};
    if (!bar.reason.empty()) line["reason"] = bar.reason;
    std::cout << line.dump() << std::endl;
    return;
  }
  const std::string value = bar.reason.empty() ? fmt::format("{:.3g}", bar.value) : bar.reason;
  std::cout << fmt::format("{}: {}, limit {:g}: {}", bar.bar, value, bar.limit,
                           bar.holds() ? "holds" : "misses")
            << std::endl;
}

void Report::progress(const std::string& line) { std::cerr << line << std::endl; }

int run_benchmark(const BenchmarkDef& benchmark, int argc, char** argv) {
  const auto code = benchmark_run(benchmark, {argv + 1, argv + argc});
  if (code) return *code;
  std::cerr << to_text(code.error());
  return static_cast<int>(code.error().code);
}

std::vector<std::string> light_models(const std::filesystem::path& folder) {
  std::vector<std::string> models;
  for (const char* name : {"resnet50", "squeezenet", "inception_v1", "bvlc_alexnet", "zfnet512"}) {
    const auto path = folder / fmt::format("light_{}.onnx", name);
    if (std::filesystem::exists(path)) {
      models.push_back(path.string());
    } else {
      Report::progress("left out, not found: " + path.string());
    }
  }
  return models;
}

}  // namespace opbench
