#pragma once

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measuring/sampling/line_watch.h"
#include "tuning/trials/trial_builder.h"
#include "tuning/trials/trial_machine.h"
#include "tuning/trials/trial_runner.h"

namespace opbench {

struct LocalMachineOptions {
  TrialBuilderOptions build;
  TrialRunnerOptions run;
  uint64_t seed = 0;                      ///< of inputs and weights
  bool measures_precisely = false;        ///< every config as precisely as a winner
  std::optional<bool> cold_weights = {};  ///< of every task; else our own, which run inside models,
                                          ///< have them, and AutoTVM's are hot
};

/// This machine: workers build ahead on every CPU while an engine process checks and times what is
/// built. Whatever shares a CPU with it pauses while times are taken.
class LocalMachine : public TrialMachine {
 public:
  explicit LocalMachine(LocalMachineOptions options);
  ~LocalMachine() override;

  void begin(const TunableTask& task) override;
  size_t width() const override;
  void start(uint64_t index, KernelSpec spec) override;
  Result<MeasuredConfig> finish(double best_s) override;
  Result<MeasuredConfig> measure_afresh(uint64_t index, KernelSpec spec) override;
  std::vector<std::string> warnings() const override;

 private:
  Result<MeasuredConfig> measure(double best_s, bool is_precise);
  Outcome<std::vector<double>> run(const BuiltTrial& built, double best_s, bool is_precise);
  Result<void> take_case();

  LocalMachineOptions options_;
  bool has_cold_weights_ = false;  ///< of the task at work
  bool is_on_device_ = false;
  TrialRunner runner_;
  LineWatch lines_;
  std::shared_ptr<const Model> model_;
  std::future<Result<TrialCase>> case_;  ///< computed while the first kernels are built
  TrialBuilder builder_;                 ///< ends first: its orders name the model
};

}  // namespace opbench
