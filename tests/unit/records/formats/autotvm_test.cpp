#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A good line of version 0.2 with a part replaced.
std::string line_with(const std::string& part = "", const std::string& replacement = "") {
  std::string line =
      R"({"input": ["llvm", "dense_pack.x86", [["TENSOR", [1, 512], "float32"], null, 2, -0.5, )"
      R"("x", [1, true]], {}], "config": {"index": 12, "code_hash": null, "entity": [)"
      R"(["tile_x", "sp", [-1, 32]], ["reorder", "re", [1, 0]], ["ann", "an", ["unroll", "vec"]], )"
      R"(["unroll_kw", "ot", true]]}, "result": [[1.2e-05], 0, 1.5, 1663918044.7181036], )"
      R"("version": 0.2, "tvm_version": "0.8.0"})";
  const size_t at = line.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return line.replace(at, part.size(), replacement);
}

std::string old_line(const std::string& part = "", const std::string& replacement = "") {
  std::string line =
      R"({"i": ["opencl -model=1080ti", "topi_nn_conv2d", [["TENSOR", [1, 2048, 8, 8], "float32"], )"
      R"(["TENSOR", [192, 2048, 1, 1], "float32"], [1, 1], [0, 0], [1, 1], "NCHW", "float32"], {}, )"
      R"(["conv2d", [1, 2048, 8, 8, "float32"]], {"i": 7, "t": "direct", "c": null, )"
      R"("e": [["tile_f", "sp", [2, 3]]]}], "r": [[1e-05], 0, 1.5, 15.5], "v": 0.1})";
  const size_t at = line.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return line.replace(at, part.size(), replacement);
}

struct AutotvmFaultCase {
  const char* code;
  std::string line;
  int64_t column;
  const char* field;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const AutotvmFaultCase& value) {
  return out << value.code << " " << value.line;
}

class AutotvmFault : public testing::TestWithParam<AutotvmFaultCase> {};

TEST_P(AutotvmFault, HasItsCodeAndPlace) {
  const DecodedLine decoded = decode_autotvm(GetParam().line);
  EXPECT_FALSE(decoded.record);
  ASSERT_THAT(decoded.issues, SizeIs(1));
  const RecordIssue& issue = decoded.issues[0];
  EXPECT_EQ(issue.code, GetParam().code) << issue.message;
  EXPECT_TRUE(issue.is_error());
  EXPECT_EQ(issue.column, GetParam().column) << issue.message;
  EXPECT_EQ(issue.field, GetParam().field);
  EXPECT_THAT(issue.message, HasSubstr(GetParam().message));
}

/// The column where `part` stands in the good line.
int64_t column_of(const std::string& part) {
  return static_cast<int64_t>(line_with().find(part)) + 1;
}

