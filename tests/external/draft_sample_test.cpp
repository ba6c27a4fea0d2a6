#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "external_data.h"
#include "records/formats/benchmark/benchmark_v01.h"

/// The sample record on the page that the benchmark format was drafted on.
namespace opbench {
namespace {

using testing::UnorderedElementsAre;

constexpr int64_t kNow = 1'795'000'000'000'000;  // November 2026

std::string sample_of_the_draft() {
  const auto page = read_file(test::draft_page("001_3e475d0ad21ab365.txt"));
  if (!page) return "";
  const size_t begin = page->find("{\n  \"workload\"");
  return page->substr(begin, page->find("\n}\n", begin) + 2 - begin);
}

std::vector<std::string> codes(const DecodedBenchmark& decoded) {
  std::vector<std::string> result;
  for (const RecordIssue& issue : decoded.issues) result.push_back(issue.code);
  return result;
}

/// For comparisons in which neither the order of keys counts nor how a number is written.
nlohmann::json by_value(const Json& json) { return json; }

TEST(DraftSample, IsReadToTheTestVector) {
  const std::string sample = sample_of_the_draft();
  if (sample.empty()) GTEST_SKIP() << "the page of the format is not here";
  const DecodedBenchmark decoded = decode_benchmark(sample, {.now_us = kNow});
  EXPECT_THAT(codes(decoded), UnorderedElementsAre("W_NO_DOMAIN", "W_TZ_ASSUMED"));
  ASSERT_TRUE(decoded.record);
  const BenchmarkRecord& record = *decoded.record;
  EXPECT_EQ(record.workload, "arcface_resnet100");
  std::vector<RecordIssue> ignored;
  EXPECT_EQ(parse_workload_name(record.workload, ignored).domain, "");
  EXPECT_EQ(parse_engine_version(*record.engine_version, ignored).semver, "1.0.0");
  EXPECT_EQ(record.hardware, "gcp-c2-standard-16");
  EXPECT_EQ(record.runtime_ms_mean, 109.43004820081924);
  EXPECT_EQ(record.runtime_ms_std, 0.09078385126800587);
  EXPECT_EQ(record.timestamp, "2019-11-23T00:34:11Z");
  EXPECT_EQ(record.inputs->text, R"([{"dtype":"float32","name":"data","shape":[1,3,112,112]}])");
  EXPECT_EQ(Json::parse(record.compilation_config->text)["opt_level"], 3);
  EXPECT_EQ(Json::parse(record.metadata->text)["docker_tag"], "tvmai/ci-gpu:v0.53");
  EXPECT_EQ(Json::parse(record.workload_metadata->text)["opset"], 8);
  EXPECT_EQ(record.source_form, "D");
  EXPECT_NEAR(*record.runtime_ms_std / *record.runtime_ms_mean, 0.00083, 0.000005);

  // And back, to the value, in its own form.
  const Json back = downgrade_benchmark(record, BenchmarkForm::kD).value();
  EXPECT_EQ(by_value(back), by_value(Json::parse(sample)));
}

}  // namespace
}  // namespace opbench
