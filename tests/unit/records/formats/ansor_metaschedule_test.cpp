#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string replaced(std::string line, const std::string& part, const std::string& replacement) {
  const size_t at = line.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return line.replace(at, part.size(), replacement);
}

std::string ansor(const std::string& part = "", const std::string& replacement = "") {
  return replaced(
      R"({"i": [["[\"matmul\", 1024, [2, 3], \"float32\"]", "llvm -keys=cpu", [18, 64], "", 1, )"
      R"(["a", "b"]], [[], [["SP", 2, 0, 1024, [2, 1, 4], 1], ["PR", 2, 0, "x$8"]]]], )"
      R"("r": [[0.0044742, 0.005], 0, 0.335558, 1607112214], "v": "v0.6"})",
      part, replacement);
}

constexpr const char* kAnsorMetascheduleWorkload = R"(["2807789279029020929","YWJj"])";

std::string metaschedule(const std::string& part = "", const std::string& replacement = "") {
  return replaced(
      R"([3,[[[["GetBlock",[],["C","main"],["b0"]],["EnterPostproc",[],[],[]]],[[0,[1,2]]]],)"
      R"([0.001,0.002],{"keys":["cpu"],"kind":"llvm","tag":""},[["TENSOR","float32",[1,2]]]]])",
      part, replacement);
}

TEST(Ansor, ReadsEveryPartOfALine) {
  const DecodedLine decoded = decode_ansor(ansor());
  ASSERT_TRUE(decoded.record) << decoded.issues[0].message;
  EXPECT_THAT(decoded.issues, IsEmpty());
  const TuningRecord& record = *decoded.record;
  EXPECT_EQ(record.task, "ansor:matmul");
  EXPECT_EQ(record.target, "llvm -keys=cpu");
  EXPECT_EQ(workload_key(record), R"(["ansor:matmul",[1024,2,3,"float32"]])") << "flattened";
  EXPECT_THAT(record.result.costs_s, ElementsAre(0.0044742, 0.005));
  EXPECT_TRUE(record.result.timestamp_is_int);
  EXPECT_EQ(record.origin.format, TuningFormat::kAnsor);
  EXPECT_EQ(record.origin.format_version, "v0.6");
  const auto& config = std::get<AnsorConfig>(record.config);
  EXPECT_THAT(config.hardware_params, ElementsAre(18, 64));
  EXPECT_EQ(config.target_host, "");
  EXPECT_EQ(config.layout_rewrite, 1);
  EXPECT_THAT(*config.task_inputs, ElementsAre("a", "b"));
  EXPECT_EQ(config.task_items, 6);
  ASSERT_THAT(config.steps, SizeIs(2));
  EXPECT_EQ(config.steps[1].kind, "PR");
  EXPECT_EQ(config.steps[1].items[2].text, "x$8");
}

TEST(Ansor, TakesTasksOfEveryLength) {
  for (const char* rest :
       {R"(, ["a", "b"]], [[])", R"(, 1, ["a", "b"]], [[])", R"(, "", 1, ["a", "b"]], [[])",
        R"(, [18, 64], "", 1, ["a", "b"]], [[])"}) {
    const DecodedLine decoded = decode_ansor(ansor(rest, "], [[]"));
    EXPECT_TRUE(decoded.record) << rest;
  }
}

TEST(Ansor, TakesAFailure) {
  const DecodedLine decoded = decode_ansor(ansor("[0.0044742, 0.005], 0", "[1e+10], 4"));
  ASSERT_TRUE(decoded.record);
  EXPECT_THAT(decoded.issues, IsEmpty());
  EXPECT_THAT(decoded.record->result.costs_s, IsEmpty());
  EXPECT_EQ(decoded.record->result.failure_sentinel, 1e10);
}

