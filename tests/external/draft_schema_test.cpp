#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/wrappers.pb.h>
#include <gtest/gtest.h>
#include <proto/tuning_record.pb.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/files/file.h"
#include "external_data.h"
#include "random_tuning_record.h"
#include "records/formats/protobuf/tuning_message.h"
#include "small_tuning_record.h"

/// Our schema of tuning records holds the draft that it grew from.
namespace opbench {
namespace {

namespace pb = google::protobuf;
namespace wire = autotvm::log;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The schema as the draft's page has it, compiled now.
class DraftSchema : public testing::Test {
 protected:
  void SetUp() override {
    const auto page = read_file(test::draft_page("002_b9305327efa4f851.txt"));
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

TEST_F(DraftSchema, IsContainedInOurSchemaWithEveryNumberAndType) {
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

TEST_F(DraftSchema, ReadersSeeWhatTheyKnowOfOurRecords) {
  const auto log = new_log();
  ASSERT_TRUE(log->ParseFromString(encode_protobuf(small_tuning_record(), {.seed_compat = true})));
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

TEST_F(DraftSchema, KeepsWhatItDoesNotKnowOfOurRecords) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    TuningRecord record = random_tuning_record(random);
    if (record.tvm_version == "") record.tvm_version.reset();  // the same to them
    const auto log = new_log();
    ASSERT_TRUE(log->ParseFromString(encode_protobuf(record)));
    ASSERT_EQ(decode_protobuf(log->SerializeAsString()).record, record);
  }
}

TEST_F(DraftSchema, RecordsOfItsWritersAreRead) {
  const auto log = new_log();
  // The registry of the draft's pool has no wrappers: the value of `Any` is written as bytes.
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

TEST_F(DraftSchema, FailuresOfItsWritersHaveNoCosts) {
  wire::AutoTVMLog ours;
  ASSERT_TRUE(ours.ParseFromString(encode_protobuf(small_tuning_record())));
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
