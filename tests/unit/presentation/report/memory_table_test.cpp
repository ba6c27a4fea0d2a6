#include "presentation/report/profile/memory_table.h"

#include <gmock/gmock.h>

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

EngineResult engine(const std::string& name, std::optional<double> peak_mb) {
  EngineResult result;
  result.engine = name;
  result.model.peak_memory_mb = peak_mb;
  return result;
}

TEST(MemoryTable, ShowsPlansBesideLiveSetsAndPeaksBesideTheRivals) {
  ProfileResult result;
  result.engines = {engine("ours", 60), engine("theirs", 120), engine("other", {})};
  result.engines[0].model.memory = PlannedMemory{3'300'000, 3'000'000, 46'000'000};
  const std::string text = memory_text(result, 0, {}, "theirs");
  EXPECT_THAT(text, HasSubstr("to theirs"));
  EXPECT_THAT(text, HasSubstr("3.3"));
  EXPECT_THAT(text, HasSubstr("1.10"));
  EXPECT_THAT(text, HasSubstr("46.0"));
  EXPECT_THAT(text, HasSubstr("0.50"));
  EXPECT_THAT(memory_markdown(result, "theirs"), HasSubstr("| ours |"));
  EXPECT_THAT(memory_text(result, 0, {}, "nobody"), Not(HasSubstr("to nobody")));
}

TEST(MemoryTable, ComparesProcessesOfAsManyThreads) {
  ProfileResult result;
  result.engines = {engine("ours", 60), engine("theirs", 120)};
  result.engines[0].threads = 2;
  EXPECT_THAT(memory_text(result, 0, {}, "theirs"), Not(HasSubstr("0.50")));
}

}  // namespace
}  // namespace opbench
