#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"
#include "external_data.h"
#include "records/store/database/views.h"
#include "records/store/import/import.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

TEST(ScannedLogs, GiveTheSameRowsByTheScannerAndByTheDecoder) {
  for (const char* name : {"arm_cpu_v0.08.log", "cuda_v0.10.log", "llvm_v0.04.log", "vta_v0.10.log",
                           "mali_v0.05.log"}) {
    const fs::path log = test::external_data() / "tophub" / name;
    if (!fs::exists(log)) GTEST_SKIP() << "no " << log;
    const TemporaryFolder folder = TemporaryFolder::make().value();
    StoreFolder fast = StoreFolder::open_to_write(folder.path() / "fast").value();
    StoreFolder slow = StoreFolder::open_to_write(folder.path() / "slow").value();
    const std::string path = log.string();
    const FileImport by_scanner = import_file(fast, path).value();
    const FileImport by_decoder = import_file(slow, path, {.uses_scanner = false}).value();
    EXPECT_EQ(by_scanner.added, by_decoder.added);
    EXPECT_EQ(by_scanner.counts.warnings, by_decoder.counts.warnings);
    const std::string all = "SELECT * FROM trials ORDER BY line";
    EXPECT_EQ(query_store(fast, all)->rows, query_store(slow, all)->rows) << name;
    EXPECT_EQ(fast.live_parts(RecordKind::kTrial)->at(0).name,
              slow.live_parts(RecordKind::kTrial)->at(0).name);
  }
}

}  // namespace
}  // namespace opbench
