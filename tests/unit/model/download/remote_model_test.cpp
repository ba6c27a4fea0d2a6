#include "model/download/remote_model.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/numbers/hash.h"
#include "model_server.h"
#include "tar_bytes.h"

namespace opbench {
namespace {
namespace fs = std::filesystem;

// The fetched file is not read as a model here.
constexpr auto kModel = "\x08\x07 not quite a model";

class RemoteModelFrom : public testing::Test {
 protected:
  void SetUp() override {
    if (!server_.is_there()) GTEST_SKIP() << "node does not run here";
    options_.stall = Seconds(60);
  }
  Result<RemoteModel> get(const std::string& path) {
    return fetch_model(server_.url(path), cache_->path(), options_);
  }
  void add(const std::string& name, const std::vector<TarMember>& members) {
    server_.add(name, tar_of(members));
  }
  /// Files and folders in the cache, but for locks.
  size_t kept() const {
    size_t count = 0;
    for (const auto& item : fs::recursive_directory_iterator(cache_->path())) {
      if (item.is_regular_file() && item.path().filename() != "lock") ++count;
    }
    return count;
  }

  ModelServer server_;
  Result<TemporaryFolder> cache_ = TemporaryFolder::make();
  DownloadOptions options_;
};

TEST_F(RemoteModelFrom, ASingleFile) {
  server_.add("net.onnx", kModel);
  const auto model = get("file/net.onnx");
  ASSERT_TRUE(model);
  EXPECT_EQ(*read_file(model->file), kModel);
  EXPECT_EQ(model->name, "net");
  EXPECT_EQ(model->sha256, sha256(kModel));
  EXPECT_TRUE(model->folder.empty());
}

TEST_F(RemoteModelFrom, AnArchiveWithDataBesideTheModel) {
  add("net.tar", {{"net/model.onnx", kModel}, {"net/weights.bin", "w"}, {"net/._model.onnx", "?"}});
  const auto model = get("file/net.tar");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->file, model->folder / "net/model.onnx");
  EXPECT_EQ(*read_file(model->folder / "net/weights.bin"), "w");
  EXPECT_EQ(model->name, "net");
  EXPECT_EQ(get("file/net.tar")->file, model->file);
  EXPECT_EQ(server_.requests(), "/file/net.tar -");
}

TEST_F(RemoteModelFrom, AnArchiveWithSeveralModels) {
  add("two.tar", {{"a/x.onnx", kModel}, {"b/y.onnx", kModel}});
  const auto none = get("file/two.tar");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "the archive holds 2 ONNX files");
  EXPECT_EQ(none.error().facts.at(0), (Fact{"known", "a/x.onnx, b/y.onnx"}));
  EXPECT_EQ(get("file/two.tar#b/y.onnx")->name, "y");
  const auto other = get("file/two.tar#b/z.onnx");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().facts.at(1), (Fact{"did you mean", "b/y.onnx?"}));
  EXPECT_EQ(server_.requests(), "/file/two.tar -");
}

TEST_F(RemoteModelFrom, WhatIsNoModelIsNotKept) {
  server_.add("m", kModel);
  add("none.tar", {{"readme", "no model here"}});
  add("evil.tar", {{"model.onnx", kModel}, {"../evil", "x"}});
  for (const char* path : {"page/m", "file/none.tar", "file/evil.tar"}) {
    const auto model = get(path);
    ASSERT_FALSE(model) << path;
    EXPECT_EQ(model.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(model.error().facts.back(), (Fact{"in", server_.url(path)}));
    EXPECT_EQ(kept(), 0) << path;
  }
}

TEST_F(RemoteModelFrom, AForgottenModelIsDownloadedAgain) {
  server_.add("net.onnx", kModel);
  ASSERT_TRUE(get("file/net.onnx"));
  forget_model(server_.url("file/net.onnx"), cache_->path());
  EXPECT_EQ(kept(), 0);
  ASSERT_TRUE(get("file/net.onnx"));
  EXPECT_EQ(server_.requests(), "/file/net.onnx -;/file/net.onnx -");
}

TEST_F(RemoteModelFrom, AProgramThatIsKilledLeavesNothingHalf) {
  std::string weights(3 << 20, '\0');
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<char>(i * i % 251);
  add("net.tar", {{"model.onnx", kModel}, {"weights.bin", weights}});
  constexpr int64_t kStep = 250'000;
  for (int64_t bytes = 1; bytes < int64_t{3} << 20; bytes += kStep) {
    const pid_t child = ::fork();
    if (child == 0) {
      options_.progress = [&](const DownloadProgress& progress) {
        if (progress.bytes >= bytes) ::raise(SIGKILL);
      };
      (void)get("break/300000/net.tar");
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << bytes;
  }
  const auto model = get("break/300000/net.tar");
  ASSERT_TRUE(model);
  EXPECT_EQ(*read_file(model->folder / "weights.bin"), weights);
}

TEST_F(RemoteModelFrom, TwoProgramsDownloadOnce) {
  server_.add("net.onnx", kModel);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(::fork());
    if (children.back() == 0) ::_exit(get("file/net.onnx") ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(server_.requests(), "/file/net.onnx -");
}

}  // namespace
}  // namespace opbench
