#include "experiments/regress/night_pairs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>

#include "base/errors/error_line.h"
#include "experiments/regress/kept_lines.h"

namespace opbench {
namespace {

/// The builds of one analysis, each had once; what cannot be had is not tried again.
class NightBuilds {
 public:
  explicit NightBuilds(const NightPairs& pairs) : pairs_(pairs) {}

  Result<PairedAnswer> answer(const PairedQuestion& question) {
    const PairedSubject* const subject = subject_of(question);
    if (subject == nullptr) return PairedAnswer{.failure = "tonight has no such row"};
    const auto before = build_of(question.old_night, true);
    if (!before) return failed(before.error());
    const auto after = build_of(question.new_night, false);
    if (!after) return failed(after.error());
    const auto seed =
        static_cast<uint64_t>(question.night) * 1000 + static_cast<uint64_t>(question.call);
    const auto rows = pairs_.measure(*subject, **before, **after, question.pairs, seed);
    if (!rows) return failed(rows.error());
    const auto row = std::ranges::find(*rows, subject->unit, &RowPairs::unit);
    if (row == rows->end()) return PairedAnswer{.failure = "one of the builds has no such unit"};
    return PairedAnswer{.log_ratios = row->log_ratios};
  }

 private:
  static Result<PairedAnswer> failed(const Error& error) {
    if (error.code == ErrorCode::kInterrupted) return error;
    return PairedAnswer{.failure = one_line_text(error)};
  }

  const PairedSubject* subject_of(const PairedQuestion& question) const {
    const bool is_chain = question.series.empty();
    const auto& known = is_chain ? pairs_.watched.chains : pairs_.watched.subjects;
    const auto found = known.find(is_chain ? question.chain : question.series);
    return found == known.end() ? nullptr : &found->second;
  }

  Result<const CommitBuild*> build_of(int night, bool is_old) {
    const auto& commits = pairs_.watched.commits;
    if (night < 0 || night >= std::ssize(commits)) {
      return invalid_input(fmt::format("no night {} in the history", night));
    }
    const std::string& commit = commits[static_cast<size_t>(night)];
    if (commit == pairs_.tonight.commit) return &pairs_.tonight;
    if (is_old && pairs_.base) return &*pairs_.base;
    auto known = builds_.find(commit);
    if (known == builds_.end()) known = builds_.emplace(commit, pairs_.build(commit)).first;
    if (!known->second) return known->second.error();
    return &*known->second;
  }

  NightPairs pairs_;
  std::map<std::string, Result<CommitBuild>> builds_;
};

Json json_of_run(const PairedRun& run, const WatchedHistory& watched) {
  const auto name = [&](int night) {
    return watched.history.nights.at(static_cast<size_t>(night)).date;
  };
  const PairedQuestion& question = run.question;
  return {{"record", "paired"},
          {"series", question.series},
          {"chain", question.chain},
          {"night", name(question.night)},
          {"old", name(question.old_night)},
          {"new", name(question.new_night)},
          {"pairs", question.pairs},
          {"call", question.call},
          {"log_ratios", run.answer.log_ratios},
          {"failure", run.answer.failure}};
}

/// Nothing for a run of a night that is not there.
std::optional<PairedRun> run_of_json(const Json& json, const std::map<std::string, int>& nights) {
  const auto night = [&](const char* name) {
    const auto found = nights.find(json.at(name).get<std::string>());
    return found == nights.end() ? -1 : found->second;
  };
  PairedRun run{.question = {.series = json.at("series").get<std::string>(),
                             .chain = json.at("chain").get<std::string>(),
                             .night = night("night"),
                             .old_night = night("old"),
                             .new_night = night("new"),
                             .pairs = json.at("pairs").get<int>(),
                             .call = json.at("call").get<int>()},
                .answer = {.log_ratios = json.at("log_ratios").get<std::vector<double>>(),
                           .failure = json.at("failure").get<std::string>()}};
  const PairedQuestion& question = run.question;
  if (std::min({question.night, question.old_night, question.new_night}) < 0) return std::nullopt;
  return run;
}

}  // namespace

PairSource pair_source_of(const NightPairs& pairs) {
  const auto builds = std::make_shared<NightBuilds>(pairs);
  return [builds](const PairedQuestion& question) { return builds->answer(question); };
}

Result<std::vector<PairedRun>> read_kept_pairs(const std::filesystem::path& file,
                                               const WatchedHistory& watched) {
  std::map<std::string, int> nights;
  for (const Night& night : watched.history.nights) nights[night.date] = night.index;
  std::vector<PairedRun> runs;
  OPBENCH_CHECK(read_kept_lines(file, "paired run", [&](const Json& json) -> Result<void> {
    if (auto run = run_of_json(json, nights)) runs.push_back(std::move(*run));
    return {};
  }));
  return runs;
}

Result<void> keep_pairs(const std::filesystem::path& file, const WatchedHistory& watched,
                        const PairedRun& run) {
  return keep_line(file, json_of_run(run, watched));
}

}  // namespace opbench
