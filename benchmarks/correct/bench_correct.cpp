// `./dev bench correct`: every model's outputs, and the tensors before its softmaxes, against ONNX
// Runtime's, for several targets, on one CPU and on all.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/json/json.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"
#include "machine/resources/pinning.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

constexpr double kCorrectLimit = 1e-4;           // max |a - b| / max |b|
constexpr double kCorrectQuantizedLimit = 1e-2;  // where a rounding may go the other way

/// What a program sees of the machine.
struct Machine {
  std::string name;
  std::vector<int> cpus;
};

struct Sweep {
  std::vector<std::string> models, targets, executors;
  std::vector<int> seeds;
  std::vector<Machine> machines;
};

struct CorrectFinding {
  double value = 0;
  std::string reason;  ///< why there is none
};

std::string name_of_model(const std::string& model) {
  return model.ends_with(".onnx") ? std::filesystem::path(model).stem().string() : model;
}

/// Models by the names that the bars have, or files; all without names.
Result<std::vector<std::string>> models_of(const Arguments& arguments) {
  std::vector<std::string> all = light_models(arguments.value("--data"));
  for (const ZooEntry& entry : zoo_entries()) all.push_back(entry.name);
  if (arguments.positionals().empty()) return all;
  std::vector<std::string> names, models;
  for (const std::string& model : all) names.push_back(name_of_model(model));
  for (const std::string& wanted : arguments.positionals()) {
    const auto found = std::ranges::find(names, wanted);
    if (found == names.end() && !wanted.ends_with(".onnx")) {
      return unknown_name("model", wanted, names);
    }
    models.push_back(found == names.end() ? wanted
                                          : all[static_cast<size_t>(found - names.begin())]);
  }
  return models;
}

Result<Sweep> sweep_of(const Arguments& arguments) {
  Sweep sweep;
  OPBENCH_TRY(sweep.models, models_of(arguments));
  sweep.targets = arguments.values("--target");
  if (sweep.targets.empty()) sweep.targets = {"host", "llvm -mcpu=core-avx2", "llvm"};
  sweep.executors = arguments.values("--executor");
  OPBENCH_TRY(sweep.seeds, arguments.integers("--seed", 0));
  const std::vector<int> cpus = current_affinity();
  OPBENCH_TRY(const std::string machine, arguments.choice("--machine", {"both", "one", "all"}));
  if (machine != "all" || cpus.size() == 1) sweep.machines = {{"one CPU", {cpus.front()}}};
  if (machine != "one" && cpus.size() > 1) sweep.machines.push_back({"all CPUs", cpus});
  return sweep;
}

/// What is run, but for the machine.
struct Case {
  std::string model, target, executor;
  int seed = 1;
};

std::vector<std::string> command_for(const Case& one, size_t threads) {
  std::vector<std::string> argv = {opbench_path(),
                                   "profile",
                                   one.model,
                                   "--target",
                                   one.target,
                                   "--executor",
                                   one.executor,
                                   "--threads",
                                   fmt::format("{}", threads),
                                   "--seed",
                                   fmt::format("{}", one.seed),
                                   "--check",
                                   "onnxruntime",
                                   "--budget",
                                   "0.2",
                                   "--format",
                                   "json"};
  if (one.model.ends_with(".onnx"))
    argv.insert(argv.end(), {"--randomize-weights", fmt::format("{}", one.seed)});
  return argv;
}

/// The messages of a program as one line.
std::string one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "it said nothing" : text;
}

CorrectFinding error_of(const Case& one, const Machine& machine) {
  const auto run = run_to_end(
      {.argv = command_for(one, machine.cpus.size()), .environment = {}, .cpus = machine.cpus});
  if (!run) return {0, run.error().message};
  const auto result = parse_json(run->out, "the result");
  if (!result || run->exit_code != 0) {
    return {0, fmt::format("exit {}: {}", run->exit_code, one_line(run->err))};
  }
  const Json& check = result->at("engines").at(0).at("check");
  if (!check.at("max_relative_error").is_number()) return {0, check.value("reason", "no check")};
  return {check.at("max_relative_error").get<double>(), ""};
}

/// The largest error over the machines.
Bar correct_bar_of(const Case& one, const Sweep& sweep) {
  Bar bar{.bar = fmt::format("check {} {} {} seed {}", name_of_model(one.model), one.target,
                             one.executor, one.seed),
          .limit = one.model.ends_with("-qdq") ? kCorrectQuantizedLimit : kCorrectLimit};
  for (const Machine& machine : sweep.machines) {
    Report::progress(fmt::format("{}, {}", bar.bar, machine.name));
    const CorrectFinding error = error_of(one, machine);
    bar.value = std::max(bar.value, error.value);
    if (!error.reason.empty()) bar.reason = fmt::format("{}: {}", machine.name, error.reason);
  }
  return bar;
}

Result<void> run_correct(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const Sweep sweep, sweep_of(arguments));
  for (const std::string& model : sweep.models) {
    for (const std::string& target : sweep.targets) {
      for (const std::string& executor : sweep.executors) {
        for (const int seed : sweep.seeds) {
          report.add(correct_bar_of({model, target, executor, seed}, sweep));
        }
      }
    }
  }
  return {};
}

}  // namespace
}  // namespace opbench

int bench_correct_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "correct",
      .summary = "largest relative error of models against ONNX Runtime",
      .positionals = {{.name = "MODEL",
                       .help = "light_NAME, names of the zoo, files; default: all but files",
                       .is_required = false,
                       .repeats = true}},
      .options = {{.name = "--target",
                   .value_name = "TARGET",
                   .help = "may be repeated; default: host, llvm -mcpu=core-avx2, llvm",
                   .kind = opbench::OptionKind::kRepeated},
                  {.name = "--executor",
                   .value_name = "NAME,NAME…",
                   .help = "of OpBench's kernels",
                   .otherwise = "default",
                   .kind = opbench::OptionKind::kList},
                  {.name = "--seed",
                   .value_name = "N,N…",
                   .help = "of weights and inputs",
                   .otherwise = "1",
                   .kind = opbench::OptionKind::kList},
                  {.name = "--machine",
                   .value_name = "WORD",
                   .help = "one: of its CPUs is seen, and one thread; all: a thread a CPU; both",
                   .otherwise = "both"},
                  {.name = "--data",
                   .value_name = "FOLDER",
                   .help = "of the light models",
                   .otherwise = OPBENCH_SHARED_DATA "/onnx-light"}},
      .run = opbench::run_correct};
  return opbench::run_benchmark(benchmark, argc, argv);
}
