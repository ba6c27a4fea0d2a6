// `./dev bench executors`: the executor vm, whose kernels serve a range of extents, beside the
// default one, which compiles for each; and what a call with a new length costs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "engines/catalog/prepare_extents.h"
#include "engines/runtime/executor.h"
#include "engines/runtime/program_json.h"
#include "experiments/compare/compare_request.h"
#include "experiments/sessions/model/model_source.h"
#include "machine/target/parse_target.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr double kFreeLimit = 15, kStaticLimit = 5;  // percent slower than the default executor
constexpr double kVersionsLimit = 4;                 // of a kernel, over all lengths
constexpr double kFirstCallLimitMs = 10;
constexpr const char* kVm = "vm";
constexpr int kSteadyCalls = 3;
constexpr int kNearLengths = 3;  // new ones after each length

using ExecutorsClock = std::chrono::steady_clock;

double ms_since(ExecutorsClock::time_point begin) {
  return std::chrono::duration<double, std::milli>(ExecutorsClock::now() - begin).count();
}

struct ExecutorsOptions {
  std::string model, dimension;
  std::vector<int> lengths, threads;
  std::vector<std::string> static_models;
  double budget_s = 20;
};

Result<ExecutorsOptions> executors_options_of(const Arguments& arguments) {
  ExecutorsOptions options;
  options.model = arguments.value("--model");
  options.dimension = arguments.value("--dimension");
  OPBENCH_TRY(options.lengths, arguments.integers("--lengths", 1));
  OPBENCH_TRY(options.threads, arguments.integers("--threads", 1));
  OPBENCH_TRY(options.budget_s, arguments.positive("--budget"));
  options.static_models = arguments.values("--static");
  return options;
}

ProfileRequest executors_request_for(const std::string& model, const std::string& executor,
                                     int threads) {
  ProfileRequest request;
  request.model.name = model;
  request.model.is_zoo = true;
  request.settings.executor = executor;
  request.threads = {threads};
  request.measure.check_engine = "none";  // the tests check; here it would double the time
  return request;
}

/// How much slower vm is than the default executor, with its interval.
Result<void> executors_compare(const std::string& what, const ProfileRequest& base, double limit,
                               double budget_s, Report& report) {
  CompareRequest request;
  request.sides = {variant_of(base), variant_of(base)};
  request.sides.back().variant.settings.executor = kVm;
  request.scope.has_units = false;
  request.budget_s = budget_s;
  OPBENCH_TRY(const CompareResult result, run_compare(request));
  const CompareUnit& model = result.comparisons.front().model;
  const std::string bar = fmt::format("executors {}: vm, percent slower than default", what);
  if (!model.ratio) {
    report.add({bar, 0, limit, model.reason.empty() ? "no ratio" : model.reason});
    return {};
  }
  report.note(fmt::format("{}: default {:.3f} ms, vm {:.3f} ms, ratio {:.3f} [{:.3f}, {:.3f}], {}",
                          what, model.base->median_ms, model.candidate->median_ms,
                          model.ratio->median, model.ratio->low, model.ratio->high,
                          model.verdict ? name_of(*model.verdict) : model.reason));
  report.add({bar, (model.ratio->median - 1) * 100, limit});
  return {};
}

/// What a call with a length takes from the model in memory to its first result.
struct FirstCall {
  double prepare_ms = 0;               ///< shapes, layouts, memory, the package
  double bind_ms = 0;                  ///< to where the model is loaded
  double first_ms = 0, steady_ms = 0;  ///< calls
  double cpu_ms = 0;  ///< of this thread until the first call; less than the time if others run
  double beside_kernels_ms() const {
    return prepare_ms + bind_ms + std::max(first_ms - steady_ms, 0.0);
  }
};

/// A model in memory that is called with one length after another.
class Lengths {
 public:
  explicit Lengths(const ExecutorsOptions& options) : options_(options) {}

  Result<void> open() {
    OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
    folder_.emplace(std::move(folder));
    series_.emplace(folder_->path() / "packages");
    ProfileRequest request = executors_request_for(options_.model, kVm, 1);
    request.model.extents.dimensions = {{options_.dimension, options_.lengths.front()}};
    OPBENCH_TRY(model_, load_model(request.model, request.measure, request.hooks));
    engine_.folder = folder_->path();
    engine_.executor = kVm;
    OPBENCH_TRY(engine_.target, parse_target(request.settings.target));
    return {};
  }

  /// The kernels of the steps at this length are added to those seen; compiles what is missing.
  Result<FirstCall> call(int length) {
    set_length(length);
    FirstCall cost;
    const double cpu_begin_s = thread_cpu_s();
    auto begin = ExecutorsClock::now();
    OPBENCH_TRY(const PreparedModel prepared, prepare_extents(model_, engine_, *series_));
    cost.prepare_ms = ms_since(begin);
    begin = ExecutorsClock::now();
    OPBENCH_CHECK(bind(prepared.path));
    cost.bind_ms = ms_since(begin);
    cost.cpu_ms = s_to_ms(thread_cpu_s() - cpu_begin_s);
    for (int i = 0; i <= kSteadyCalls; ++i) {
      begin = ExecutorsClock::now();
      if (executor_->run() != 0) return Error{ErrorCode::kSystem, "a kernel failed"};
      (i == 0 ? cost.first_ms : cost.steady_ms) = ms_since(begin);
    }
    remember(prepared, package_->program());
    return cost;
  }

