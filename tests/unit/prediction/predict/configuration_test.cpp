#include "prediction/predict/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace opbench {
namespace {

constexpr Configuration kBase{.threads = 1, .isa = VectorIsa::kAvx2};

std::string message_of(const char* change) {
  const auto result = changed(kBase, change);
  return result ? "" : to_text(result.error());
}

TEST(Configuration, ChangesWhatTheTextNames) {
  EXPECT_EQ(text_of(changed(kBase, "threads=2").value()), "threads=2,target=avx2,neighbour=none");
  EXPECT_EQ(text_of(changed(kBase, "neighbour=memory,target=sse4.1").value()),
            "threads=1,target=sse4.1,neighbour=memory");
}

TEST(Configuration, ReadsItsOwnText) {
  const Configuration other{.threads = 4, .isa = VectorIsa::kAvx512, .has_memory_neighbour = true};
  EXPECT_EQ(changed(kBase, text_of(other)).value(), other);
}

TEST(Configuration, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(message_of("thread=2"), ::testing::HasSubstr("unknown key \"thread\""));
  EXPECT_THAT(message_of("thread=2"), ::testing::HasSubstr("did you mean: threads"));
  EXPECT_THAT(message_of("target=avx521"), ::testing::HasSubstr("did you mean: avx512"));
  EXPECT_THAT(message_of("neighbour=busy"), ::testing::HasSubstr("known: none, memory"));
  EXPECT_THAT(message_of("threads=0"), ::testing::HasSubstr("threads is \"0\""));
  EXPECT_THAT(message_of("threads=2,threads=3"), ::testing::HasSubstr("named twice"));
  EXPECT_NE(message_of(""), "");
}

TEST(Configuration, ComesFromARecord) {
  BenchmarkRecord record;
  record.target = "llvm -mcpu=haswell";
  record.runtime_config = JsonText{R"({"num_cpu_threads": 2})"};
  record.labels = std::map<std::string, std::string>{{kNeighbourLabel, kMemoryNeighbour}};
  EXPECT_EQ(text_of(configuration_of(record).value()), "threads=2,target=avx2,neighbour=memory");
  record.runtime_config = JsonText{"{}"};
  EXPECT_FALSE(configuration_of(record));
}

}  // namespace
}  // namespace opbench