TEST(Ansor, TakesAKeyThatIsNoList) {
  const DecodedLine plain =
      decode_ansor(ansor(R"([\"matmul\", 1024, [2, 3], \"float32\"])", "matmul"));
  ASSERT_TRUE(plain.record);
  EXPECT_EQ(plain.record->task, "ansor:matmul");
  const DecodedLine old = decode_ansor(ansor(R"(, 1024, [2, 3], \"float32\"])", "]"));
  ASSERT_TRUE(old.record);
  ASSERT_THAT(old.issues, SizeIs(1));
  EXPECT_EQ(old.issues[0].code, "W_OLD_KEY");
}

struct AnsorMetascheduleFaultCase {
  const char* code;
  const char* part;
  const char* replacement;
  const char* field;
};

std::ostream& operator<<(std::ostream& out, const AnsorMetascheduleFaultCase& value) {
  return out << value.code << " " << value.replacement;
}

/// The column is that of the field, or of the part where it begins there.
void expect_fault(const DecodedLine& decoded, const AnsorMetascheduleFaultCase& wanted) {
  EXPECT_FALSE(decoded.record);
  ASSERT_THAT(decoded.issues, SizeIs(1));
  EXPECT_EQ(decoded.issues[0].code, wanted.code) << decoded.issues[0].message;
  EXPECT_EQ(decoded.issues[0].field, wanted.field) << decoded.issues[0].message;
  EXPECT_GT(decoded.issues[0].column, 0);
}

