#include "engines/runtime/device_runs.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/system/monotonic_clock.h"
#include "engines/runtime/step_watch.h"

namespace opbench {
namespace {

class DeviceRuns : public Executor {
 public:
  DeviceRuns(LoadedPackage& package, std::vector<BoundStep> steps)
      : package_(package), steps_(std::move(steps)) {
    for (const Step& step : package.program().steps) texts_.push_back(watch_text(step));
  }

  int run() override {
    int code = 0;
    for (size_t i = 0; i < steps_.size() && code == 0; ++i) {
      watch_step(0, texts_[i].c_str());
      code = steps_[i].run();
      if (code != 0) name_step(i);
    }
    if (code == 0) code = finish_on_device(package_);
    watch_step(0, nullptr);
    return code;
  }

  int run_timed(std::span<double> step_s) override {
    int code = 0;
    double before = monotonic_s();
    for (size_t i = 0; i < steps_.size() && code == 0; ++i) {
      watch_step(0, texts_[i].c_str());
      code = steps_[i].run();
      if (code == 0) code = finish_on_device(package_);
      if (code != 0) name_step(i);
      const double after = monotonic_s();
      step_s[i] = after - before;
      before = after;
    }
    watch_step(0, nullptr);
    return code;
  }

 private:
  void name_step(size_t step) {
    std::string& failure = package_.context().failure;
    failure = texts_[step] + ": " + (failure.empty() ? "its call failed" : failure);
  }

  LoadedPackage& package_;
  std::vector<BoundStep> steps_;
  std::vector<std::string> texts_;
};

}  // namespace

int finish_on_device(LoadedPackage& package) {
  return finish_on_device(package, package.context());
}

int finish_on_device(LoadedPackage& package, KernelContext& context) {
  if (package.device() == nullptr) return 0;
  const Result<void> ended = package.device()->synchronize();
  if (ended) return 0;
  context.failure = ended.error().message;
  return -1;
}

std::string take_failure(KernelContext& context, int code) {
  std::string words = std::exchange(context.failure, {});
  return words.empty() ? fmt::format("a kernel returned {}", code) : words;
}

Result<std::unique_ptr<Executor>> make_device_runs(LoadedPackage& package) {
  std::vector<BoundStep> steps;
  for (const Step& step : package.program().steps) {
    OPBENCH_TRY(BoundStep bound, package.bind_places(step, package.places_of(step)));
    steps.push_back(std::move(bound));
  }
  return std::make_unique<DeviceRuns>(package, std::move(steps));
}

}  // namespace opbench
