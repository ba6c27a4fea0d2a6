#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/wrappers.pb.h>
#include <gtest/gtest.h>
#include <proto/tuning_record.pb.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "opbench/base/file.h"
#include "opbench/record/tuning_codec.h"
#include "opbench/record/tuning_message.h"
#include "random_tuning_record.h"

namespace opbench {
namespace {

namespace pb = google::protobuf;
namespace wire = autotvm::log;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TuningRecord small() {
  TuningRecord record;
  record.target = "llvm -mcpu=core-avx2 -model=e5";
  record.task = "dense_nopack.x86";
  record.arguments = {{"data",
                       {.kind = ArgumentKind::kTensor,
                        .text = "float32",
                        .items = {Argument::of_int(1), Argument::of_int(512)}}},
                      {"", Argument::null()},
                      {"out_dtype", Argument::of_string("float32")}};
  record.config = KnobConfig{
      .index = 12,
      .knobs = {{"tile_y", "sp", Argument::of_tuple({Argument::of_int(-1), Argument::of_int(1)})},
                {"unroll_kw", "ot", Argument::of_bool(true)}}};
  record.result = {.costs_s = {1.2e-05}, .all_cost_s = 1.5, .timestamp = 1663918044.7181036};
  record.tvm_version = "0.8.0";
  record.origin.format_version = "0.2";
  return record;
}

std::vector<std::string> codes(const DecodedLine& line) {
  std::vector<std::string> result;
  for (const RecordIssue& issue : line.issues) result.push_back(issue.code);
  return result;
}

/// The codes for the small record's message after a change.
std::vector<std::string> codes_after(const std::function<void(wire::AutoTVMLog&)>& change) {
  wire::AutoTVMLog message;
  EXPECT_TRUE(message.ParseFromString(encode_protobuf(small())));
  change(message);
  const DecodedLine line = decode_protobuf(message.SerializeAsString());
  const std::vector<std::string> result = codes(line);
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
    ASSERT_THAT(codes(line), IsEmpty()) << line.issues.front().message;
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
    ASSERT_THAT(codes(line), IsEmpty()) << line.issues.front().message << "\n" << *text;
    ASSERT_EQ(*line.record, record) << *text;
  }
}

TEST(TuningProtobuf, WritesJsonWithTheNamesOfTheSchemaAndDefaults) {
  const std::string text = encode_protobuf_json(small()).value();
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
  EXPECT_THAT(codes(decode_protobuf("\xff\xff\xff")), ElementsAre("E_PROTOBUF"));
  EXPECT_THAT(codes(decode_protobuf_json("{\"target\": ")), ElementsAre("E_JSON"));
  EXPECT_THAT(codes(decode_protobuf_json("{\"no_such_field\": 1}")), ElementsAre("E_JSON"));
  std::string bytes = encode_protobuf(small());
  bytes.replace(bytes.find("dense"), 1, "\xff");
  EXPECT_THAT(codes(decode_protobuf(bytes)), ElementsAre("E_PROTOBUF"));
}

TEST(TuningProtobuf, WritesTextThatIsNotUtf8WithReplacements) {
  TuningRecord record = small();
  record.task = "a\xff\xc3\xa9\xed\xa0\x80z";
  EXPECT_EQ(decode_protobuf(encode_protobuf(record)).record->task, "a\uFFFDé\uFFFD\uFFFD\uFFFDz");
}

TEST(TuningProtobuf, KeepsDeeplyNestedArguments) {
  TuningRecord record = small();
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

// --- seed 002 ------------------------------------------------------------------------------------

/// The schema as the seed's page has it, compiled now.
class Seed : public testing::Test {
 protected:
  void SetUp() override {
    const auto page = read_file(std::filesystem::path(OPBENCH_SHARED_DATA) / ".." / "seeds" /
                                "002_b9305327efa4f851.txt");
    if (!page) GTEST_SKIP() << "the page of the draft is not here";
    const size_t begin = page->find("syntax = \"proto3\"");
    const size_t end = page->find("One further question");
    ASSERT_NE(end, std::string::npos);
    const std::string schema = page->substr(begin, end - begin);
    const auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    const std::string place = folder->path().string();
    ASSERT_TRUE(write_file(folder->path() / "seed.proto", schema));
    ASSERT_EQ(std::system(("protoc --include_imports -I " + place +
                           " --descriptor_set_out=" + place + "/seed.pb " + place + "/seed.proto")
                              .c_str()),
              0);
    pb::FileDescriptorSet files;
    ASSERT_TRUE(files.ParseFromString(read_file(folder->path() / "seed.pb").value()));
    for (const pb::FileDescriptorProto& file : files.file()) file_ = pool_.BuildFile(file);
    ASSERT_NE(file_, nullptr);
  }

  std::unique_ptr<pb::Message> new_log() {
    const pb::Descriptor* type = pool_.FindMessageTypeByName("autotvm.log.AutoTVMLog");
    return std::unique_ptr<pb::Message>(factory_.GetPrototype(type)->New());
  }

  pb::DescriptorPool pool_;
  pb::DynamicMessageFactory factory_{&pool_};
  const pb::FileDescriptor* file_ = nullptr;
};

TEST_F(Seed, IsContainedInOurSchemaWithEveryNumberAndType) {
  int fields = 0;
  for (int i = 0; i < file_->message_type_count(); ++i) {
    const pb::Descriptor* theirs = file_->message_type(i);
    const pb::Descriptor* ours =
        pb::DescriptorPool::generated_pool()->FindMessageTypeByName(theirs->full_name());
    ASSERT_NE(ours, nullptr) << theirs->full_name();
    for (int k = 0; k < theirs->field_count(); ++k, ++fields) {
      const pb::FieldDescriptor* field = theirs->field(k);
      const pb::FieldDescriptor* same = ours->FindFieldByNumber(field->number());
      ASSERT_NE(same, nullptr) << field->full_name();
      EXPECT_EQ(same->name(), field->name());
      EXPECT_EQ(same->type(), field->type()) << field->full_name();
      EXPECT_EQ(same->is_repeated(), field->is_repeated()) << field->full_name();
      EXPECT_EQ(same->is_map(), field->is_map()) << field->full_name();
      EXPECT_EQ(same->real_containing_oneof() == nullptr,
                field->real_containing_oneof() == nullptr);
      if (field->message_type() != nullptr) {
        EXPECT_EQ(same->message_type()->full_name(), field->message_type()->full_name());
      }
    }
    for (int k = 0; k < ours->field_count(); ++k) {
      if (theirs->FindFieldByNumber(ours->field(k)->number()) == nullptr) {
        EXPECT_GE(ours->field(k)->number(), 10) << ours->field(k)->full_name();
      }
    }
  }
  EXPECT_EQ(fields, 32);
}

TEST_F(Seed, ReadersSeeWhatTheyKnowOfOurRecords) {
  const auto log = new_log();
  ASSERT_TRUE(log->ParseFromString(encode_protobuf(small(), {.seed_compat = true})));
  const std::string text = log->ShortDebugString();
  for (const char* part :
       {"target_string: \"llvm -mcpu=core-avx2 -model=e5\"", "task_name: \"dense_nopack.x86\"",
        "key: \"data\" value { tensor { shape: 1 shape: 512 dtype: \"float32\" } }",
        "key: \"arg1\"", "entities { knob_name: \"tile_y\" split { size: -1 size: 1 } }",
        "index: 12", "costs: 1.2e-05", "all_cost: 1.5",
        "timestamp: \"2022-09-23T07:27:24.718103647Z\"", "tvm_version: \"0.8.0\""}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST_F(Seed, KeepsWhatItDoesNotKnowOfOurRecords) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    TuningRecord record = random_tuning_record(random);
    if (record.tvm_version == "") record.tvm_version.reset();  // the same to them
    const auto log = new_log();
    ASSERT_TRUE(log->ParseFromString(encode_protobuf(record)));
    ASSERT_EQ(decode_protobuf(log->SerializeAsString()).record, record);
  }
}

TEST_F(Seed, RecordsOfItsWritersAreRead) {
  const auto log = new_log();
  // The registry of the seed's pool has no wrappers: the value of `Any` is written as bytes.
  pb::Int64Value sixteen;
  sixteen.set_value(16);
  pb::Any any;
  any.PackFrom(sixteen);
  pb::ListValue list;
  list.add_values()->set_number_value(1);
  list.add_values()->set_string_value("NCHW");
  pb::Any packed_list;
  packed_list.PackFrom(list);
  const auto status = pb::util::JsonStringToMessage(
      R"({"target": {"target_string": "cuda -model=1080ti"}, "version": "0.2.0",
          "tvm_version": "0.7.dev1",
          "task": {"task_name": "t", "args": {"arg1": {"value": "float32"}, "arg10": {"value": "z"},
                   "arg2": {"tuple": {}},
                   "arg0": {"tensor": {"shape": [1, 2], "dtype": "float32"}}}},
          "config": {"config_v1": {"code_hash": "ab", "index": 7, "entities": [
              {"knob_name": "a", "split": {"size": [-1, 4]}},
              {"knob_name": "b", "reorder": {"order": [1, 0]}},
              {"knob_name": "c", "annotate": {"annotations": ["vec"]}},
              {"knob_name": "d", "other_option": {}}]}},
          "result": {"costs": [0.5, 0.25], "all_cost": 2.5, "timestamp": "2020-06-01T00:00:00.5Z"}
         })",
      log.get());
  ASSERT_TRUE(status.ok()) << status.ToString();
  wire::AutoTVMLog ours;
  ASSERT_TRUE(ours.ParseFromString(log->SerializeAsString()));
  wire::Config_v1& config = *ours.mutable_config()->mutable_config_v1();
  *config.mutable_entities(3)->mutable_other_option()->mutable_value() = any;
  *(*ours.mutable_task()->mutable_args())["arg2"].mutable_tuple()->add_values() = packed_list;