INSTANTIATE_TEST_SUITE_P(
    Codes, AutotvmFault,
    testing::Values(
        AutotvmFaultCase{"E_JSON", "{", 2, "", "the text ends inside of a value"},
        AutotvmFaultCase{"E_JSON", "{\"input\": oops}", 11, "", "\"oops}\""},
        AutotvmFaultCase{"E_JSON", "{\"a\": 1}x", 9, "", "more text after the value"},
        AutotvmFaultCase{"E_JSON", "{\"a\": 01}", 7, "", "begins with 0"},
        AutotvmFaultCase{"E_JSON", "{\"a\": \"\xff\"}", 8, "", "not UTF-8"},
        AutotvmFaultCase{"E_JSON", std::string(100'000, '['), 1002, "", "nested deeper than 1000"},
        AutotvmFaultCase{"E_KEYS", "[]", 1, "", "a JSON object"},
        AutotvmFaultCase{"E_KEYS", "{}", 1, "", "\"input\" is missing"},
        AutotvmFaultCase{"E_KEYS", "{\"i\": []}", 1, "", "\"r\" is missing"},
        AutotvmFaultCase{"E_KEYS", line_with(R"("version": 0.2, )", ""), 1, "",
                         "\"version\" is missing"},
        AutotvmFaultCase{"E_KEYS", line_with(R"("version")", R"("config")"),
                         column_of("{\"index\""), "config", "\"config\" stands there twice"},
        AutotvmFaultCase{"E_KEYS", line_with(R"("index": 12, )", ""), column_of("{\"index\""),
                         "config", "\"index\" of the config is missing"},
        AutotvmFaultCase{"E_INPUT_ARITY", line_with(R"(, {}])", "]"), column_of("[\"llvm\""),
                         "input", "needs 4 items"},
        AutotvmFaultCase{"E_INPUT_ARITY", line_with(R"("dense_pack.x86")", "5"),
                         column_of("\"dense_pack.x86\""), "input[1]", "name"},
        AutotvmFaultCase{"E_INPUT_ARITY", old_line(R"(, {}, )", ", "), 7, "i", "needs 6 items"},
        AutotvmFaultCase{"E_TARGET", line_with(R"("llvm")", "7"), column_of("\"llvm\""), "input[0]",
                         "text"},
        AutotvmFaultCase{"E_TARGET", line_with("llvm", "llvm -mcpu=a -mcpu=b"),
                         column_of("\"llvm\""), "input[0]", "\"-mcpu\" twice"},
        AutotvmFaultCase{"E_TARGET", line_with("llvm", ""), column_of("\"llvm\""), "input[0]",
                         "empty"},
        AutotvmFaultCase{"E_ARG", line_with("-0.5", "{}"), column_of("-0.5"), "args[3]",
                         "{} is no argument"},
        AutotvmFaultCase{"E_ARG", line_with("-0.5", "NaN"), column_of("-0.5"), "args[3]",
                         "NaN is no argument"},
        AutotvmFaultCase{"E_KNOB_KIND", line_with("\"sp\"", "\"spl\""), column_of("\"sp\""),
                         "config.entity[0][1]", "\"spl\" of knob \"tile_x\""},
        AutotvmFaultCase{"E_KNOB_VALUE", line_with("[-1, 32]", "[32, -1]"), column_of("[-1, 32]"),
                         "config.entity[0][2]", "split factor -1"},
        AutotvmFaultCase{"E_KNOB_VALUE", line_with("[-1, 32]", "[0, 32]"), column_of("[-1, 32]"),
                         "config.entity[0][2]", "split factor 0"},
        AutotvmFaultCase{"E_KNOB_VALUE", line_with("[-1, 32]", "7"), column_of("[-1, 32]"),
                         "config.entity[0][2]", "list of integers, not 7"},
        AutotvmFaultCase{"E_KNOB_VALUE", line_with("[1, 0]", "[1, 1]"), column_of("[1, 0]"),
                         "config.entity[1][2]", "no permutation of 0 to 1"},
        AutotvmFaultCase{"E_KNOB_VALUE", line_with("\"vec\"", "\"vectorise\""),
                         column_of("[\"unroll\", \"vec\"]"), "config.entity[2][2]",
                         "\"vectorise\""},
        AutotvmFaultCase{"E_KNOB_VALUE", line_with(": 12", ": -12"), column_of("12, "),
                         "config.index", "no integer from 0 on"},
        AutotvmFaultCase{"E_RESULT_ARITY", line_with(", 1663918044.7181036", ""),
                         column_of("[[1.2e-05]"), "result", "needs 4 items"},
        AutotvmFaultCase{"E_RESULT_ARITY", line_with("1.5", "null"), column_of("1.5"), "result[2]",
                         "null is no number"},
        AutotvmFaultCase{"E_COSTS", line_with("[1.2e-05]", "[]"), column_of("[1.2e-05]"),
                         "result[0]", "at least one"},
        AutotvmFaultCase{"E_COSTS", line_with("1.2e-05", "\"fast\""), column_of("1.2e-05"),
                         "result[0][0]", "\"fast\""},
        AutotvmFaultCase{"E_COSTS", line_with("1.2e-05", "1e-05, NaN"), column_of("1.2e-05") + 7,
                         "result[0][1]", "NaN"},
        AutotvmFaultCase{"E_COSTS", line_with("1.2e-05", "-Infinity"), column_of("1.2e-05"),
                         "result[0][0]", "-Infinity"},
        AutotvmFaultCase{"E_COSTS", line_with("1.2e-05", "0.0"), column_of("1.2e-05"),
                         "result[0][0]", "not above 0"},
        AutotvmFaultCase{"E_ERRNO", line_with("], 0, 1.5", "], 9, 1.5"), column_of("0, 1.5"),
                         "result[1]", "error_no 9"},
        AutotvmFaultCase{"E_ERRNO", line_with("], 0, 1.5", "], 0.0, 1.5"), column_of("0, 1.5"),
                         "result[1]", "error_no 0.0"},
        AutotvmFaultCase{"E_SENTINEL", line_with("1.2e-05", "1000000000.0"), column_of("1.2e-05"),
                         "result[0][0]", "error_no is 0"},
        AutotvmFaultCase{"E_VERSION", line_with("0.2,", "0.3,"), column_of("0.2,"), "version",
                         "log version 0.3"},
        AutotvmFaultCase{"E_VERSION", line_with("0.2,", "\"0.2\","), column_of("0.2,"), "version",
                         "log version \"0.2\""},
        AutotvmFaultCase{"E_VERSION", old_line("0.1}", "0.15}"),
                         static_cast<int64_t>(old_line().find("0.1}")) + 1, "v",
                         "log version 0.15"},
        AutotvmFaultCase{"E_PICKLE", "llvm\tgAN9\tgAN9\tgAN9", 1, "", "pickles"},
        AutotvmFaultCase{"E_PICKLE", "llvm\tgAN9\tgAN9\tgAN9\t0.2\t0.8.0", 1, "", "pickles"}));

TEST(Autotvm, WritesWhatItRead) {
  for (const std::string& line : {
           line_with(),
           line_with("1.2e-05", "1e-05, 0.0001, 12345.6789"),
           line_with("[1.2e-05], 0, 1.5", "[1000000000.0], 6, 10"),
           line_with("null, 2", "123456789012345678901234567890, 2"),
           line_with("\"x\"", R"("\u00e9\ud83d\ude00\n\"\\/")"),
           line_with("\"tvm_version\": \"0.8.0\"",
                     "\"tvm_version\": \"0.8.0\", \"note\": {\"a\": [1.0, null]}"),
           line_with(", \"tvm_version\": \"0.8.0\"", ""),
           line_with("{\"input\"", "{\"note\": \"first\", \"input\""),
           line_with("\"index\": 12, \"code_hash\": null",
                     "\"code_hash\": \"1f\", \"index\": 18446744073709551615"),
           line_with(", {}]", ", {\"axis\": -1}]"),
       }) {
    const DecodedLine decoded = decode_autotvm(line);
    ASSERT_TRUE(decoded.record) << line << "\n" << decoded.issues[0].message;
    EXPECT_THAT(decoded.issues, IsEmpty()) << decoded.issues[0].message;
    const auto written = encode_autotvm(*decoded.record);
    ASSERT_TRUE(written);
    EXPECT_EQ(*written, line);
  }
}

TEST(Autotvm, KeepsTheOrderOfKeys) {
  const DecodedLine decoded = decode_autotvm(
      R"({"version": 0.2, "result": [[1.0], 0, 1.0, 2.0], "config": {"entity": [], "index": 1, )"
      R"("code_hash": null}, "input": ["cuda", "t", [], {}], "tvm_version": "0.8.0"})");
  ASSERT_TRUE(decoded.record);
  EXPECT_THAT(decoded.record->origin.key_order,
              testing::ElementsAre("version", "result", "config", "input", "tvm_version"));
  EXPECT_EQ(
      encode_autotvm(*decoded.record).value(),
      R"({"version": 0.2, "result": [[1.0], 0, 1.0, 2.0], "config": {"entity": [], "index": 1, )"
      R"("code_hash": null}, "input": ["cuda", "t", [], {}], "tvm_version": "0.8.0"})");
}

TEST(Autotvm, KeepsATensorWithFourItemsAndWarns) {
  const std::string line = line_with(R"("float32"], null)", R"("float32", [0, 0]], null)");
  const DecodedLine decoded = decode_autotvm(line);
  ASSERT_TRUE(decoded.record);
  ASSERT_THAT(decoded.issues, SizeIs(1));
  EXPECT_EQ(decoded.issues[0].code, "E_ARG");
  EXPECT_TRUE(decoded.issues[0].is_warning);
  EXPECT_EQ(decoded.issues[0].field, "args[0]");
  EXPECT_EQ(decoded.issues[0].column, column_of("[\"TENSOR\""));
  EXPECT_THAT(decoded.record->arguments[0].value.trailing, SizeIs(1));
  EXPECT_EQ(encode_autotvm(*decoded.record).value(), line);
}

TEST(Autotvm, KeepsWhatTvmWouldNotKnowAndWarns) {
  for (const auto& [part, replacement, code] :
       {std::tuple("llvm", "myasic -model=1", "E_TARGET"),
        std::tuple(R"([1, 512])", R"("no shape")", "E_ARG"),
        std::tuple(R"([1, 512])", R"([1, 0])", "E_ARG"),
        std::tuple(R"("float32"])", R"("flaot32"])", "E_ARG"),
        std::tuple(R"([1.2e-05], 0)", R"([0.5], 4)", "E_COSTS")}) {
    const DecodedLine decoded = decode_autotvm(line_with(part, replacement));
    EXPECT_TRUE(decoded.record) << replacement;
    ASSERT_THAT(decoded.issues, SizeIs(1)) << replacement;
    EXPECT_EQ(decoded.issues[0].code, code);
    EXPECT_TRUE(decoded.issues[0].is_warning);
  }
}

TEST(Autotvm, GivesAFailureNoCosts) {
  const DecodedLine decoded =
      decode_autotvm(line_with("[1.2e-05], 0, 1.5", "[1000000000.0], 6, 10"));
  ASSERT_TRUE(decoded.record);
  const TuningResult& result = decoded.record->result;
  EXPECT_THAT(result.costs_s, IsEmpty());
  EXPECT_EQ(result.error_no, 6);
  EXPECT_EQ(result.failure_sentinel, 1e9);
  EXPECT_TRUE(result.all_cost_is_int);
  EXPECT_FALSE(result.timestamp_is_int);
}

TEST(Autotvm, UpgradesAnOldLine) {
  const DecodedLine decoded = decode_autotvm(old_line());
  ASSERT_TRUE(decoded.record);
  EXPECT_EQ(decoded.record->template_key, "direct");
  EXPECT_EQ(decoded.record->legacy_workload->items[0].text, "conv2d");
  EXPECT_EQ(
      encode_autotvm(*decoded.record).value(),
      R"({"input": ["opencl -model=1080ti", "conv2d_nchw.cuda", [["TENSOR", [1, 2048, 8, 8], )"
      R"("float32"], ["TENSOR", [192, 2048, 1, 1], "float32"], [1, 1], [0, 0, 0, 0], [1, 1], )"
      R"("float32"], {}], "config": {"index": 7, "code_hash": null, "entity": [["tile_f", )"
      R"("sp", [2, 3]]]}, "result": [[1e-05], 0, 1.5, 15.5], "version": 0.2, )"
      R"("tvm_version": "0.7.dev0"})");
}

struct UpgradeCase {
  const char* target;
  const char* task;
  const char* template_key;
  const char* arguments;
  const char* new_task;
  const char* new_arguments;
  const char* workload = "null";
};

std::ostream& operator<<(std::ostream& out, const UpgradeCase& value) {
  return out << value.target << " " << value.task;
}

class AutotvmUpgrade : public testing::TestWithParam<UpgradeCase> {};

TEST_P(AutotvmUpgrade, FollowsTopHub) {
  const UpgradeCase& wanted = GetParam();
  const std::string line = std::string(R"({"i": [")") + wanted.target + R"(", ")" + wanted.task +
                           R"(", )" + wanted.arguments + R"(, {}, )" + wanted.workload +
                           R"(, {"i": 1, "t": ")" + wanted.template_key +
                           R"(", "c": null, "e": []}], "r": [[1.0], 0, 1.0, 2.0], "v": 0.1})";
  const DecodedLine decoded = decode_autotvm(line);
  ASSERT_TRUE(decoded.record) << decoded.issues[0].message;
  const auto written = encode_autotvm(*decoded.record);
  ASSERT_TRUE(written) << to_text(written.error());
  EXPECT_THAT(*written, HasSubstr(std::string("\"") + wanted.new_task + "\", " +
                                  wanted.new_arguments + ", {}]"));
}

