#include "experiments/compare/revision_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "base/files/file.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A git repository whose `dev` makes a stand-in for opbench that prints its own commit's number.
class RevisionBuildTest : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("GIT_DIR");
    run("mkdir repo && cd repo && git init -q -b main");
    commit(
        "echo 1 > number; echo \"$0 $*\" >> ../steps; [ \"$1\" = setup ] && exit 0; "
        "[ \"$2\" = opbench ] && printf '#!/bin/sh\\necho one\\n' > opbench && chmod +x opbench");
    commit("echo it breaks >&2; exit 3");
    run("cd repo && git tag broken && git rm -q dev && " + git_ +
        "commit -qm none && git tag none");
    run("cd repo && mkdir folder && git branch folder main~2");
  }

  void run(const std::string& line) const {
    const std::string all = "cd '" + folder_.path().string() + "' && " + line + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(("bash -c '" + quoted(all) + "'").c_str()), 0) << line;
  }

  static std::string quoted(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result;
  }

  void commit(const std::string& dev) const {
    ASSERT_TRUE(write_file(repo() / "dev", "#!/bin/bash\n" + dev + "\n"));
    run("cd repo && chmod +x dev && git add dev && " + git_ + "commit -qm more");
  }

  fs::path repo() const { return folder_.path() / "repo"; }

  Result<fs::path> build(const std::string& revision) const {
    OPBENCH_TRY(const BuildChoice choice, choose_build(revision, repo()));
    return build_revision(choice, {.folder = builds()});
  }

  fs::path builds() const { return folder_.path() / "builds"; }
  std::string steps() const { return read_file(builds() / "steps").value_or(""); }

  std::string git_ = "git -c user.name=a -c user.email=a@example.org ";
  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

TEST_F(RevisionBuildTest, BuildsARevisionOnceAndKeepsIt) {
  const auto program = build("main~2");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->filename(), "opbench");
  EXPECT_TRUE(fs::exists(*program));
  EXPECT_EQ(steps(), "./dev setup\n./dev build opbench\n");
  EXPECT_EQ(*build("broken~1"), *program);
  EXPECT_EQ(steps(), "./dev setup\n./dev build opbench\n");
}

TEST_F(RevisionBuildTest, BuildsAgainWhatWasNotFinishedOrDropped) {
  const auto program = build("main~2");
  ASSERT_TRUE(program);
  const fs::path folder = program->parent_path();
  fs::remove(fs::path(folder.string() + ".done"));  // as if the program had been killed
  ASSERT_TRUE(build("main~2"));
  fs::remove_all(builds());
  ASSERT_TRUE(build("main~2"));
}

TEST_F(RevisionBuildTest, LeavesOnlyTheLogOfAFailedBuild) {
  const auto program = build("broken");
  ASSERT_FALSE(program);
  const Error& error = program.error();
  EXPECT_EQ(error.code, ErrorCode::kEnvironment);
  EXPECT_THAT(error.message, HasSubstr("revision \"broken\""));
  std::string facts;
  for (const Fact& fact : error.facts) facts += fact.label + ": " + fact.text + "\n";
  EXPECT_THAT(facts, HasSubstr("\"./dev setup\" ended with exit code 3"));
  EXPECT_THAT(facts, HasSubstr("its last line: it breaks"));
  size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(builds())) {
    folders += entry.is_directory() ? 1 : 0;
    EXPECT_NE(entry.path().extension(), ".done");
  }
  EXPECT_EQ(folders, 0U);
}

TEST_F(RevisionBuildTest, RefusesARevisionThatHasNothingToBuildWith) {
  const auto program = build("none");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(program.error().message, HasSubstr("none of OpBench"));
}

TEST_F(RevisionBuildTest, IsMadeOnceForTwoProgramsAtATime) {
  std::thread other([&] { EXPECT_TRUE(build("main~2")); });
  EXPECT_TRUE(build("main~2"));
  other.join();
  EXPECT_EQ(steps(), "./dev setup\n./dev build opbench\n");
}

TEST_F(RevisionBuildTest, EndsWhenCancelled) {
  const std::atomic<bool> cancel = true;
  const auto choice = choose_build("main~2", repo());
  ASSERT_TRUE(choice);
  const auto program = build_revision(*choice, {.folder = builds(), .cancel = &cancel});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, ErrorCode::kInterrupted);
}

TEST_F(RevisionBuildTest, TellsPathsFromRevisions) {
  EXPECT_EQ(choose_build("main", repo())->commit.size(), 40U);
  EXPECT_EQ(choose_build("./main", repo())->path, "./main");
  const std::string path = (repo() / "folder").string();
  EXPECT_EQ(choose_build(path, repo())->path, path);
  const auto unknown = choose_build("mian", repo());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "no OpBench build and no git revision \"mian\"");
  const auto outside = choose_build("main", "/");
  ASSERT_FALSE(outside);
  EXPECT_THAT(outside.error().message, HasSubstr("there is no git checkout"));
  EXPECT_FALSE(choose_build("--help", repo()));
}

}  // namespace
}  // namespace opbench
