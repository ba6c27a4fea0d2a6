#include "records/formats/best_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

TuningRecord trial(const std::string& target, const std::string& task, double cost,
                   uint64_t index = 0) {
  TuningRecord record{.target = target, .task = task};
  record.config = KnobConfig{.index = index};
  record.result.costs_s = {cost};
  return record;
}

TvmTarget target_of(const std::string& text) { return parse_tvm_target(text).value(); }

std::string answer(const std::optional<BestAnswer>& found) {
  return found ? found->best->text + " " + to_text(found->provenance) : "none";
}

constexpr const char* kBestRecordsWorkload = R"(["t",[]])";

TEST(BestRecords, KeepsTheFirstOfEquallyFast) {
  BestRecords best;
  best.add(trial("cuda -model=a", "t", 2), "first");
  best.add(trial("cuda -model=a", "t", 2), "second");
  best.add(trial("cuda -model=a", "t", 1), "third");
  best.add(trial("cuda -model=a", "u", 5), "fourth");
  EXPECT_EQ(best.by_model_size(), 2);
  EXPECT_EQ(best.by_key_size(), 4);
  ASSERT_EQ(best.all().size(), 2u);
  EXPECT_EQ(best.all()[0]->text, "third");
  EXPECT_EQ(best.all()[1]->text, "fourth");
}

TEST(BestRecords, NeverHoldsAFailure) {
  BestRecords best;
  TuningRecord failed = trial("llvm", "t", 1);
  failed.result.costs_s.clear();
  failed.result.error_no = 4;
  best.add(failed, "failed");
  EXPECT_TRUE(best.all().empty());
  EXPECT_EQ(answer(best.find(target_of("llvm"), kBestRecordsWorkload)), "none");
}

TEST(BestRecords, SaysWhereAnAnswerComesFrom) {
  BestRecords best;
  best.add(trial("cuda -model=a", "t", 1), "a");
  best.add(trial("cuda -model=b", "t", 2), "b");
  best.add(trial("cuda -model=b -arch=sm_70", "t", 3), "b70");
  EXPECT_EQ(answer(best.find(target_of("cuda -model=b"), kBestRecordsWorkload)), "b exact");
  EXPECT_EQ(answer(best.find(target_of("cuda -model=b -arch=sm_70"), kBestRecordsWorkload)),
            "b70 exact");
  EXPECT_EQ(answer(best.find_as_tvm(target_of("cuda -model=b -arch=sm_70"), kBestRecordsWorkload)),
            "b same-model");
  EXPECT_EQ(answer(best.find(target_of("opencl -model=b"), kBestRecordsWorkload)),
            "b same-model-other-kind");
  EXPECT_EQ(answer(best.find(target_of("cuda -model=c"), kBestRecordsWorkload)),
            "a borrowed-by-key(cuda, from a)");
  EXPECT_EQ(answer(best.find(target_of("rocm"), kBestRecordsWorkload)),
            "a borrowed-by-key(gpu, from a)");
  EXPECT_EQ(answer(best.find_exact(target_of("cuda -model=c"), kBestRecordsWorkload)), "none");
  EXPECT_EQ(answer(best.find(target_of("llvm"), kBestRecordsWorkload)), "none");
}

TEST(BestRecords, DoesNotKnowAnUnknownModel) {
  BestRecords best;
  best.add(trial("llvm -model=unknown", "t", 1), "x");
  EXPECT_EQ(best.by_model_size(), 0);
  EXPECT_EQ(answer(best.find(target_of("llvm"), kBestRecordsWorkload)), "x exact");
}

TEST(BestRecords, FindArmProcessorsByTheirTripleAsTvm014Does) {
  const TvmTarget wanted = target_of("llvm -mtriple=aarch64-linux-gnu");
  for (const TvmRules rules : {TvmRules::k08, TvmRules::k014}) {
    BestRecords best(rules);
    best.add(trial("llvm -device=arm_cpu -model=rk3399", "t", 2), "arm");
    best.add(trial("llvm -mcpu=haswell", "t", 1), "x86");
    const bool is_old = rules == TvmRules::k08;
    EXPECT_EQ(answer(best.find_as_tvm(wanted, kBestRecordsWorkload)),
              is_old ? "x86 borrowed-by-key(cpu, from unknown)"
                     : "arm borrowed-by-key(arm_cpu, from rk3399)");
  }
}

TEST(PickBest, TakesTheFirstRecordOfAWantedConfig) {
  TuningRecord failed = trial("llvm", "t", 1, 7);
  failed.result.costs_s.clear();
  failed.result.error_no = 7;
  const std::vector<TuningRecord> log = {failed, trial("llvm", "t", 3, 8),
                                         trial("llvm -keys=cpu", "t", 2, 7)};
  BestRecords best;
  for (const TuningRecord& record : log) best.add(record, "");
  PickBest pick(best);
  std::vector<bool> taken;
  for (const TuningRecord& record : log) taken.push_back(pick.takes(record));
  EXPECT_THAT(taken, testing::ElementsAre(true, false, false)) << "the failure, as AutoTVM does";
}

}  // namespace
}  // namespace opbench
