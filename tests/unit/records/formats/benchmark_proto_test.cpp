#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <proto/benchmark_record.pb.h>

#include <string>

#include "records/formats/codec.h"
#include "records/record/benchmark_record.h"

namespace opbench {
namespace {

namespace pb = google::protobuf;

TEST(BenchmarkProto, HasEveryFieldOfARecordInItsOrder) {
  const pb::Descriptor* type = record::BenchmarkRecord::descriptor();
  const auto fields = record_fields();
  ASSERT_EQ(type->field_count(), static_cast<int>(fields.size()) + 1);
  for (size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ(type->field(static_cast<int>(i))->name(), fields[i]);
  }
}

TEST(BenchmarkProto, TakesLinesAndGivesThemBack) {
  const RecordFile file =
      open_records(OPBENCH_TEST_FIXTURES "/records/google_benchmark.json").value();
  int records = 0;
  while (const auto item = file.reader->next().value()) {
    if (!item->record) continue;
    ++records;
    const auto& benchmark = std::get<BenchmarkRecord>(*item->record);
    record::BenchmarkRecord message;
    const auto status = pb::util::JsonStringToMessage(to_line(benchmark), &message);
    ASSERT_TRUE(status.ok()) << status.ToString();
    pb::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    std::string text;
    ASSERT_TRUE(pb::util::MessageToJsonString(message, &text, options).ok());
    Json again = Json::parse(text);
    // Integers of 64 bits are text in proto3 JSON, and readers of it take them as numbers too.
    if (again.contains("n_samples")) {
      again["n_samples"] = std::stoll(again["n_samples"].get<std::string>());
    }
    EXPECT_EQ(nlohmann::json(again), nlohmann::json(to_json(benchmark)));
  }
  EXPECT_EQ(records, 5);
}

}  // namespace
}  // namespace opbench
