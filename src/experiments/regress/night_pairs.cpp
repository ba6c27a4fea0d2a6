#include "experiments/regress/night_pairs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "base/errors/error_line.h"
#include "experiments/regress/kept_lines.h"

namespace opbench {
namespace {

constexpr double kSmallestShare = 0.05;  ///< of a model that speaks for one of its chains

/// ln of the sum of units after over before, pair by pair; nothing where a unit has no pairs.
std::vector<double> sum_of_units(const PairedChain& chain, const std::vector<RowPairs>& rows) {
  std::vector<const RowPairs*> members;
  size_t pairs = 0;
  double before_ms = 0;
  for (const std::string& unit : chain.units) {
    const auto row = std::ranges::find(rows, unit, &RowPairs::unit);
    if (row == rows.end() || row->log_ratios.empty()) return {};
    pairs = members.empty() ? row->log_ratios.size() : std::min(pairs, row->log_ratios.size());
    before_ms += row->before_ms;
    members.push_back(&*row);
  }
  std::vector<double> ratios;
  for (size_t i = 0; i < pairs; ++i) {
    double after_ms = 0;
    for (const RowPairs* row : members) after_ms += row->before_ms * std::exp(row->log_ratios[i]);
    ratios.push_back(std::log(after_ms / before_ms));
  }
  return ratios;
}

/// Where fusion gave the builds other units, what the model changed by counts as the chain's.
PairedAnswer answer_of_chain(const PairedChain& chain, const std::vector<RowPairs>& rows) {
  PairedAnswer answer{.log_ratios = sum_of_units(chain, rows)};
  if (!answer.log_ratios.empty()) return answer;
  const auto model = std::ranges::find(rows, "", &RowPairs::unit);
  if (model != rows.end() && chain.share >= kSmallestShare) {
    for (const double ratio : model->log_ratios) {
      const double change = std::expm1(ratio) / std::min(chain.share, 1.0);
      if (change > -1) answer.log_ratios.push_back(std::log1p(change));
    }
  }
  if (answer.log_ratios.empty()) answer.failure = "the builds have other units in this chain";
  return answer;
}

/// The builds of one analysis, each had once; what cannot be had is not tried again.
class NightBuilds {
 public:
  explicit NightBuilds(const NightPairs& pairs) : pairs_(pairs) {}

  Result<PairedAnswer> answer(const PairedQuestion& question) {
    const PairedSubject* const subject = subject_of(question);
    if (subject == nullptr) return PairedAnswer{.failure = "tonight has no such row"};
    const PairedChain* const chain =
        question.series.empty() ? &pairs_.watched.chains.at(question.chain) : nullptr;
    const auto before = build_of(question.old_night, true);
    if (!before) return failed(before.error());
    const auto after = build_of(question.new_night, false);
    if (!after) return failed(after.error());
    const auto seed =
        static_cast<uint64_t>(question.night) * 1000 + static_cast<uint64_t>(question.call);
    const auto rows = pairs_.measure(*subject, **before, **after, question.pairs, seed);
    if (!rows) return failed(rows.error());
    if (chain != nullptr && !chain->units.empty()) return answer_of_chain(*chain, *rows);
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
    if (question.series.empty()) {
      const auto chain = pairs_.watched.chains.find(question.chain);
      return chain == pairs_.watched.chains.end() ? nullptr : &chain->second.subject;
    }
    const auto found = pairs_.watched.subjects.find(question.series);
    return found == pairs_.watched.subjects.end() ? nullptr : &found->second;
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

/// An unknown question is answered by a run of the range around its own, each run once.
PairSource narrowed_pairs(std::vector<PairedRun> kept, PairSource source) {
  const auto wide = std::make_shared<std::vector<PairedRun>>(std::move(kept));
  return [wide, source = std::move(source)](const PairedQuestion& question) {
    const auto run = std::ranges::find_if(*wide, [&](const PairedRun& known) {
      PairedQuestion narrowed = known.question;
      const bool is_around =
          narrowed.old_night <= question.old_night && question.new_night <= narrowed.new_night;
      narrowed.old_night = question.old_night;
      narrowed.new_night = question.new_night;
      return is_around && narrowed == question;
    });
    if (run == wide->end()) return source(question);
    PairedAnswer answer = std::move(run->answer);
    wide->erase(run);
    return Result<PairedAnswer>(std::move(answer));
  };
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

PairSource answers_of(std::vector<PairedRun> kept, PairSource unknown) {
  const auto known = std::make_shared<std::vector<PairedRun>>(std::move(kept));
  PairSource exact = kept_pairs(*known, narrowed_pairs(*known, std::move(unknown)));
  return
      [known, exact = std::move(exact)](const PairedQuestion& question) { return exact(question); };
}

Result<void> keep_pairs(const std::filesystem::path& file, const WatchedHistory& watched,
                        const PairedRun& run) {
  return keep_line(file, json_of_run(run, watched));
}

}  // namespace opbench
