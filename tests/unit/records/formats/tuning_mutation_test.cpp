#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

/// A line of every format, each with all that it can have.
std::vector<std::string> seeds() {
  return {
      R"({"input": ["cuda -model=a", "t", [["TENSOR", [1, 512], "float32"], null, 2, -0.5, "x\u00e9"], )"
      R"({}], "config": {"index": 12, "code_hash": null, "entity": [["a", "sp", [-1, 32]], )"
      R"(["b", "re", [1, 0]], ["c", "an", ["vec"]], ["d", "ot", true]]}, "result": [[1.2e-05], 0, )"
      R"(1.5, 1663918044.7], "version": 0.2, "tvm_version": "0.8.0", "x": {"y": [1e5, NaN]}})",
      R"({"i": ["opencl", "topi_nn_conv2d", [["TENSOR", [1, 2, 8, 8], "float32"], ["TENSOR", )"
      R"([1, 2, 1, 1], "float32"], [1, 1], [0, 0], [1, 1], "NCHW", "float32"], {}, ["conv2d", 0], )"
      R"({"i": 7, "t": "direct", "c": null, "e": [["f", "sp", [2, 3]]]}], "r": [[1e-05], 0, 1, )"
      R"(2], "v": 0.1})",
      R"({"i": [["[\"f\", 1, [2, 3], \"x\"]", "llvm -keys=cpu", [18, 64, 64, 0, 0, 0, 0, 0], "", 1, )"
      R"(["a"]], [[], [["SP", 2, 0, 1024, [2, 1, 4], 1], ["PR", 2, 0, "a$8"]]]], "r": [[0.0044742], )"
      R"(0, 0.335558, 1607112214], "v": "v0.6"})",
      R"([0,[[[["GetBlock",[],["C","main"],["b0"]],["EnterPostproc",[],[],[]]],[[0,[1,2]]]],)"
      R"([0.001,1e10],{"kind":"llvm","keys":["cpu"],"host":{"kind":"llvm"},"tag":""},)"
      R"([["TENSOR","float32",[1,2]]]]])",
      R"([1,[[[["GetBlock",[],["C","main"],["b0"]]],[]],null,null,null]])"};
}

/// One to eight edits: a byte changed, a piece taken out, or a piece of any seed put in.
std::string mutated(std::string text, const std::vector<std::string>& all, uint64_t& state) {
  const auto below = [&state](size_t count) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<size_t>((state >> 33U) % count);
  };
  constexpr size_t kLongestPiece = 12;
  for (size_t edits = below(8) + 1; edits > 0 && !text.empty(); --edits) {
    const size_t at = below(text.size());
    const std::string& other = all[below(all.size())];
    switch (below(4)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text[at] = "0123456789-+.eE[]{},:\"\\ntfN"[below(27)];
        break;
      case 2:
        text.erase(at, below(kLongestPiece) + 1);
        break;
      default:
        text.insert(at, other.substr(below(other.size()), below(kLongestPiece) + 1));
    }
  }
  return text;
}

/// What comes out is a record or an error, and a record can be asked everything.
void use(const DecodedLine& decoded) {
  bool has_error = false;
  for (const RecordIssue& issue : decoded.issues) has_error = has_error || issue.is_error();
  ASSERT_NE(decoded.record.has_value(), has_error);
  if (!decoded.record) return;
  EXPECT_FALSE(workload_key(*decoded.record).empty());
  const auto line = encode_autotvm(*decoded.record);
  if (!line) return;
  const DecodedLine again = decode_autotvm(*line);
  ASSERT_TRUE(again.record) << *line;
  EXPECT_EQ(encode_autotvm(*again.record).value(), *line);
}

TEST(TuningDecoders, GiveARecordOrAnErrorForAnyBytes) {
  const std::vector<std::string> all = seeds();
  const std::string workload = R"(["123","YWJj"])";
  uint64_t state = 20261121;
  constexpr int kRounds = 5000;
  for (int i = 0; i < kRounds; ++i) {
    for (const std::string& seed : all) {
      const std::string line = i == 0 ? seed : mutated(seed, all, state);
      SCOPED_TRACE(line);
      use(decode_autotvm(line));
      use(decode_ansor(line));
      use(decode_metaschedule(line, workload));
      use(decode_metaschedule(all[3], line));
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace opbench
