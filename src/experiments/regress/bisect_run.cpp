#include "experiments/regress/bisect_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors/error_line.h"
#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "engines/catalog/engine_choice.h"
#include "measuring/results/statistics.h"
#include "watching/bisect/bisect_json.h"

namespace opbench {
namespace {

constexpr const char* kProgressSchema = "opbench.bisection/1";
constexpr int kLookPairs = 12;   // of each row, to choose one
constexpr int kBatchPairs = 12;  // at least, since builds take seconds to start

/// One bisection, in the order of its member functions.
class Bisection {
 public:
  Bisection(const BisectRequest& request, const BisectSteps& steps, const BisectListener& tell)
      : request_(request), steps_(steps), tell_(tell) {}

  Result<BisectProgress> run() {
    begin();
    if (progress_.state.commits.size() < 2) {
      return Error{ErrorCode::kNoMatch, "no commit behind the good one changes code"};
    }
    if (!progress_.target) OPBENCH_CHECK(choose_target());
    while (const auto step = next_step(progress_.state)) {
      if (request_.hooks.is_cancelled()) {
        return Error{ErrorCode::kInterrupted, "interrupted; what was found until then is kept"};
      }
      OPBENCH_CHECK(take(*step));
      OPBENCH_CHECK(keep());
    }
    return progress_;
  }

 private:
  /// From the file, if it is of the same question.
  void begin() {
    progress_.question = question_of(request_);
    progress_.state.rule = request_.rule;
    // A commit that touches documents alone has the build of the one before it.
    for (const GitCommit& commit : request_.commits) {
      const bool is_good = &commit == &request_.commits.front();
      if (!is_good && !commit.is_code) continue;
      progress_.state.commits.push_back({.id = commit.id, .subject = commit.subject});
    }
    if (request_.is_anew) return;
    const auto text = read_file(request_.file);
    if (!text) return;
    auto kept = read_progress(*text);
    if (kept && kept->question == progress_.question) progress_ = std::move(*kept);
  }

  Result<void> keep() const {
    OPBENCH_CHECK(make_writable_folder(request_.file.parent_path()));
    return write_file(request_.file, progress_text(progress_));
  }

  void tell(const std::string& doing) const {
    if (tell_) tell_(progress_, doing);
  }

  bool is_in_question(const SuiteCase& suite_case) const {
    if (request_.recipe.is_own()) return takes_packages(suite_case.engine);
    return std::ranges::any_of(request_.recipe.engines, [&](const BuiltEngine& engine) {
      return engine.name == suite_case.engine;
    });
  }

  Result<std::vector<SuiteCase>> cases_in_question() const {
    std::vector<SuiteCase> all = cases_of(request_.suite), found;
    std::ranges::copy_if(all, std::back_inserter(found),
                         [&](const SuiteCase& suite_case) { return is_in_question(suite_case); });
    if (!found.empty()) return found;
    std::vector<std::string> made;
    for (const BuiltEngine& engine : request_.recipe.engines) made.push_back(engine.name);
    if (made.empty()) made.push_back(package_engine().name);
    return invalid_input("no case of the suite runs an engine that the commits make")
        .with("the suite's engines", join(request_.suite.engines))
        .with("the commits make", join(made));
  }

  /// Errors of an end are errors of the bisection.
  Result<const CommitBuild*> built(size_t at) {
    const std::string& id = progress_.state.commits[at].id;
    const auto known = builds_.find(id);
    if (known != builds_.end()) return &known->second;
    tell("builds " + short_commit(id));
    OPBENCH_TRY(CommitBuild build, steps_.build(id));
    return &builds_.emplace(id, std::move(build)).first->second;
  }

  Result<std::vector<RowPairs>> measured(const PairedSubject& subject, const BisectStep& step,
                                         int pairs) {
    OPBENCH_TRY(const CommitBuild* const before, built(step.before));
    OPBENCH_TRY(const CommitBuild* const after, built(step.after));
    tell(fmt::format("measures {} beside {}", short_commit(after->commit),
                     short_commit(before->commit)));
    return steps_.measure(subject, *before, *after, pairs,
                          request_.seed + static_cast<uint64_t>(answer_of(progress_.state).pairs));
  }

  bool is_meant(const SuiteCase& suite_case, const RowPairs& row) const {
    const std::string& only = request_.only;
    return text_of(suite_case).find(only) != std::string::npos ||
           row.unit.find(only) != std::string::npos || row.shapes.find(only) != std::string::npos;
  }

  /// The row whose effect between the ends stands out most from its noise. Its pairs do not count
  /// afterwards: the largest of many is too large by chance.
  Result<void> choose_target() {
    OPBENCH_TRY(const std::vector<SuiteCase> cases, cases_in_question());
    double most = -1;
    std::optional<Error> refusal;
    for (const SuiteCase& suite_case : cases) {
      const auto look = look_at(suite_case);
      if (!look && look.error().code == ErrorCode::kInterrupted) return look.error();
      if (!look) {
        refusal = look.error();
      } else if (look->size > most) {
        most = look->size;
        progress_.target = BisectTarget{suite_case, look->unit, look->shapes};
      }
    }
    if (progress_.target) return keep();
    if (refusal) return *refusal;
    return Error{ErrorCode::kNoMatch, fmt::format("no row of the suite has \"{}\"", request_.only)};
  }

