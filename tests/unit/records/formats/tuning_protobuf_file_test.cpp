#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "random_tuning_record.h"
#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

struct FileContent {
  std::vector<TuningRecord> records;
  std::vector<std::string> codes;
};

FileContent read(const std::string& bytes, const std::string& codec) {
  const auto folder = TemporaryFolder::make();
  const auto path = folder->path() / "trials";
  EXPECT_TRUE(write_file(path, bytes));
  const auto file = open_records(path.string());
  FileContent content;
  EXPECT_TRUE(file) << to_text(file.error());
  if (!file) return content;
  EXPECT_EQ(file->codec->name, codec);
  while (true) {
    const auto item = file->reader->next();
    EXPECT_TRUE(item);
    if (!item || !*item) return content;
    for (const RecordIssue& issue : (*item)->issues) content.codes.push_back(issue.code);
    if ((*item)->record) content.records.push_back(std::get<TuningRecord>(*(*item)->record));
  }
}

std::vector<TuningRecord> some_records() {
  Random random(21);
  std::vector<TuningRecord> records;
  for (int i = 0; i < 50; ++i) {
    records.push_back(random_tuning_record(random));
    records.back().origin.file = "a.log";
    records.back().origin.line = i + 1;
  }
  return records;
}

std::string written(const std::vector<TuningRecord>& records, const std::string& codec) {
  const CodecDef& def = **codec_table().find(codec);
  std::string bytes = def.file_begin;
  for (const TuningRecord& record : records) bytes += def.encode(record).value();
  return bytes;
}

TEST(TuningProtobufFile, HoldsEveryRecordInEitherForm) {
  for (const char* codec : {"protobuf", "protobuf-json"}) {
    const FileContent content = read(written(some_records(), codec), codec);
    EXPECT_THAT(content.codes, IsEmpty());
    EXPECT_EQ(content.records, some_records());
  }
}

TEST(TuningProtobufFile, TornAtAnyByteLosesTheLastRecordOnly) {
  const auto records = some_records();
  const std::string whole = written({records[0], records[1]}, "protobuf");
  const std::string first = written({records[0]}, "protobuf");
  for (size_t size = first.size() + 1; size < whole.size(); ++size) {
    const FileContent content = read(whole.substr(0, size), "protobuf");
    ASSERT_THAT(content.records, ElementsAre(records[0])) << size;
    ASSERT_THAT(content.codes, ElementsAre("E_TORN")) << size;
  }
  EXPECT_EQ(read(whole.substr(0, 8), "protobuf").records.size(), 0u);
  const FileContent json =
      read(written({records[0], records[1]}, "protobuf-json").substr(0, 4000), "protobuf-json");
  EXPECT_LE(json.codes.size(), 1u);
}

TEST(TuningProtobufFile, GoesOnBehindABadMessageAndStopsWhereNoneBegins) {
  const auto records = some_records();
  const std::string good = written({records[0]}, "protobuf").substr(8);
  FileContent content = read("OPBTLOG1\x03\xff\xff\xff" + good, "protobuf");
  EXPECT_THAT(content.codes, ElementsAre("E_PROTOBUF"));
  EXPECT_THAT(content.records, ElementsAre(records[0]));
  content = read("OPBTLOG1" + std::string(12, '\xff') + good, "protobuf");
  EXPECT_THAT(content.codes, ElementsAre("E_PROTOBUF"));
  EXPECT_THAT(content.records, IsEmpty());
  // 20 MiB, more than any record has.
  content =
      read("OPBTLOG1\x80\x80\x80\x0A" + std::string(size_t{20} << 20, 'x') + good, "protobuf");
  EXPECT_THAT(content.codes, ElementsAre("E_PROTOBUF"));
  EXPECT_THAT(content.records, ElementsAre(records[0]));
  content = read("OPBTLOG1" + good + std::string(1000, '\0'), "protobuf");
  EXPECT_THAT(content.codes, ElementsAre("E_PROTOBUF"));
  EXPECT_THAT(content.records, ElementsAre(records[0]));
}

TEST(TuningProtobufFile, KnowsTheLinesOfPrettyPrintedRecords) {
  const std::vector<TuningRecord> records = some_records();
  std::string text;
  std::vector<int64_t> begins;
  int64_t line = 1;
  for (size_t i = 0; i < 3; ++i) {
    Json message = Json::parse(encode_protobuf_json(records[i]).value());
    if (i == 1) message["colour"] = "red";  // no such field
    const std::string pretty = message.dump(2) + "\n";
    begins.push_back(line);
    line += std::ranges::count(pretty, '\n');
    text += pretty;
  }
  const auto folder = TemporaryFolder::make();
  const auto path = folder->path() / "pretty.json";
  ASSERT_TRUE(write_file(path, text));
  const auto file = open_records(path.string());
  ASSERT_TRUE(file) << to_text(file.error());
  for (size_t i = 0; i < 3; ++i) {
    const auto item = file->reader->next();
    ASSERT_TRUE(item && *item);
    EXPECT_EQ((*item)->line, begins[i]);
    EXPECT_EQ((*item)->record.has_value(), i != 1);
    if ((*item)->record) {
      EXPECT_EQ(std::get<TuningRecord>(*(*item)->record), records[i]);
    }
  }
  EXPECT_FALSE(*file->reader->next());
}

}  // namespace
}  // namespace opbench
