#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "external_data.h"
#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

struct CorpusCase {
  const char* file;
  int v01, v02, ok, tasks, targets, workloads;
  std::map<int, int> errors;
};

std::ostream& operator<<(std::ostream& out, const CorpusCase& value) { return out << value.file; }

class AutotvmLogs : public testing::TestWithParam<CorpusCase> {};

/// Counts that other readers gave too, and the text that went in.
TEST_P(AutotvmLogs, HasItsCountsAndComesOutAsItWentIn) {
  const CorpusCase& wanted = GetParam();
  const fs::path path = test::external_data() / wanted.file;
  if (!fs::exists(path)) GTEST_SKIP() << "no " << path;
  auto file = open_records(path.string());
  ASSERT_TRUE(file) << to_text(file.error());
  ASSERT_TRUE(file->reader);
  EXPECT_EQ(file->codec->name, "autotvm");
  int v01 = 0, v02 = 0, ok = 0;
  std::set<std::string> tasks, targets, workloads;
  std::map<int, int> errors;
  while (true) {
    auto item = file->reader->next();
    ASSERT_TRUE(item);
    if (!*item) break;
    ASSERT_TRUE((*item)->record) << (*item)->issues[0].code << (*item)->issues[0].message;
    const auto& record = std::get<TuningRecord>(*(*item)->record);
    const bool is_old = record.origin.format == TuningFormat::kAutotvm01;
    ++(is_old ? v01 : v02);
    tasks.insert(record.task);
    targets.insert(record.target);
    workloads.insert(workload_key(record));
    if (record.result.error_no == 0) ++ok;
    if (record.result.error_no != 0) ++errors[record.result.error_no];
    const auto line = encode_autotvm(record);
    ASSERT_TRUE(line) << to_text(line.error());
    if (!is_old) {
      EXPECT_EQ(*line, (*item)->text);
    } else {
      const DecodedLine again = decode_autotvm(*line);
      ASSERT_TRUE(again.record);
      EXPECT_EQ(again.record->result, record.result);
      EXPECT_EQ(again.record->config, record.config);
    }
  }
  EXPECT_EQ(v01, wanted.v01);
  EXPECT_EQ(v02, wanted.v02);
  EXPECT_EQ(ok, wanted.ok);
  EXPECT_EQ(tasks.size(), wanted.tasks);
  EXPECT_EQ(targets.size(), wanted.targets);
  EXPECT_EQ(workloads.size(), wanted.workloads);
  EXPECT_EQ(errors, wanted.errors);
}

INSTANTIATE_TEST_SUITE_P(
    Files, AutotvmLogs,
    testing::Values(
        CorpusCase{"tophub/arm_cpu_v0.08.log", 0, 1164, 1164, 4, 9, 258, {}},
        CorpusCase{"tophub/cuda_v0.10.log", 0, 825, 825, 6, 5, 473, {}},
        CorpusCase{"tophub/llvm_v0.04.log", 0, 35, 35, 1, 1, 35, {}},
        CorpusCase{"tophub/vta_v0.10.log", 0, 106, 106, 6, 4, 102, {}},
        CorpusCase{"tophub/mali_v0.05.log", 528, 0, 528, 3, 2, 528, {}},
        CorpusCase{"tophub/opencl_v0.02.log", 97, 0, 97, 2, 1, 97, {}},
        CorpusCase{"opbench/log/bert-xgb_knob-llvm-autotvm.json", 0, 10, 10, 3, 1, 10, {}},
        CorpusCase{"opbench/log/resnet-18-xgb-llvm-autotvm.json", 0, 14, 14, 3, 1, 14, {}},
        CorpusCase{
            "opbench/log/resnet-18-xgb-llvm-autotvm.json.tmp", 0, 140, 137, 3, 1, 14, {{6, 3}}},
        CorpusCase{"opbench/log/resnet-18-xgb-pynq-autotvm.json.tmp",
                   0,
                   160,
                   0,
                   1,
                   1,
                   1,
                   {{2, 120}, {4, 40}}},
        CorpusCase{"opbench/log/resnet-18-xgb_knob-cuda-autotvm.json", 0, 17, 17, 3, 1, 17, {}}));

}  // namespace
}  // namespace opbench
