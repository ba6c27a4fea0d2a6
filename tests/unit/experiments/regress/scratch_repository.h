#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files/file.h"
#include "experiments/compare/git_output.h"

namespace opbench {

/// A git repository of its own, removed at the end.
class ScratchRepository {
 public:
  ScratchRepository() : folder_(std::move(*TemporaryFolder::make())) {
    git({"init", "-q", "-b", "main"});
  }

  const std::filesystem::path& path() const { return folder_.path(); }

  /// Commits a file with this text; the commit's id.
  std::string commit(const std::string& file, const std::string& text, const std::string& subject) {
    std::filesystem::create_directories((path() / file).parent_path());
    EXPECT_TRUE(write_file(path() / file, text));
    git({"add", "-A"});
    git({"-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m",
         subject});
    return git({"rev-parse", "HEAD"});
  }

  std::string git(const std::vector<std::string>& words) {
    const auto text = git_output(path(), words);
    EXPECT_TRUE(text) << words.front();
    return text.value_or("");
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace opbench
