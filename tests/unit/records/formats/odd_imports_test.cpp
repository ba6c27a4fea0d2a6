#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "base/files/file.h"
#include "records/formats/record_scan.h"

namespace opbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The good records of a file with this content, and what was said about it.
struct OddImport {
  ScanReport report;
  std::vector<BenchmarkRecord> records;
};

OddImport scan_odd(const std::string& content) {
  const auto folder = TemporaryFolder::make();
  const auto path = folder->path() / "file.json";
  EXPECT_TRUE(write_file(path, content));
  OddImport result;
  result.report = scan_records(path.string(), {}, [&](const AnyRecord& record, const ReadItem&) {
    result.records.push_back(std::get<BenchmarkRecord>(record));
  });
  return result;
}

std::string hyperfine(const std::string& times, const std::string& codes) {
  return R"({"results": [{"command": "c", "mean": 1.5, "times": )" + times + R"(, "exit_codes": )" +
         codes + "}]}";
}

TEST(OddImports, RunsThatASignalEndedAreNotTimed) {
  const OddImport one = scan_odd(hyperfine("[0.099, 0.101]", "[null, 0]"));
  ASSERT_THAT(one.records, SizeIs(1));
  EXPECT_THAT(*one.records[0].runtime_raw_ms, ElementsAre(testing::DoubleEq(101)));
  EXPECT_EQ(one.records[0].samples_dropped->at("signal"), 1);

  const OddImport all = scan_odd(hyperfine("[1, 2]", "[null, null]"));
  ASSERT_THAT(all.records, SizeIs(1));
  EXPECT_EQ(all.records[0].status, "error");
  EXPECT_EQ(all.records[0].error_message, "all 2 runs ended with a signal");

  const OddImport both = scan_odd(hyperfine("[1, 2]", "[null, 3]"));
  EXPECT_EQ(both.records.at(0).error_message, "all 2 runs ended with an exit code or a signal");
}

TEST(OddImports, AMeanOfFailedRunsIsNoTime) {
  const OddImport summary = scan_odd(hyperfine("[]", "[0, null]"));
  ASSERT_THAT(summary.records, SizeIs(1));
  EXPECT_EQ(summary.records[0].status, "error");
  EXPECT_EQ(summary.records[0].error_message, "1 of 2 runs ended with a signal");
}

TEST(OddImports, ExitCodesThatAreNotOfTheTimesAreRefused) {
  const OddImport file = scan_odd(hyperfine("[1, 2, 3]", "[0, 0]"));
  EXPECT_THAT(file.records, IsEmpty());
  EXPECT_EQ(file.report.errors.at("E_COUNT"), 1);
}

TEST(OddImports, RunsWithoutExitCodesAreGood) {
  const OddImport older = scan_odd(hyperfine("[1, 2]", "null"));
  ASSERT_THAT(older.records, SizeIs(1));
  EXPECT_THAT(*older.records[0].runtime_raw_ms, SizeIs(2));
}

std::string google_row(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "run_type": "iteration", "real_time": 2.5, )" + more + "}";
}

TEST(OddImports, CountsReachToSixtyFourBitsAndNoFurther) {
  const OddImport file =
      scan_odd(R"({"context": {"num_cpus": 8}, "benchmarks": [)" +
               google_row("large", R"("iterations": 1000000000000, "repetitions": 3000000000)") +
               ",\n" + google_row("larger", R"("iterations": 9223372036854775808)") + ",\n" +
               google_row("largest", R"("iterations": 18446744073709551616)") + ",\n" +
               google_row("small", R"("iterations": 7)") + "]}");
  ASSERT_THAT(file.records, SizeIs(2));
  EXPECT_THAT(file.records[0].execution_config->text, HasSubstr("1000000000000"));
  EXPECT_EQ(file.records[1].workload, "small");
  EXPECT_EQ(file.report.errors, (std::map<std::string, int64_t>{{"E_JSON", 1}, {"E_RANGE", 1}}));
}

constexpr const char* kToplevel =
    R"({"ph": "X", "cat": "toplevel", "name": "RunTask", "pid": 1, "ts": 1, "dur": 5})";
constexpr const char* kMetadata =
    R"({"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "p"}})";

TEST(OddImports, TracesOfOtherProgramsAreNoProfiles) {
  const std::string event = kToplevel;
  const std::string first = kMetadata;
  for (const std::string& content :
       {"[" + event + "]", "[" + first + ",\n" + event + "]", R"({"traceEvents": [)" + event + "]}",
        "[" + first + "]",
        std::string(R"([{"ph": "X", "cat": "Node", "name": "f", "pid": 1, "ts": 1, "dur": 5}])")}) {
    const OddImport file = scan_odd(content);
    ASSERT_TRUE(file.report.failure) << content;
    EXPECT_THAT(file.report.failure->message, HasSubstr("no event of ONNX Runtime")) << content;
  }
  const OddImport named = scan_odd("[" + event + "]");
  EXPECT_THAT(named.report.failure->facts, Contains(Fact{"events of", "toplevel"}));
}

TEST(OddImports, EventsOfOtherPartsOfAProgramArePassedOver) {
  const OddImport file = scan_odd(
      "[" + std::string(kToplevel) + "," +
      R"({"cat": "Session", "ph": "X", "ts": 1, "dur": 7000, "pid": 1, "name": "model_run"})" +
      "]");
  ASSERT_THAT(file.records, SizeIs(1));
  EXPECT_EQ(file.records[0].runtime_ms_mean, 7.0);
  EXPECT_THAT(file.report.errors, IsEmpty());
}

TEST(OddImports, PassOverAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& content :
       {hyperfine("[1, 2]", "[0, 0]"),
        R"({"context": {}, "benchmarks": [)" + google_row("a", R"("iterations": 7)") + "]}",
        std::string(
            R"([{"cat": "Session", "ph": "X", "ts": 1, "dur": 7, "name": "model_run"}])")}) {
    EXPECT_THAT(scan_odd(mark + content).records, SizeIs(1)) << content;
    EXPECT_THAT(scan_odd(mark + content).report.errors, IsEmpty()) << content;
  }
}

TEST(OddImports, NameTextThatIsNoUtf8) {
  const OddImport file = scan_odd("\xff\xfe{\0}\0");
  ASSERT_TRUE(file.report.failure);
  EXPECT_THAT(file.report.failure->message, HasSubstr("is text in UTF-16"));
}

}  // namespace
}  // namespace opbench
