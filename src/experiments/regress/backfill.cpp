#include "experiments/regress/backfill.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/errors/error_line.h"
#include "base/text/counted.h"
#include "experiments/regress/git_commits.h"
#include "watching/nights/night_analysis.h"
#include "watching/nights/wide_range.h"

namespace opbench {
namespace {

constexpr int kMostFills = 3;           // commits a night
constexpr double kFillShare = 1.0 / 3;  // of the suite's budget

/// What is measured next.
struct NextFill {
  std::string commit;
  std::string range;   ///< `d8 and d9`
  int64_t others = 0;  ///< commits of the range that are open beside it
  std::vector<SuiteCase> cases;
};

class NightFills {
 public:
  explicit NightFills(const BackfillRequest& request)
      : request_(request),
        case_s_(case_budget_s(request.suite)),
        left_s_(std::max(request.suite.budget_s * kFillShare, case_s_)) {}

  Result<std::vector<std::string>> run() {
    for (int count = 0;; ++count) {
      OPBENCH_TRY(NextFill next, next_fill());
      if (next.commit.empty()) break;
      const std::string limit = limit_of(count);
      if (!limit.empty()) {
        const std::string left = counted(next.others + 1, "commit was", "commits were");
        lines_.push_back(fmt::format("between {} {} not measured: {}", next.range, left, limit));
        break;
      }
      OPBENCH_CHECK(fill(next));
    }
    return std::move(lines_);
  }

 private:
  /// Why nothing more is measured; empty: it is.
  std::string limit_of(int count) const {
    if (!request_.why_not.empty()) return request_.why_not;
    if (count == kMostFills) return fmt::format("{} commits a night at most", kMostFills);
    if (left_s_ < case_s_) return "a third of tonight's budget is spent on nights in between";
    return "";
  }

  /// Without a commit where nothing is open.
  Result<NextFill> next_fill() const {
    OPBENCH_TRY(WatchedHistory watched, request_.history());
    std::vector<Night>& nights = watched.history.nights;
    NextFill next;
    const bool is_last = !nights.empty() && nights.back().date == request_.night;
    if (!is_last || nights.back().is_filled) return next;
    // Tonight asks for no paired run before the nights in between are there.
    nights.back().is_filled = true;
    OPBENCH_TRY(const PairSource source, request_.source(watched));
    OPBENCH_TRY(const WatchState state, analyse_history(watched.history, request_.options, source));
    for (const WideRange& range : wide_ranges(state, request_.options)) {
      std::vector<std::string> open;
      for (const std::string& commit : range.commits) {
        if (!tried_.contains(commit)) open.push_back(commit);
      }
      if (open.empty()) continue;
      next.commit = open[(open.size() - 1) / 2];
      next.others = std::ssize(open) - 1;
      next.range = fmt::format("{} and {}", state.nights[static_cast<size_t>(range.good)].date,
                               state.nights[static_cast<size_t>(range.bad)].date);
      next.cases = cases_to_fill(range, watched);
      break;
    }
    return next;
  }

  std::vector<SuiteCase> cases_to_fill(const WideRange& range,
                                       const WatchedHistory& watched) const {
    std::vector<SuiteCase> cases;
    const auto add = [&](const SuiteCase& suite_case) {
      const auto taken_s = static_cast<double>(cases.size() + 1) * case_s_;
      const bool is_new = std::ranges::find(cases, suite_case) == cases.end();
      if (is_new && taken_s <= left_s_) cases.push_back(suite_case);
    };
    for (const int row : range.rows) {
      const auto& series = watched.history.series[static_cast<size_t>(row)];
      add(watched.subjects.at(series.id).suite_case);
    }
    const std::vector<SuiteCase> suspected = cases;
    for (SuiteCase suite_case : suspected) {
      for (const std::string& control : request_.suite.controls) {
        suite_case.engine = control;
        add(suite_case);
      }
    }
    return cases;
  }

  Result<void> fill(const NextFill& next) {
    tried_.insert(next.commit);
    const std::string commit = short_commit(next.commit);
    const std::string night = fmt::format("{}.fill-{}", request_.night, commit);
    const auto outcome = request_.measure(next.commit, night, next.cases);
    if (!outcome && outcome.error().code == ErrorCode::kInterrupted) return outcome.error();
    if (outcome && outcome->open > 0) return Error{ErrorCode::kInterrupted, "interrupted"};
    std::string line = fmt::format("between {} commit {} ", next.range, commit);
    if (!outcome) {
      line += "was not measured: " + one_line_text(outcome.error());
    } else if (!outcome->failures.empty()) {
      const Fact& failure = outcome->failures.front();
      line += fmt::format("was not measured: {}: {}", failure.label, failure.text);
    } else {
      left_s_ -= static_cast<double>(next.cases.size()) * case_s_;
      line += "was measured now, " + counted(std::ssize(next.cases), "case");
    }
    lines_.push_back(std::move(line));
    return {};
  }

  const BackfillRequest& request_;
  double case_s_, left_s_;
  std::set<std::string> tried_;
  std::vector<std::string> lines_;
};

}  // namespace

Result<std::vector<std::string>> fill_nights(const BackfillRequest& request) {
  return NightFills(request).run();
}

}  // namespace opbench
