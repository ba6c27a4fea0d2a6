#include <gtest/gtest.h>

#include <filesystem>

#include "external_data.h"
#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

class ProtobufLogs : public testing::TestWithParam<const char*> {};

TEST_P(ProtobufLogs, ComesBackThroughProtobufToTheByte) {
  const fs::path path = test::external_data() / GetParam();
  if (!fs::exists(path)) GTEST_SKIP() << "the logs of users are not here";
  const RecordFile file = open_records(path.string()).value();
  int records = 0;
  while (true) {
    const auto item = file.reader->next();
    ASSERT_TRUE(item);
    if (!*item) break;
    if (!(*item)->record) continue;
    ++records;
    const auto& record = std::get<TuningRecord>(*(*item)->record);
    const DecodedLine binary = decode_protobuf(encode_protobuf(record));
    ASSERT_TRUE(binary.record) << binary.issues.front().message;
    ASSERT_EQ(*binary.record, record);
    ASSERT_EQ(encode_autotvm(*binary.record).value(), (*item)->text);
    if (records % 7 != 0) continue;
    const DecodedLine json = decode_protobuf_json(encode_protobuf_json(record).value());
    ASSERT_TRUE(json.record) << json.issues.front().message;
    ASSERT_EQ(*json.record, record);
  }
  EXPECT_GT(records, 0);
}

INSTANTIATE_TEST_SUITE_P(Files, ProtobufLogs,
                         testing::Values("tophub/arm_cpu_v0.08.log", "tophub/cuda_v0.10.log",
                                         "tophub/llvm_v0.04.log", "tophub/vta_v0.10.log",
                                         "opbench/log/bert-xgb_knob-llvm-autotvm.json",
                                         "opbench/log/resnet-18-xgb-llvm-autotvm.json.tmp",
                                         "opbench/log/resnet-18-xgb-pynq-autotvm.json.tmp"));

}  // namespace
}  // namespace opbench
