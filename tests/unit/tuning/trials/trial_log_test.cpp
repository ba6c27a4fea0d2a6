#include "tuning/trials/trial_log.h"

#include <gmock/gmock.h>

#include <vector>

#include "base/files/file.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

constexpr const char* kLine =
    R"({"input": ["llvm", "dense_nopack.x86", [["TENSOR", [1, 8], "float32"]], {}], )"
    R"("config": {"index": 3, "code_hash": null, "entity": [["tile_y", "sp", [-1, 1]]]}, )"
    R"("result": [[0.002], 0, 0.5, 1.5], "version": 0.2, "tvm_version": "0.8.0"})";

class TrialLogTest : public testing::Test {
 protected:
  TrialLog open() { return std::move(TrialLog::open(path_).value()); }

  std::vector<uint64_t> indices() {
    std::vector<uint64_t> result;
    TrialLog log = open();
    const auto read = log.read([&](const TuningRecord& record) -> Result<void> {
      result.push_back(std::get<KnobConfig>(record.config).index);
      return {};
    });
    EXPECT_TRUE(read.has_value());
    return result;
  }

  std::string error() {
    TrialLog log = open();
    const auto read = log.read([](const TuningRecord&) -> Result<void> { return {}; });
    return read ? "" : to_text(read.error());
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  std::filesystem::path path_ = folder_.path() / "a.log";
};

TEST_F(TrialLogTest, HoldsWhatWasAppended) {
  TuningRecord record = *decode_autotvm(kLine).record;
  {
    TrialLog log = open();
    for (const uint64_t index : {3, 5, 9}) {
      std::get<KnobConfig>(record.config).index = index;
      ASSERT_TRUE(log.append(record));
    }
    ASSERT_TRUE(log.sync(true));
  }
  EXPECT_EQ(indices(), (std::vector<uint64_t>{3, 5, 9}));
}

TEST_F(TrialLogTest, RemovesALastLineThatWasCut) {
  ASSERT_TRUE(write_file(path_, std::string(kLine) + "\n" + std::string(kLine).substr(0, 50)));
  EXPECT_EQ(indices(), std::vector<uint64_t>{3});
  EXPECT_EQ(*read_file(path_), std::string(kLine) + "\n");
}

TEST_F(TrialLogTest, KeepsALastLineThatIsNoBeginOfATrial) {
  for (const std::string begin : {"", "\n"}) {
    const std::string content = begin + "my notes";
    ASSERT_TRUE(write_file(path_, content));
    EXPECT_THAT(error(), testing::HasSubstr("is no trial of a tuner"));
    EXPECT_EQ(*read_file(path_), content);
  }
}

TEST_F(TrialLogTest, RemovesTheFirstBytesOfATrial) {
  for (const size_t size : {1, 5, 11}) {
    const std::string whole = std::string(kLine) + "\n";
    ASSERT_TRUE(write_file(path_, whole + std::string(kLine).substr(0, size)));
    EXPECT_EQ(indices(), std::vector<uint64_t>{3});
    EXPECT_EQ(*read_file(path_), whole);
  }
}

TEST_F(TrialLogTest, DoesNotTrustALastLineWithoutItsNewline) {
  ASSERT_TRUE(write_file(path_, std::string(kLine) + "\n" + kLine));
  EXPECT_EQ(indices(), std::vector<uint64_t>{3});
}

TEST_F(TrialLogTest, PassesOverBlankLines) {
  ASSERT_TRUE(write_file(path_, "\n" + std::string(kLine) + "\n\n"));
  EXPECT_EQ(indices(), std::vector<uint64_t>{3});
}

TEST_F(TrialLogTest, NamesALineThatIsNoTrial) {
  ASSERT_TRUE(write_file(path_, std::string(kLine) + "\nnothing\n" + kLine + "\n"));
  EXPECT_THAT(error(), testing::HasSubstr("line 2 of"));
}

class ProtobufLogTest : public TrialLogTest {
 protected:
  void SetUp() override { path_ = folder_.path() / "a.pb"; }

  void append(const std::vector<uint64_t>& configs) {
    TuningRecord record = *decode_autotvm(kLine).record;
    TrialLog log = open();
    for (const uint64_t index : configs) {
      std::get<KnobConfig>(record.config).index = index;
      ASSERT_TRUE(log.append(record));
    }
  }
};

TEST_F(ProtobufLogTest, HoldsWhatWasAppended) {
  append({3, 5});
  append({9});
  EXPECT_EQ(indices(), (std::vector<uint64_t>{3, 5, 9}));
  EXPECT_TRUE(read_file(path_)->starts_with("OPBTLOG1"));
}

TEST_F(ProtobufLogTest, RemovesALastMessageThatWasCut) {
  append({3});
  const std::string one = *read_file(path_);
  append({5});
  const std::string both = *read_file(path_);
  for (size_t size = 0; size < both.size(); ++size) {
    ASSERT_TRUE(write_file(path_, both.substr(0, size)));
    const bool has_one = size >= one.size();
    EXPECT_EQ(indices(), has_one ? std::vector<uint64_t>{3} : std::vector<uint64_t>{}) << size;
    append({7});
    EXPECT_EQ(indices(), has_one ? (std::vector<uint64_t>{3, 7}) : std::vector<uint64_t>{7})
        << size;
  }
}

TEST_F(ProtobufLogTest, KeepsWhatFailuresSay) {
  TuningRecord record = *decode_autotvm(kLine).record;
  record.result = {.error_no = 4, .error_message = "killed by signal 11"};
  ASSERT_TRUE(open().append(record));
  TrialLog log = open();
  ASSERT_TRUE(log.read([](const TuningRecord& read) -> Result<void> {
    EXPECT_EQ(read.result.error_message, "killed by signal 11");
    return {};
  }));
}

TEST_F(ProtobufLogTest, NamesAMessageThatIsNoTrial) {
  append({3, 5});
  std::string content = *read_file(path_);
  content[10] = '\xff';
  ASSERT_TRUE(write_file(path_, content));
  EXPECT_THAT(error(), testing::HasSubstr("record 1 of"));
  EXPECT_EQ(*read_file(path_), content);
}

TEST_F(ProtobufLogTest, KeepsWhatIsTooMuchForOneTrial) {
  append({3});
  std::string content = *read_file(path_) + "\xff\xff\xff\x03";
  content.append(100000, 'x');
  ASSERT_TRUE(write_file(path_, content));
  EXPECT_THAT(error(), testing::HasSubstr("record 2 of"));
  EXPECT_EQ(*read_file(path_), content);
}

TEST_F(TrialLogTest, IsInTheFormatThatItHas) {
  ASSERT_TRUE(write_file(path_, std::string(kLine) + "\n"));
  EXPECT_TRUE(TrialLog::open(path_, "autotvm"));
  const auto other = TrialLog::open(path_, "protobuf");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, testing::HasSubstr("is in format \"autotvm\""));
  EXPECT_FALSE(TrialLog::open(path_, "ansor"));
}

TEST_F(TrialLogTest, IsOneProgramsAlone) {
  const TrialLog log = open();
  EXPECT_FALSE(TrialLog::open(path_));
}

}  // namespace
}  // namespace opbench
