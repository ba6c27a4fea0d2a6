#include <string>
#include <vector>

#include "base/system/monotonic_clock.h"
#include "engines/runtime/device_runs.h"
#include "engines/runtime/executor.h"
#include "engines/runtime/step_watch.h"

namespace opbench {
namespace {

class SequentialExecutor : public Executor {
 public:
  SequentialExecutor(std::vector<BoundStep> steps, const Program& program)
      : steps_(std::move(steps)) {
    for (const Step& step : program.steps) texts_.push_back(watch_text(step));
  }

  int run() override {
    int failure = 0;
    for (size_t i = 0; i < steps_.size(); ++i) {
      const int code = run_step(i);
      if (failure == 0) failure = code;
    }
    watch_step(0, nullptr);
    return failure;
  }

  int run_timed(std::span<double> step_s) override {
    int failure = 0;
    double before = monotonic_s();
    for (size_t i = 0; i < steps_.size(); ++i) {
      const int code = run_step(i);
      if (failure == 0) failure = code;
      const double after = monotonic_s();
      step_s[i] = after - before;
      before = after;
    }
    watch_step(0, nullptr);
    return failure;
  }

 private:
  int run_step(size_t i) {
    watch_step(0, texts_[i].c_str());
    return steps_[i].run();
  }

  std::vector<BoundStep> steps_;
  std::vector<std::string> texts_;
};

}  // namespace

Result<std::unique_ptr<Executor>> make_sequential_executor(LoadedPackage& package) {
  if (package.device() != nullptr) return make_device_runs(package);
  std::vector<BoundStep> steps;
  for (const Step& step : package.program().steps) {
    OPBENCH_TRY(BoundStep bound, package.bind(step));
    steps.push_back(std::move(bound));
  }
  return std::make_unique<SequentialExecutor>(std::move(steps), package.program());
}

namespace {

/// A package for the host and a device has programs for a worker of each.
Result<std::unique_ptr<Executor>> make_default_executor(LoadedPackage& package) {
  const bool has_sides = package.device() != nullptr && !package.program().teams.steps.empty();
  return has_sides ? make_team_executor(package) : make_sequential_executor(package);
}

}  // namespace

ExecutorDef sequential_executor() {
  return {
      .name = "sequential", .summary = "one step after the other", .make = make_default_executor};
}

}  // namespace opbench