  /// What is known already, or the row of the case that stands out most.
  Result<BisectLook> look_at(const SuiteCase& suite_case) {
    const std::string name = text_of(suite_case);
    const auto known = std::ranges::find(progress_.looks, name, &BisectLook::case_text);
    if (known != progress_.looks.end()) return *known;
    PairedSubject subject = subject_of(suite_case, "");
    subject.is_whole = suite_case.is_workload;
    const BisectStep ends{0, progress_.state.commits.size() - 1, kLookPairs};
    OPBENCH_TRY(const std::vector<RowPairs> rows, measured(subject, ends, kLookPairs));
    BisectLook look{.case_text = name};
    for (const RowPairs& row : rows) {
      const double size = standing_out(row.log_ratios);
      if (is_meant(suite_case, row) && size > look.size) look = {name, row.unit, row.shapes, size};
    }
    progress_.looks.push_back(look);
    OPBENCH_CHECK(keep());
    return look;
  }

  PairedSubject subject_of(const SuiteCase& suite_case, const std::string& unit) const {
    return {.suite_case = suite_case,
            .cache = request_.suite.cache,
            .check = request_.suite.check,
            .unit = unit};
  }

  static double standing_out(const std::vector<double>& ratios) {
    constexpr double kLeastError = 0.002;  // builds of the same code differ by so much
    if (ratios.size() < 2) return 0;
    const double error = 1.2533 * standard_deviation(ratios) / std::sqrt(ratios.size());
    return std::abs(median(ratios)) / std::hypot(error, kLeastError);
  }

  Result<void> take(const BisectStep& step) {
    const BisectTarget& target = *progress_.target;
    const PairedSubject subject = subject_of(target.suite_case, target.unit);
    const auto rows = measured(subject, step, std::max(step.pairs, kBatchPairs));
    if (rows) {
      const auto row = std::ranges::find(*rows, target.unit, &RowPairs::unit);
      if (row == rows->end() || row->log_ratios.empty()) {
        return skip(step, Error{ErrorCode::kEnvironment, "its build has no such unit"});
      }
      add_pairs(step, row->log_ratios, progress_.state);
      return {};
    }
    return skip(step, rows.error());
  }

  /// A commit in the middle that cannot be built or run is left out of the question.
  Result<void> skip(const BisectStep& step, const Error& error) {
    const bool is_interruption =
        error.code == ErrorCode::kInterrupted || request_.hooks.is_cancelled();
    const bool is_end = step.before == 0 && step.after + 1 == progress_.state.commits.size();
    if (is_interruption || is_end || step.before != 0) return error;
    progress_.state.commits[step.after].skipped = one_line_text(error);
    return {};
  }

  const BisectRequest& request_;
  const BisectSteps& steps_;
  const BisectListener& tell_;
  BisectProgress progress_;
  std::map<std::string, CommitBuild> builds_;
};

}  // namespace

std::string question_of(const BisectRequest& request) {
  Json json = {{"suite", request.suite.name},
               {"cache", request.suite.cache},
               {"checkout", request.recipe.checkout.string()},
               {"command", request.recipe.command},
               {"only", request.only},
               {"good", request.commits.front().id},
               {"bad", request.commits.back().id}};
  for (const SuiteCase& suite_case : cases_of(request.suite))
    json["cases"].push_back(text_of(suite_case));
  for (const BuiltEngine& engine : request.recipe.engines) {
    json["engines"].push_back(engine.name + "=" + engine.place.string());
  }
  return sha256(canonical_text(json));
}

std::string progress_text(const BisectProgress& progress) {
  Json json = {{"schema", kProgressSchema}, {"question", progress.question}};
  for (const BisectLook& look : progress.looks) {
    json["looks"].push_back({{"case", look.case_text},
                             {"unit", look.unit},
                             {"shapes", look.shapes},
                             {"size", look.size}});
  }
  if (progress.target) {
    json["target"] = {{"subject", progress.target->suite_case.subject},
                      {"is_workload", progress.target->suite_case.is_workload},
                      {"engine", progress.target->suite_case.engine},
                      {"threads", progress.target->suite_case.threads},
                      {"unit", progress.target->unit},
                      {"shapes", progress.target->shapes}};
  }
  json["state"] = bisect_json(progress.state);
  return json_text(json) + "\n";
}

Result<BisectProgress> read_progress(std::string_view text) {
  OPBENCH_TRY(const Json json, parse_json(text, "the progress of a bisection"));
  if (!json.is_object() || json.value("schema", Json()) != kProgressSchema) {
    return invalid_input("no progress of a bisection").with("wanted", kProgressSchema);
  }
  BisectProgress progress;
  OPBENCH_TRY(progress.state, read_bisect(json_text(json.value("state", Json()))));
  try {
    progress.question = json.at("question").get<std::string>();
    for (const Json& look : json.value("looks", Json::array())) {
      progress.looks.push_back(
          {look.at("case").get<std::string>(), look.at("unit").get<std::string>(),
           look.at("shapes").get<std::string>(), look.at("size").get<double>()});
    }
    if (json.contains("target")) {
      const Json& target = json.at("target");
      progress.target = BisectTarget{
          .suite_case = {target.at("subject").get<std::string>(),
                         target.at("is_workload").get<bool>(),
                         target.at("engine").get<std::string>(), target.at("threads").get<int>()},
          .unit = target.at("unit").get<std::string>(),
          .shapes = target.at("shapes").get<std::string>()};
    }
  } catch (const Json::exception& error) {
    return invalid_input("damaged progress of a bisection").with("reason", error.what());
  }
  return progress;
}

BisectSteps steps_of(const BisectRequest& request) {
  return {.build = [&request](
                       const std::string& commit) { return build_commit(request.recipe, commit); },
          .measure =
              [&request](const PairedSubject& subject, const CommitBuild& before,
                         const CommitBuild& after, int pairs, uint64_t seed) {
                return pairs_of_builds(subject, before, after, pairs, seed, request.hooks);
              }};
}

Result<BisectProgress> run_bisect(const BisectRequest& request, const BisectSteps& steps,
                                  const BisectListener& tell) {
  return Bisection(request, steps, tell).run();
}

}  // namespace opbench
