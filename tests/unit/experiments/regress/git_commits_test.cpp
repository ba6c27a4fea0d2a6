#include "experiments/regress/git_commits.h"

#include <gmock/gmock.h>

#include "scratch_repository.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

TEST(GitCommits, AreThoseBetweenTwoWithWhatTheyTouch) {
  ScratchRepository repository;
  const std::string first = repository.commit("kernel.cpp", "1", "one");
  repository.git({"tag", "v1.0"});
  const std::string second = repository.commit("docs/page.html", "2", "two: words");
  const std::string third = repository.commit("kernel.cpp", "3", "three");
  const auto commits = commits_from(repository.path(), first, third);
  ASSERT_TRUE(commits) << to_text(commits.error());
  EXPECT_EQ(*commits,
            (std::vector<GitCommit>{
                {first, "one", true}, {second, "two: words", false}, {third, "three", true}}));
  EXPECT_EQ(commit_of(repository.path(), "v1.0").value(), first);
  EXPECT_EQ(commit_of(repository.path(), "HEAD~1").value(), second);
  EXPECT_EQ(short_commit(first), first.substr(0, 12));
}

TEST(GitCommits, FollowFirstParents) {
  ScratchRepository repository;
  const std::string first = repository.commit("a.cpp", "1", "one");
  repository.git({"checkout", "-q", "-b", "side"});
  repository.commit("b.cpp", "1", "on the side");
  repository.git({"checkout", "-q", "main"});
  const std::string second = repository.commit("c.cpp", "1", "two");
  repository.git({"-c", "user.name=T", "-c", "user.email=t@example.com", "merge", "-q", "--no-ff",
                  "-m", "merged", "side"});
  const std::string merged = repository.git({"rev-parse", "HEAD"});
  const auto commits = commits_from(repository.path(), first, merged);
  ASSERT_TRUE(commits) << to_text(commits.error());
  ASSERT_EQ(commits->size(), 3U);
  EXPECT_EQ((*commits)[1].id, second);
  EXPECT_TRUE((*commits)[2].is_code) << "what was merged";
}

TEST(GitCommits, RefuseWhatIsNotThere) {
  ScratchRepository repository;
  const std::string first = repository.commit("a.cpp", "1", "one");
  repository.git({"tag", "release-7"});
  const std::string second = repository.commit("a.cpp", "2", "two");
  EXPECT_THAT(to_text(commit_of(repository.path(), "release-8").error()),
              HasSubstr("did you mean: release-7?"));
  EXPECT_THAT(to_text(commits_from(repository.path(), second, first).error()),
              HasSubstr("does not follow upon"));
  EXPECT_FALSE(commits_from(repository.path(), first, first));
  const auto empty = TemporaryFolder::make();
  EXPECT_THAT(to_text(checkout_of(empty->path()).error()), HasSubstr("lies in no git checkout"));
  EXPECT_EQ(checkout_of(repository.path()).value(), std::filesystem::canonical(repository.path()));
}

}  // namespace
}  // namespace opbench
