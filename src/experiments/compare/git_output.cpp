#include "experiments/compare/git_output.h"

#include "base/files/file.h"
#include "engines/client/logged_command.h"

namespace opbench {

std::optional<std::string> git_output(const std::filesystem::path& folder,
                                      std::vector<std::string> words) {
  const auto temporary = TemporaryFolder::make();
  if (!temporary) return std::nullopt;
  // Hooks of git name their own checkout in variables.
  words.insert(words.begin(), {"env", "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u",
                               "GIT_INDEX_FILE", "git", "-C", folder.string()});
  const std::filesystem::path output = temporary->path() / "output";
  const Result<int> code = run_logged({.argv = std::move(words), .output = output});
  if (!code || *code != 0) return std::nullopt;
  std::string text = read_file(output).value_or("");
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace opbench
