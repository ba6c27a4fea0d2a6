#include <gmock/gmock.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/wrappers.pb.h>
#include <gtest/gtest.h>
#include <proto/tuning_record.pb.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "random_tuning_record.h"
#include "records/formats/logs/tuning_codec.h"
#include "records/formats/protobuf/tuning_message.h"
#include "small_tuning_record.h"

namespace opbench {
namespace {

namespace wire = autotvm::log;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> tuning_protobuf_codes(const DecodedLine& line) {
  std::vector<std::string> result;
  for (const RecordIssue& issue : line.issues) result.push_back(issue.code);
  return result;
}

/// The codes for the small record's message after a change.
std::vector<std::string> codes_after(const std::function<void(wire::AutoTVMLog&)>& change) {
  wire::AutoTVMLog message;
  EXPECT_TRUE(message.ParseFromString(encode_protobuf(small_tuning_record())));
  change(message);
  const DecodedLine line = decode_protobuf(message.SerializeAsString());
  const std::vector<std::string> result = tuning_protobuf_codes(line);
  const bool is_refused = std::ranges::any_of(result, [](auto& code) { return code[0] == 'E'; });
  EXPECT_EQ(line.record.has_value(), !is_refused);
  return result;
}

TEST(TuningProtobuf, BringsEveryRecordBack) {
  Random random(7);
  for (int i = 0; i < 3000; ++i) {
    const TuningRecord record = random_tuning_record(random);
    const std::string bytes = encode_protobuf(record, {.seed_compat = i % 2 == 1});
    const DecodedLine line = decode_protobuf(bytes);
    ASSERT_THAT(tuning_protobuf_codes(line), IsEmpty()) << line.issues.front().message;
    ASSERT_EQ(*line.record, record) << i;
    ASSERT_EQ(encode_protobuf(*line.record, {.seed_compat = i % 2 == 1}), bytes);
  }
}

TEST(TuningProtobuf, BringsEveryRecordBackThroughJson) {
  Random random(8);
  for (int i = 0; i < 1000; ++i) {
    const TuningRecord record = random_tuning_record(random);
    const auto text = encode_protobuf_json(record);
    ASSERT_TRUE(text) << to_text(text.error());
    ASSERT_EQ(text->find('\n'), std::string::npos);
    const DecodedLine line = decode_protobuf_json(*text);
    ASSERT_THAT(tuning_protobuf_codes(line), IsEmpty()) << line.issues.front().message << "\n"
                                                        << *text;
    ASSERT_EQ(*line.record, record) << *text;
  }
}

TEST(TuningProtobuf, WritesJsonWithTheNamesOfTheSchemaAndDefaults) {
  const std::string text = encode_protobuf_json(small_tuning_record()).value();
  EXPECT_THAT(text, HasSubstr(R"("task_name":"dense_nopack.x86")"));
  EXPECT_THAT(text, HasSubstr(R"("error_no":0)"));
  EXPECT_THAT(text, HasSubstr(R"("timestamp":"2022-09-23T07:27:24.718103647Z")"));
  EXPECT_THAT(text, HasSubstr(R"({"name":"","value":{"null_value":null}})"));
  EXPECT_THAT(text, HasSubstr(R"("attrs":{"mcpu":"core-avx2","model":"e5"})"));
  EXPECT_EQ(text.find("has_template_key"), std::string::npos);
}

TEST(TuningProtobuf, ReadsJsonInLowerCamelCaseToo) {
  const DecodedLine line = decode_protobuf_json(
      R"({"target": {"targetString": "llvm"}, "task": {"taskName": "t"}, "version": "0.3.0",
          "config": {"configV1": {"index": 5}}, "result": {"costsS": [0.5]}})");
  ASSERT_TRUE(line.record) << line.issues.front().message;
  EXPECT_EQ(std::get<KnobConfig>(line.record->config).index, 5u);
}

TEST(TuningProtobuf, ReportsWhatIsMissingOrWrong) {
  EXPECT_THAT(codes_after([](auto&) {}), IsEmpty());
  EXPECT_THAT(codes_after([](auto& log) { log.clear_target(); }), ElementsAre("E_KEYS"));
  EXPECT_THAT(codes_after([](auto& log) { log.clear_task(); }), ElementsAre("E_KEYS"));
  EXPECT_THAT(codes_after([](auto& log) { log.clear_config(); }), ElementsAre("E_KEYS"));
  EXPECT_THAT(codes_after([](auto& log) { log.mutable_config()->Clear(); }), ElementsAre("E_KEYS"));
  EXPECT_THAT(codes_after([](auto& log) { log.clear_result(); }), ElementsAre("E_KEYS"));
  EXPECT_THAT(codes_after([](auto& log) { log.set_version("1.0.0"); }), ElementsAre("E_VERSION"));
  EXPECT_THAT(codes_after([](auto& log) { log.mutable_target()->Clear(); }),
              ElementsAre("E_TARGET"));
  EXPECT_THAT(codes_after([](auto& log) { log.mutable_task()->add_arguments()->mutable_value(); }),
              ElementsAre("E_ARG"));
  EXPECT_THAT(codes_after([](auto& log) {
                log.mutable_config()->mutable_config_v1()->add_entities()->set_knob_name("k");
              }),
              ElementsAre("E_KNOB_KIND"));
  EXPECT_THAT(codes_after([](auto& log) {
                wire::Entity& knob = *log.mutable_config()->mutable_config_v1()->add_entities();
                knob.mutable_reorder()->add_order(5);
              }),
              ElementsAre("E_KNOB_VALUE"));
  EXPECT_THAT(codes_after([](auto& log) { log.mutable_result()->set_error_no(9); }),
              ElementsAre("E_ERRNO", "E_COSTS"));
  EXPECT_THAT(codes_after([](auto& log) { log.mutable_result()->clear_costs_s(); }),
              ElementsAre("E_COSTS"));
  EXPECT_THAT(codes_after([](auto& log) { log.mutable_result()->add_costs_s(-1); }),
              ElementsAre("E_COSTS"));
  EXPECT_THAT(codes_after([](auto& log) { log.mutable_result()->add_costs_s(1e9); }),
              ElementsAre("E_SENTINEL"));
  EXPECT_THAT(codes_after([](auto& log) { log.mutable_environment()->set_hardware("x"); }),
              ElementsAre("W_UNKNOWN_KEY"));
  EXPECT_THAT(codes_after([](auto& log) {
                log.mutable_origin()->set_format(static_cast<wire::Origin::Format>(77));
              }),
              ElementsAre("E_VERSION"));
}

TEST(TuningProtobuf, RefusesBytesThatAreNoMessage) {
  EXPECT_THAT(tuning_protobuf_codes(decode_protobuf("\xff\xff\xff")), ElementsAre("E_PROTOBUF"));
  EXPECT_THAT(tuning_protobuf_codes(decode_protobuf_json("{\"target\": ")), ElementsAre("E_JSON"));
  EXPECT_THAT(tuning_protobuf_codes(decode_protobuf_json("{\"no_such_field\": 1}")),
              ElementsAre("E_JSON"));
  std::string bytes = encode_protobuf(small_tuning_record());
  bytes.replace(bytes.find("dense"), 1, "\xff");
  EXPECT_THAT(tuning_protobuf_codes(decode_protobuf(bytes)), ElementsAre("E_PROTOBUF"));
}

TEST(TuningProtobuf, WritesTextThatIsNotUtf8WithReplacements) {
  TuningRecord record = small_tuning_record();
  record.task = "a\xff\xc3\xa9\xed\xa0\x80z";
  EXPECT_EQ(decode_protobuf(encode_protobuf(record)).record->task, "a\uFFFDé\uFFFD\uFFFD\uFFFDz");
}

TEST(TuningProtobuf, KeepsDeeplyNestedArguments) {
  TuningRecord record = small_tuning_record();
  Argument nested = Argument::of_int(1);
  for (int i = 0; i < 22; ++i) nested = Argument::of_tuple({nested});
  record.arguments[1].value = nested;
  EXPECT_EQ(decode_protobuf_json(encode_protobuf_json(record).value()).record, record);
  for (int i = 0; i < 300; ++i) nested = Argument::of_tuple({nested});
  record.arguments[1].value = nested;
  EXPECT_EQ(decode_protobuf(encode_protobuf(record)).record, record);
  EXPECT_EQ(encode_protobuf_json(record).error().code, ErrorCode::kInvalidInput);
}

TEST(TuningProtobuf, WritesMomentsWithNineDigits) {
  EXPECT_EQ(rfc3339_of(0), "1970-01-01T00:00:00.000000000Z");
  EXPECT_EQ(rfc3339_of(1574469251.9999998), "2019-11-23T00:34:11.999999762Z");
  EXPECT_EQ(rfc3339_of(-1), "");
  EXPECT_EQ(rfc3339_of(std::nan("")), "");
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double moment = 1.3e9 + 1e9 * random.uniform();
    std::vector<RecordIssue> issues;
    EXPECT_EQ(seconds_of(rfc3339_of(moment), issues), moment);
  }
}

}  // namespace
}  // namespace opbench
