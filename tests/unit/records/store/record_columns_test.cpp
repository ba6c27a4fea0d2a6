#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/files/file.h"
#include "records/record/benchmark_field_table.h"
#include "records/record/benchmark_record.h"
#include "records/store/database/views.h"
#include "records/store/parts/add_part.h"
#include "records/store/parts/benchmark_parts.h"
#include "records/store/parts/compact.h"
#include "records/store/parts/part_columns.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

using R = BenchmarkRecord;

Json sample(R::Word R::*) { return "word"; }
Json sample(R::Text R::*) { return "text"; }
Json sample(R::Whole R::*) { return 1; }
Json sample(R::Number R::*) { return 1.5; }
Json sample(R::Flag R::*) { return true; }
Json sample(R::TextList R::*) { return Json::array({"item"}); }
Json sample(R::NumberList R::*) { return Json::array({1.5}); }
Json sample(R::TextMap R::*) { return {{"key", "value"}}; }
Json sample(R::NumberMap R::*) { return {{"key", 1.5}}; }
Json sample(R::CountMap R::*) { return {{"key", 1}}; }
Json sample(R::Object R::*) { return Json::object(); }

/// A member that its column can hold.
Json sample(const PartColumn& part) {
  const std::string type = part.type;
  if (type == "VARCHAR") return "text";
  if (type == "BOOLEAN") return true;
  return type.starts_with("MAP") ? Json{{"key", "value"}} : Json(1);
}

/// A record with every field that has columns in these parts.
Json full_record(bool is_predicted) {
  const ColumnGroup other = is_predicted ? ColumnGroup::kTime : ColumnGroup::kPrediction;
  Json record;
  for (const BenchmarkField& field : benchmark_fields()) {
    if (field.group == other || field.group == ColumnGroup::kNoColumn) continue;
    Json value = std::visit([](auto member) { return sample(member); }, field.member);
    for (const PartColumn& part : field.parts) {
      if (part.member != nullptr) value[part.member] = sample(part);
    }
    record[field.name] = value;
  }
  record["timestamp"] = "2026-11-25T12:00:00Z";
  record["workload"] = "topi.dense:1234567";
  record["engine_version"] = "1.0.0:1234567";
  record["inputs"] = Json::array({{{"name", "data"}, {"shape", {1}}}});
  if (is_predicted) record["kind"] = "predicted";
  return record;
}

class RecordColumns : public testing::TestWithParam<bool> {};

TEST_P(RecordColumns, HoldEveryFieldOfARecord) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  StoreFolder store = StoreFolder::open_to_write(folder.path() / "store").value();
  const auto record = record_from_json(full_record(GetParam()));
  ASSERT_TRUE(record) << to_text(record.error());
  ASSERT_EQ(append_records(store, {*record}).value().added, 1);
  const RecordKind kind = GetParam() ? RecordKind::kPrediction : RecordKind::kBenchmark;
  const char* view = GetParam() ? "predictions" : "benchmarks";
  const QueryResult result = query_store(store, std::string("SELECT * FROM ") + view).value();
  const std::vector<ResultColumn>& declared = part_columns(kind);
  ASSERT_EQ(result.columns.size(), declared.size());
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_EQ(result.columns[0].name, "record_id");
  for (size_t i = 1; i < declared.size(); ++i) {
    EXPECT_EQ(result.columns[i].name, declared[i].name);
    EXPECT_FALSE(result.rows[0][i].is_null()) << declared[i].name;
  }
  const Json again = Json::parse(result.rows[0].back().get<std::string>());
  EXPECT_EQ(record_from_json(again).value(), [&] {
    R whole = *record;
    whole.record_id = result.rows[0][0].get<std::string>();
    return whole;
  }());
}

TEST_P(RecordColumns, HaveOneNameEach) {
  std::set<std::string> names;
  for (const ResultColumn& column :
       part_columns(GetParam() ? RecordKind::kPrediction : RecordKind::kBenchmark)) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
  }
}

/// A part from before the field `reproducer`, beside one that has it.
TEST_P(RecordColumns, AreNullInPartsFromBeforeAField) {
  const RecordKind kind = GetParam() ? RecordKind::kPrediction : RecordKind::kBenchmark;
  const std::string view = GetParam() ? "predictions" : "benchmarks";
  const TemporaryFolder folder = TemporaryFolder::make().value();
  StoreFolder store = StoreFolder::open_to_write(folder.path() / "store").value();
  Json fields = full_record(GetParam());
  ASSERT_TRUE(append_records(store, {record_from_json(fields).value()}));
  const StorePart part = store.live_parts(kind)->front();
  Database database = Database::open({}).value();
  const std::filesystem::path old = folder.path() / "old.parquet";
  ASSERT_TRUE(database.run(
      copy_statement("SELECT * EXCLUDE (reproducer) FROM " + scan_of({part}), old, kind)));
  std::filesystem::rename(old, part.path);
  fields["workload"] = "later";
  ASSERT_TRUE(append_records(store, {record_from_json(fields).value()}));
  const std::string sql = "SELECT reproducer FROM " + view + " ORDER BY workload";
  const Json expected = Json::parse(R"([["text"], [null]])");
  EXPECT_EQ(Json(query_store(store, sql).value().rows), expected);
  CompactionOptions options;
  options.fewest_parts = 2;
  ASSERT_EQ(compact(store, kind, options).value().parts_after, 1);
  EXPECT_EQ(Json(query_store(store, sql).value().rows), expected);
}

INSTANTIATE_TEST_SUITE_P(OfMeasurementsAndPredictions, RecordColumns, testing::Bool());

}  // namespace
}  // namespace opbench