  const DecodedLine line = decode_protobuf(ours.SerializeAsString());
  ASSERT_TRUE(line.record) << line.issues.front().message;
  EXPECT_THAT(line.issues, IsEmpty());
  const TuningRecord& record = *line.record;
  EXPECT_EQ(record.target, "cuda -model=1080ti");
  ASSERT_EQ(record.arguments.size(), 4u);
  EXPECT_EQ(record.arguments[0].value.kind, ArgumentKind::kTensor);
  EXPECT_EQ(
      record.arguments[2].value,
      Argument::of_tuple({Argument::of_tuple({Argument::of_int(1), Argument::of_string("NCHW")})}));
  EXPECT_EQ(record.arguments[3].value, Argument::of_string("z"));
  const auto& knobs = std::get<KnobConfig>(record.config);
  EXPECT_EQ(knobs.code_hash, "ab");
  EXPECT_EQ(knobs.knobs[3], (KnobValue{"d", "ot", Argument::of_int(16)}));
  EXPECT_THAT(record.result.costs_s, ElementsAre(0.5, 0.25));
  EXPECT_EQ(record.result.timestamp, 1590969600.5);
  EXPECT_EQ(record.result.all_cost_s, 2.5);
}

TEST_F(Seed, FailuresOfItsWritersHaveNoCosts) {
  wire::AutoTVMLog ours;
  ASSERT_TRUE(ours.ParseFromString(encode_protobuf(small())));
  ours.mutable_result()->Clear();
  ours.mutable_result()->add_costs(1e9F);
  ours.mutable_result()->set_error_no(4);
  const DecodedLine line = decode_protobuf(ours.SerializeAsString());
  ASSERT_TRUE(line.record);
  EXPECT_THAT(line.record->result.costs_s, IsEmpty());
  EXPECT_EQ(line.record->result.failure_sentinel, 1e9);
}

}  // namespace
}  // namespace opbench