  size_t most_versions() const {
    size_t most = 0;
    for (const auto& [unit, symbols] : symbols_) most = std::max(most, symbols.size());
    return most;
  }
  size_t units() const { return symbols_.size(); }

 private:
  void set_length(int length) {
    for (Value& input : model_.graph.inputs) {
      for (Dimension& dimension : input.dimensions) {
        if (dimension.symbol == options_.dimension) dimension.value = length;
      }
    }
  }

  Result<void> bind(const std::filesystem::path& folder) {
    executor_.reset();
    if (package_ == nullptr) {
      OPBENCH_TRY(package_, LoadedPackage::load(folder, {.threads = 1}));
    } else {
      OPBENCH_CHECK(package_->take_extents(folder));
    }
    OPBENCH_TRY(const ExecutorDef* definition, executor_table().find(kVm));
    OPBENCH_TRY(executor_, definition->make(*package_));
    return {};
  }

  void remember(const PreparedModel& prepared, const Program& program) {
    for (size_t i = 0; i < prepared.units.size() && i < program.steps.size(); ++i) {
      if (!program.steps[i].symbol.empty()) {
        symbols_[prepared.units[i].values.output].insert(program.steps[i].symbol);
      }
    }
  }

  const ExecutorsOptions& options_;
  std::optional<TemporaryFolder> folder_;
  std::optional<PackageSeries> series_;
  RequestedModel model_;
  EngineOptions engine_;
  std::unique_ptr<LoadedPackage> package_;
  std::unique_ptr<Executor> executor_;                    ///< of the package
  std::map<std::string, std::set<std::string>> symbols_;  ///< by the unit's output
};

/// Every length, then lengths near them: their kernels are compiled by then.
Result<void> measure_lengths(const ExecutorsOptions& options, Report& report) {
  Lengths lengths(options);
  OPBENCH_CHECK(lengths.open());
  std::set<int> seen(options.lengths.begin(), options.lengths.end());
  for (const int length : seen) OPBENCH_CHECK(lengths.call(length));
  std::vector<double> costs;
  for (const int length : std::set<int>(seen)) {
    for (int near = length + 1; near <= length + kNearLengths; ++near) {
      const bool is_new = least_extent(near) == least_extent(length) && seen.insert(near).second;
      if (!is_new) continue;
      OPBENCH_TRY(const FirstCall cost, lengths.call(near));
      report.note(fmt::format(
          "{} {}={}: prepare {:.1f} ms, bind {:.1f} ms (both {:.1f} ms of CPU time), first call "
          "{:.1f} ms, later ones {:.1f} ms",
          options.model, options.dimension, near, cost.prepare_ms, cost.bind_ms, cost.cpu_ms,
          cost.first_ms, cost.steady_ms));
      costs.push_back(cost.beside_kernels_ms());
    }
  }
  report.note(fmt::format("{} units", lengths.units()));
  report.add({fmt::format("executors {}: versions of a kernel, at most", options.model),
              static_cast<double>(lengths.most_versions()), kVersionsLimit});
  report.add({fmt::format("executors {}: first call with a new length, ms beside its kernels",
                          options.model),
              costs.empty() ? 0 : median(costs), kFirstCallLimitMs,
              costs.empty() ? "no new length" : ""});
  return {};
}

Result<void> run_executors(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const ExecutorsOptions options, executors_options_of(arguments));
  OPBENCH_CHECK(measure_lengths(options, report));
  for (const int threads : options.threads) {
    const std::string at = fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
    for (const std::string& model : options.static_models) {
      OPBENCH_CHECK(executors_compare(fmt::format("{}, {}", model, at),
                                      executors_request_for(model, "default", threads),
                                      kStaticLimit, options.budget_s, report));
    }
    for (const int length : options.lengths) {
      ProfileRequest request = executors_request_for(options.model, "default", threads);
      request.model.extents.dimensions = {{options.dimension, length}};
      OPBENCH_CHECK(executors_compare(
          fmt::format("{} {}={}, {}", options.model, options.dimension, length, at), request,
          kFreeLimit, options.budget_s, report));
    }
  }
  return {};
}

}  // namespace
}  // namespace opbench

int bench_executors_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "executors",
      .summary = "kernels for ranges of extents beside kernels for each, and new lengths",
      .options = {{.name = "--model",
                   .value_name = "MODEL",
                   .help = "a built-in model with a free dimension",
                   .otherwise = "bert"},
                  {.name = "--dimension",
                   .value_name = "NAME",
                   .help = "the free dimension",
                   .otherwise = "sequence"},
                  {.name = "--lengths",
                   .value_name = "N,N…",
                   .help = "its extents",
                   .otherwise = "16,32,64,128,256,512",
                   .kind = opbench::OptionKind::kList},
                  {.name = "--static",
                   .value_name = "MODEL,MODEL…",
                   .help = "built-in models without one",
                   .otherwise = "resnet-18,mobilenet",
                   .kind = opbench::OptionKind::kList},
                  {.name = "--threads",
                   .value_name = "N,N…",
                   .help = "threads of a call",
                   .otherwise = "1",
                   .kind = opbench::OptionKind::kList},
                  {.name = "--budget",
                   .value_name = "SECONDS",
                   .help = "for each comparison",
                   .otherwise = "20"}},
      .run = opbench::run_executors};
  return opbench::run_benchmark(benchmark, argc, argv);
}
