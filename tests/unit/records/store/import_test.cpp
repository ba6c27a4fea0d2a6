#include "records/store/import/import.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

#include "base/files/file.h"
#include "records/store/database/views.h"
#include "records/store/parts/compact.h"
#include "records/store/parts/merge.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const char* const kImportLine =
    R"({"input": ["llvm -keys=cpu", "dense_pack.x86", [["TENSOR", [1, 768], "float32"], null], {}], )"
    R"("config": {"index": 7, "code_hash": null, "entity": [["tile_y", "sp", [-1, 4]], )"
    R"(["auto", "ot", true]]}, "result": [[0.0001, 0.0002], 0, 0.5, 1655872996.5], )"
    R"("version": 0.2, "tvm_version": "0.8.0"})";

class Import : public testing::Test {
 protected:
  StoreFolder store(const std::string& name = "store") {
    return StoreFolder::open_to_write(folder_.path() / name).value();
  }

  std::string write(const std::string& name, const std::string& content) {
    const fs::path path = folder_.path() / name;
    std::ofstream(path) << content;
    return path.string();
  }

  static int64_t count(StoreFolder& store, const std::string& what = "*") {
    const QueryResult result = query_store(store, "SELECT count(" + what + ") FROM trials").value();
    return result.rows[0][0].get<int64_t>();
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

TEST_F(Import, KeepsEqualLinesOfAFileAndAddsThemOnce) {
  const std::string line = std::string(kImportLine) + "\n";
  const std::string path = write("two.log", line + "# comment\n\n" + line);
  StoreFolder target = store();
  EXPECT_EQ(import_file(target, path)->added, 2);
  const FileImport again = import_file(target, path).value();
  EXPECT_EQ(again.added, 0);
  EXPECT_EQ(again.present, 2);
  EXPECT_EQ(count(target), 2);
  EXPECT_EQ(count(target, "DISTINCT id"), 2);
  const FileImport three = import_file(target, write("three.log", line + line + line)).value();
  EXPECT_EQ(three.added, 1);
  EXPECT_EQ(three.present, 2);
  EXPECT_EQ(count(target, "DISTINCT id"), 3);
}

TEST_F(Import, KnowsARecordInAnotherSpelling) {
  std::string spelled = kImportLine;
  for (size_t at = 0; (at = spelled.find(", ", at)) != std::string::npos;) spelled.erase(at + 1, 1);
  StoreFolder target = store();
  EXPECT_EQ(import_file(target, write("a.log", std::string(kImportLine) + "\n"))->added, 1);
  EXPECT_EQ(import_file(target, write("b.log", spelled + "\n"))->present, 1);
}

TEST_F(Import, KeepsEverySourceOfARow) {
  const std::string line = std::string(kImportLine) + "\n";
  const std::string one = write("one.log", line);
  const std::string two = write("two.log", "# comment\n" + line + line);
  StoreFolder target = store();
  for (const std::string& path : {one, two, one, two, write("copy.log", line)}) {
    ASSERT_TRUE(import_file(target, path));
  }
  EXPECT_EQ(count(target), 2);
  const auto sources = [](StoreFolder& folder) {
    std::vector<std::string> found;
    const QueryResult result =
        query_store(folder, "SELECT file[-8:], line FROM sources ORDER BY ALL").value();
    for (const std::vector<Json>& row : result.rows) {
      found.push_back(row[0].get<std::string>() + ":" + row[1].dump());
    }
    return found;
  };
  const std::vector<std::string> wanted = {"/one.log:1", "/two.log:2", "/two.log:3", "copy.log:1"};
  EXPECT_EQ(sources(target), wanted);
  ASSERT_TRUE(compact(target, RecordKind::kSource, {.fewest_parts = 2}));
  EXPECT_EQ(sources(target), wanted);
  StoreFolder other = store("other");
  ASSERT_TRUE(import_file(other, one));
  for (const RecordKind kind : {RecordKind::kTrial, RecordKind::kSource}) {
    ASSERT_TRUE(merge_store(other, target, kind));
  }
  EXPECT_EQ(sources(other), wanted);
}

TEST_F(Import, CountsBadLinesAndTakesTheOthers) {
  const std::string line = std::string(kImportLine) + "\n";
  StoreFolder target = store();
  const FileImport file =
      import_file(target, write("bad.log", line + "{\"input\": 1}\n" + line.substr(0, 90))).value();
  EXPECT_EQ(file.counts.records, 3);
  EXPECT_EQ(file.counts.valid, 1);
  EXPECT_EQ(file.counts.errors, (std::map<std::string, int64_t>{{"E_KEYS", 1}, {"E_TORN", 1}}));
  const std::vector<std::string> messages = file.counts.ordered_messages();
  ASSERT_EQ(messages.size(), 2);
  EXPECT_THAT(messages[0], HasSubstr("bad.log:2"));
  EXPECT_THAT(messages[1], HasSubstr("bad.log:3"));
  EXPECT_EQ(count(target), 1);
}

TEST_F(Import, LeavesNothingWhereItCannotWrite) {
  const std::string file = write("file", "");
  const auto opened = StoreFolder::open_to_write(fs::path(file) / "store");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kInvalidInput);
}

TEST_F(Import, TakesFactorsThatTheScannerDoesNotKnowTheGeneralWay) {
  const std::string line = kImportLine;
  StoreFolder fast = store("fast"), slow = store("slow");
  std::string lines;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"[-1, 4]", "[8, 4, 2]"},
           {"true", "\"text\""},
           {"true", "1.5"},
           {"true", "null"},
           {"true", "[1, 2]"},
           {"true", "-3"},
           {"null]", "true]"},
           {"null]", "2.0]"},
           {"null]", "[1, [2, \"x\"], []]]"},
           {"null]", "\"\\u00e9\"]"},
           {"0.5,", "10,"},
           {"1655872996.5", "1655872996"},
           {"0.0001, 0.0002], 0", "1000000000.0], 4"},
           {"0.0001, 0.0002], 0", "10000000000.0], 4"},
           {"0.0001", "1e-05"},
           {"null, \"entity\"", "\"abc\", \"entity\""},
           {"{}]", "{\"a\": 1}]"},
           {"tile_y", "tile y"},
           {"\"version\"", "\"extra\": [1], \"version\""},
           {"[[\"tile_y\", \"sp\", [-1, 4]], [\"auto\", \"ot\", true]]", "[]"}}) {
    std::string changed = line;
    const size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    lines += line + "\n" + changed.replace(at, from.size(), to) + "\n";
  }
  const std::string path = write("odd.log", lines);
  const FileImport by_scanner = import_file(fast, path).value();
  const FileImport by_decoder = import_file(slow, path, {.uses_scanner = false}).value();
  EXPECT_EQ(by_scanner.added, 40);
  EXPECT_EQ(by_scanner.counts.messages, by_decoder.counts.messages);
  const std::string all = "SELECT * FROM trials ORDER BY line";
  EXPECT_EQ(query_store(fast, all)->rows, query_store(slow, all)->rows);
}

}  // namespace
}  // namespace opbench