#define DATA R"(["TENSOR", [1, 64, 8, 8], "float32"], ["TENSOR", [64, 64, 3, 3], "float32"])"
#define DENSE R"(["TENSOR", [1, 64], "float32"], ["TENSOR", [8, 64], "float32"])"
INSTANTIATE_TEST_SUITE_P(
    Tasks, AutotvmUpgrade,
    testing::Values(
        UpgradeCase{"cuda", "topi_nn_conv2d", "winograd",
                    "[" DATA R"(, [1, 1], [1, 2], "NCHW", "float32"])", "conv2d_nchw_winograd.cuda",
                    "[" DATA R"(, [1, 1], [1, 2, 1, 2], [1, 1], "float32"])"},
        UpgradeCase{"rocm", "topi_nn_depthwise_conv2d_nchw", "direct",
                    "[" DATA R"(, [1, 1], [1, 1], "float32"])", "depthwise_conv2d_nchw.cuda",
                    "[" DATA R"(, [1, 1], [1, 1, 1, 1], [1, 1], "float32"])"},
        UpgradeCase{"llvm -device=arm_cpu", "topi_nn_conv2d", "direct",
                    "[" DATA R"(, [1, 1], [1, 1], [2, 2], "NCHW", "float32"])",
                    "conv2d_nchw_spatial_pack.arm_cpu",
                    "[" DATA R"(, [1, 1], [1, 1, 1, 1], [2, 2], "float32"])"},
        UpgradeCase{"llvm -device=arm_cpu", "topi_nn_conv2d_transpose_nchw", "direct",
                    "[" DATA R"(, [2, 2], [1, 1], "int32"])", "conv2d_transpose_nchw.arm_cpu",
                    "[" DATA R"(, [2, 2], [1, 1, 1, 1], "int32", [0, 0]])"},
        UpgradeCase{"opencl -device=mali", "topi_nn_dense", "direct", "[" DENSE ", null]",
                    "dense.mali", "[" DENSE ", null, null]"},
        UpgradeCase{"llvm", "topi_x86_conv2d_NCHWc", "direct",
                    "[" DATA R"(, 64, [1, 1], [1, 1], [1, 1], "NCHW", "NCHW", "float32"])",
                    "conv2d_NCHWc.x86",
                    "[" DATA R"(, [1, 1], [1, 1, 1, 1], [1, 1], "NCHW", "NCHW", "float32"])"},
        UpgradeCase{"llvm", "topi_x86_conv2d_NCHWc", "",
                    "[" DATA R"(, 64, [3, 3], [2, 2], [1, 0], "NCHW", "NCHW", "float32"])",
                    "conv2d_NCHWc.x86",
                    "[" DATA R"(, [2, 2], [1, 0, 1, 0], [1, 1], "NCHW", "NCHW", "float32"])"},
        UpgradeCase{"llvm", "topi_x86_conv2d_NCHWc", "",
                    "[" DATA R"(, 3, [3, 3], [2, 2], [1, 1], [2, 2], "NCHW", "float32"])",
                    "conv2d_NCHWc.x86",
                    "[" DATA R"(, [2, 2], [1, 1, 1, 1], [2, 2], "NCHW", "float32"])"},
        UpgradeCase{"llvm", "topi_x86_conv2d_NCHWc", "",
                    "[" DATA R"(, 64, [5, 5], [2, 2], [0, 0], "NCHW", "NCHW", "float32"])",
                    "conv2d_NCHWc.x86",
                    "[" DATA R"(, [2, 2], [0, 0, 0, 0], [1, 1], "NCHW", "NCHW", "float32"])",
                    R"(["conv2d_NCHWc", [1, 64, 8, 8, "float32"], [64, 64, 3, 3, "float32"], )"
                    R"([2, 2], [0, 0], "NCHW", "NCHW", "float32"])"},
        UpgradeCase{"opencl -device=intel_graphics", "topi_intel_graphics_conv2d_NCHWc", "",
                    "[" DATA R"(, 64, [3, 3], [2, 2], [1, 1], "NCHW", "NCHW", "float32"])",
                    "conv2d_NCHWc.intel_graphics",
                    "[" DATA R"(, [2, 2], [1, 1, 1, 1], [1, 1], "NCHW", "NCHW", "float32"])"},
        UpgradeCase{"opencl -device=intel_graphics", "topi_intel_graphics_conv2d_NCHWc", "",
                    "[" DATA R"(, [1, 1], [1, 1], [1, 1], "NCHW", "NCHW", "float32"])",
                    "conv2d_NCHWc.intel_graphics",
                    "[" DATA R"(, [1, 1], [1, 1, 1, 1], [1, 1], "NCHW", "NCHW", "float32"])"},
        UpgradeCase{"ext_dev -device=vta -model=pynq_1x16_i8w8a32", "conv2d", "direct",
                    R"([1, 64, 8, 8, 32, 3, 3, [1, 1], [1, 1], [1, 1], "int8", "int32"])",
                    "conv2d_packed.vta",
                    R"([["TENSOR", [1, 4, 8, 8, 1, 16], "int8"], ["TENSOR", [2, 4, 3, 3, 16, 16], )"
                    R"("int8"], [1, 1], [1, 1, 1, 1], [1, 1], "NCHW1n16c", "int32"])"}));

