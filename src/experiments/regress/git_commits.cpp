#include "experiments/regress/git_commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/errors/suggestion.h"
#include "experiments/compare/git_output.h"

namespace opbench {
namespace {

constexpr char kRecordMark = '\x1e', kFieldMark = '\x1f';

std::vector<std::string> lines_of_text(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

bool is_document(const std::string& file) {
  return file.ends_with(".md") || file.ends_with(".rst") || file.starts_with("docs/");
}

/// One record of `git log`: id, subject, and a line a file.
GitCommit commit_of_record(const std::string& record) {
  const size_t first = record.find(kFieldMark);
  const size_t line = std::min(record.find('\n'), record.size());
  GitCommit commit{.id = record.substr(0, first)};
  if (first < line) commit.subject = record.substr(first + 1, line - first - 1);
  const std::vector<std::string> files = lines_of_text(record.substr(line));
  commit.is_code = files.empty() || !std::ranges::all_of(files, is_document);
  return commit;
}

std::vector<GitCommit> commits_of_log(const std::string& log) {
  std::vector<GitCommit> commits;
  std::istringstream records(log);
  for (std::string record; std::getline(records, record, kRecordMark);) {
    if (!record.empty() && record != "\n") commits.push_back(commit_of_record(record));
  }
  return commits;
}

}  // namespace

Result<std::filesystem::path> checkout_of(const std::filesystem::path& folder) {
  const auto top = git_output(folder, {"rev-parse", "--show-toplevel"});
  if (top) return std::filesystem::path(*top);
  return invalid_input(fmt::format("\"{}\" lies in no git checkout", folder.string()))
      .with("give", "--repo DIR");
}

Result<std::string> commit_of(const std::filesystem::path& checkout, const std::string& revision) {
  const auto id = git_output(
      checkout, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (id) return *id;
  const auto names = git_output(
      checkout, {"for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags"});
  const std::string guess = nearest_name(revision, lines_of_text(names.value_or("")));
  Error error = invalid_input(fmt::format("no git revision \"{}\"", revision))
                    .with("checkout", checkout.string())
                    .with("valid", "a branch, a tag, a commit, main~3");
  if (!guess.empty()) error.facts.push_back({"did you mean", guess + "?"});
  return error;
}

Result<std::vector<GitCommit>> commits_from(const std::filesystem::path& checkout,
                                            const std::string& good, const std::string& bad) {
  const auto subject = [&](const std::string& id) {
    return git_output(checkout, {"log", "-1", "--format=%s", id}).value_or("");
  };
  const Error refusal = invalid_input(fmt::format("commit {} does not follow upon {}",
                                                  short_commit(bad), short_commit(good)))
                            .with("good", subject(good))
                            .with("bad", subject(bad))
                            .with("valid", "a bad commit that was made after the good one");
  if (good == bad || !git_output(checkout, {"merge-base", "--is-ancestor", good, bad})) {
    return refusal;
  }
  const auto log =
      git_output(checkout, {"log", "--first-parent", "--reverse", "--name-only", "-m",
                            "--format=%x1e%H%x1f%s", "--ancestry-path", good + ".." + bad});
  std::vector<GitCommit> commits = {{.id = good, .subject = subject(good)}};
  for (GitCommit& commit : commits_of_log(log.value_or(""))) commits.push_back(std::move(commit));
  if (commits.back().id != bad) return refusal;
  return commits;
}

std::vector<GitCommit> commits_along(const std::filesystem::path& checkout,
                                     const std::string& commit) {
  const auto log =
      git_output(checkout, {"log", "--first-parent", "--reverse", "--name-only", "-m", "-n", "5000",
                            "--format=%x1e%H%x1f%s", "--end-of-options", commit});
  return commits_of_log(log.value_or(""));
}

std::string short_commit(const std::string& id) {
  constexpr size_t kDigits = 12;
  return id.substr(0, kDigits);
}

}  // namespace opbench