class AnsorFault : public testing::TestWithParam<AnsorMetascheduleFaultCase> {};
TEST_P(AnsorFault, HasItsCodeAndPlace) {
  expect_fault(decode_ansor(ansor(GetParam().part, GetParam().replacement)), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Codes, AnsorFault,
    testing::Values(AnsorMetascheduleFaultCase{"E_JSON", "\"r\"", "r", ""},
                    AnsorMetascheduleFaultCase{"E_KEYS", "\"v\"", "\"w\"", "w"},
                    AnsorMetascheduleFaultCase{"E_KEYS", R"(, "v": "v0.6")", "", ""},
                    AnsorMetascheduleFaultCase{"E_KEYS", "\"v\": ", "\"r\": [], \"v\": ", "r"},
                    AnsorMetascheduleFaultCase{"E_VERSION", "\"v0.6\"", "\"v0.7\"", "v"},
                    AnsorMetascheduleFaultCase{"E_VERSION", "\"v0.6\"", "0.6", "v"},
                    AnsorMetascheduleFaultCase{"E_INPUT_ARITY", ", [[], [[", ", 1, [[], [[", "i"},
                    AnsorMetascheduleFaultCase{"E_INPUT_ARITY", "[18, 64]", "5", "i[0][2]"},
                    AnsorMetascheduleFaultCase{"E_INPUT_ARITY", "\"\", 1", "null, 1", "i[0][3]"},
                    AnsorMetascheduleFaultCase{"E_INPUT_ARITY", "\"\", 1", "\"\", \"1\"",
                                               "i[0][4]"},
                    AnsorMetascheduleFaultCase{"E_INPUT_ARITY", R"("a", )", "1, ", "i[0][5]"},
                    AnsorMetascheduleFaultCase{"E_TARGET", "\"llvm -keys=cpu\"", "\"\"", "i[0][1]"},
                    AnsorMetascheduleFaultCase{"E_STEP", R"("SP", 2)", "2", "i[1][1][0]"},
                    AnsorMetascheduleFaultCase{"E_COSTS", "0.005", "-1", "r[0][1]"},
                    AnsorMetascheduleFaultCase{"E_SENTINEL", "0.005", "1e10", "r[0][1]"},
                    AnsorMetascheduleFaultCase{"E_ERRNO", "], 0, ", "], 11, ", "r[1]"},
                    AnsorMetascheduleFaultCase{"E_RESULT_ARITY", ", 1607112214", "", "r"}));

TEST(Metaschedule, ReadsEveryPartOfALine) {
  const DecodedLine decoded = decode_metaschedule(metaschedule(), kAnsorMetascheduleWorkload);
  ASSERT_TRUE(decoded.record) << decoded.issues[0].message;
  EXPECT_THAT(decoded.issues, IsEmpty());
  const TuningRecord& record = *decoded.record;
  EXPECT_EQ(record.task, "metaschedule:2807789279029020929");
  EXPECT_EQ(record.target, R"({"keys":["cpu"],"kind":"llvm","tag":""})");
  EXPECT_EQ(record.arguments[0].value.text, "float32") << "the type stands before the extents";
  EXPECT_THAT(record.result.costs_s, ElementsAre(0.001, 0.002));
  EXPECT_FALSE(record.result.timestamp);
  const auto& config = std::get<TraceConfig>(record.config);
  EXPECT_EQ(config.workload_index, 3);
  EXPECT_EQ(config.workload_module, "YWJj");
  EXPECT_EQ(config.trace_json,
            R"([[["GetBlock",[],["C","main"],["b0"]],["EnterPostproc",[],[],[]]],[[0,[1,2]]]])");
}

TEST(Metaschedule, KnowsAFailure) {
  for (const auto& [part, replacement] :
       {std::pair("[0.001,0.002]", "[10000000000]"), std::pair("[0.001,0.002]", "null"),
        std::pair(R"(["GetBlock",[],["C","main"],["b0"]],)", "")}) {
    const DecodedLine decoded =
        decode_metaschedule(metaschedule(part, replacement), kAnsorMetascheduleWorkload);
    ASSERT_TRUE(decoded.record) << replacement;
    EXPECT_EQ(decoded.record->result.error_no, 8);
    EXPECT_THAT(decoded.record->result.costs_s, IsEmpty());
  }
}

TEST(Metaschedule, DropsValuesThatStandForFailures) {
  const DecodedLine decoded =
      decode_metaschedule(metaschedule("0.002", "10000000000"), kAnsorMetascheduleWorkload);
  ASSERT_TRUE(decoded.record);
  EXPECT_THAT(decoded.record->result.costs_s, ElementsAre(0.001));
  ASSERT_THAT(decoded.issues, SizeIs(1));
  EXPECT_TRUE(decoded.issues[0].is_warning);
}

class MetascheduleFault : public testing::TestWithParam<AnsorMetascheduleFaultCase> {};
TEST_P(MetascheduleFault, HasItsCodeAndPlace) {
  const std::string line = metaschedule(GetParam().part, GetParam().replacement);
  expect_fault(decode_metaschedule(line, kAnsorMetascheduleWorkload), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Codes, MetascheduleFault,
    testing::Values(AnsorMetascheduleFaultCase{"E_JSON", "0.001", "0.", ""},
                    AnsorMetascheduleFaultCase{"E_INPUT_ARITY", "[3,", "[", ""},
                    AnsorMetascheduleFaultCase{"E_WORKLOAD", "[3,", "[\"3\",", "[0]"},
                    AnsorMetascheduleFaultCase{"E_TRACE", ",[[0,[1,2]]]", "", "[1][0]"},
                    AnsorMetascheduleFaultCase{"E_TRACE", R"(,["b0"]])", "]", "[1][0][0][0]"},
                    AnsorMetascheduleFaultCase{"E_COSTS", "0.002", "\"x\"", "[1][1][1]"},
                    AnsorMetascheduleFaultCase{
                        "E_TARGET", R"({"keys":["cpu"],"kind":"llvm","tag":""})", "5", "[1][2]"},
                    AnsorMetascheduleFaultCase{"E_TARGET", "\"kind\"", "\"king\"", "[1][2]"},
                    AnsorMetascheduleFaultCase{"E_ARG", "\"float32\",", "", "[1][3][0]"}));

TEST(Metaschedule, RefusesARecordWithoutItsWorkload) {
  for (const char* workload : {"", "[]", "x", "[1,2]"}) {
    const DecodedLine decoded = decode_metaschedule(metaschedule(), workload);
    EXPECT_FALSE(decoded.record);
    ASSERT_THAT(decoded.issues, SizeIs(1));
    EXPECT_EQ(decoded.issues[0].code, "E_WORKLOAD");
  }
}

}  // namespace
}  // namespace opbench
