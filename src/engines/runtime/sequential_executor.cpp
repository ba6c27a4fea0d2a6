#include <vector>

#include "base/system/monotonic_clock.h"
#include "engines/runtime/executor.h"

namespace opbench {
namespace {

class SequentialExecutor : public Executor {
 public:
  explicit SequentialExecutor(std::vector<BoundStep> steps) : steps_(std::move(steps)) {}

  int run() override {
    int failure = 0;
    for (BoundStep& step : steps_) {
      const int code = step.run();
      if (failure == 0) failure = code;
    }
    return failure;
  }

  int run_timed(std::span<double> step_s) override {
    int failure = 0;
    double before = monotonic_s();
    for (size_t i = 0; i < steps_.size(); ++i) {
      const int code = steps_[i].run();
      if (failure == 0) failure = code;
      const double after = monotonic_s();
      step_s[i] = after - before;
      before = after;
    }
    return failure;
  }

 private:
  std::vector<BoundStep> steps_;
};

}  // namespace

Result<std::unique_ptr<Executor>> make_sequential_executor(LoadedPackage& package) {
  std::vector<BoundStep> steps;
  for (const Step& step : package.program().steps) {
    OPBENCH_TRY(BoundStep bound, package.bind(step));
    steps.push_back(std::move(bound));
  }
  return std::make_unique<SequentialExecutor>(std::move(steps));
}

ExecutorDef sequential_executor() {
  return {.name = "sequential",
          .summary = "one step after the other",
          .make = make_sequential_executor};
}

}  // namespace opbench