TEST(Autotvm, RefusesToUpgradeATaskWithoutSuccessor) {
  const DecodedLine decoded = decode_autotvm(old_line("topi_nn_conv2d", "my_matmul"));
  ASSERT_TRUE(decoded.record);
  const auto written = encode_autotvm(*decoded.record);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(written.error().message,
              HasSubstr("no successor of task \"my_matmul\" (template \"direct\") on cuda"));
}

TEST(Autotvm, RefusesToWriteWhatItHasNoFormFor) {
  TuningRecord record = *decode_autotvm(line_with()).record;
  record.arguments[0].value = {.kind = ArgumentKind::kSymbol, .text = "n"};
  EXPECT_THAT(encode_autotvm(record).error().message, HasSubstr("symbolic arguments"));
  record.config = AnsorConfig{};
  EXPECT_THAT(encode_autotvm(record).error().message, HasSubstr("no form for the config"));
}

TEST(TuningRecord, HasTheWorkloadThatPythonWouldCallEqual) {
  const auto key = [](const std::string& argument) {
    return workload_key(*decode_autotvm(line_with("-0.5", argument)).record);
  };
  EXPECT_EQ(key("1"), key("true"));
  EXPECT_EQ(key("1"), key("1.0"));
  EXPECT_NE(key("1"), key("\"1\""));
  EXPECT_NE(key("1"), key("[1]"));
  EXPECT_EQ(key("\"a b\""),
            R"(["dense_pack.x86",[["TENSOR",[1,512],"float32"],null,2,"a b","x",[1,1]]])");
}

TEST(TuningRecord, HasTheMeanThatNumpyHas) {
  EXPECT_EQ(mean_cost({0.1, 0.2, 0.3}), (0.1 + 0.2 + 0.3) / 3);
  const std::vector<double> eight = {1e-05, 1.1e-05, 1.2e-05, 1.3e-05,
                                     1e-04, 2e-04,   3e-04,   7.7e-04};
  const double lanes = ((eight[0] + eight[1]) + (eight[2] + eight[3])) +
                       ((eight[4] + eight[5]) + (eight[6] + eight[7]));
  EXPECT_EQ(mean_cost(eight), lanes / 8);
  EXPECT_EQ(mean_cost({}), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace opbench
