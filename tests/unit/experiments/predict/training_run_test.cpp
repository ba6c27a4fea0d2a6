#include "experiments/predict/training_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "machine/facts/environment.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

/// A unit of batch 0, as an earlier training on this machine kept it.
std::string kept_record() {
  BenchmarkRecord record;
  record.record_id = "u";
  record.status = "ok";
  record.scope = "unit";
  record.engine = "halide";
  record.model = "net";
  record.machine_hash = capture_environment().machine_hash;
  record.target = "llvm -mcpu=haswell";
  record.count = 1;
  record.workload_args = JsonText{R"({"workload":"relu 1x16x8x8"})"};
  record.compilation_config = JsonText{R"({"layouts":[16,16],"schedule":"elementwise"})"};
  record.runtime_config = JsonText{R"({"num_cpu_threads":1})"};
  record.runtime_ms_in_place = 0.4;
  record.runtime_ms_median = 0.3;
  record.labels = std::map<std::string, std::string>{{"batch", "0"}};
  return to_lines({record});
}

/// What a training that is cancelled at once reports, stage by stage.
std::vector<std::string> stages_of(bool is_random) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  EXPECT_TRUE(write_file(samples_path(folder.path(), "halide", 1), kept_record()));
  const std::atomic<bool> cancel = true;
  std::vector<std::string> stages;
  TrainingRequest request{.engine = "halide", .folder = folder.path(), .budget = {.total_s = 60}};
  request.is_random = is_random;
  request.cancel = &cancel;
  request.progress = [&](const TrainingProgress& progress) { stages.push_back(progress.stage); };
  const auto result = run_training(request);
  EXPECT_TRUE(result) << to_text(result.error());
  return stages;
}

TEST(TrainingRun, LearnsFromEarlierSamplesBeforeItMeasures) {
  EXPECT_EQ(stages_of(false),
            (std::vector<std::string>{"read", "learn", "learn", "learn", "learn"}));
}

TEST(TrainingRun, LearnsOnceWhereErrorsDoNotMatter) {
  EXPECT_EQ(stages_of(true), (std::vector<std::string>{"read", "learn", "learn"}));
}

}  // namespace
}  // namespace opbench
