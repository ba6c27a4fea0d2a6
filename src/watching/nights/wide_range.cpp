#include "watching/nights/wide_range.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "watching/nights/question_update.h"

namespace opbench {
namespace {

/// Code between two nights, without the commit that the later one measured.
std::vector<std::string> commits_inside(const WatchState& state, int good, int bad) {
  std::vector<Commit> commits;
  for (int i = good + 1; i <= bad; ++i) {
    const auto& of_night = state.nights[static_cast<size_t>(i)].commits;
    commits.insert(commits.end(), of_night.begin(), of_night.end());
  }
  std::vector<std::string> ids;
  for (size_t i = 0; i + 1 < commits.size(); ++i) {
    if (commits[i].is_code) ids.push_back(commits[i].id);
  }
  return ids;
}

/// The last night in which something could be asked; -1: there was none.
int last_asking_night(const WatchState& state) {
  for (size_t i = state.nights.size(); i-- > 0;) {
    if (!state.nights[i].is_filled) return static_cast<int>(i);
  }
  return -1;
}

/// How far a row jumped between the points around a question's place. Nights behind a change stand
/// beside the old level too, as long as nobody confirmed the change.
double jump_at(const WatchState& state, const Question& question) {
  const auto& points = state.rows[static_cast<size_t>(question.row)].points;
  return std::abs(points[question.at].level - points[question.at - 1].level);
}

/// Of each row the question with the largest jump; the surest first.
std::vector<const Question*> questions_of_tonight(const WatchState& state,
                                                  const WatchOptions& options) {
  const int asking = last_asking_night(state);
  std::map<int, const Question*> by_row;
  for (const Question& question : state.questions) {
    const bool is_worth_it = question.state == QuestionState::kOpen && question.is_suspected &&
                             std::abs(question.step.size) >= options.smallest_change;
    if (!is_worth_it || bad_night(state, question) <= asking) continue;
    const Question*& best = by_row[question.row];
    if (best == nullptr || jump_at(state, question) > jump_at(state, *best)) best = &question;
  }
  std::vector<const Question*> questions;
  for (const auto& [row, question] : by_row) questions.push_back(question);
  std::ranges::stable_sort(questions, std::greater<>(),
                           [](const Question* question) { return question->step.z; });
  return questions;
}

}  // namespace

std::vector<WideRange> wide_ranges(const WatchState& state, const WatchOptions& options) {
  std::vector<WideRange> wide;
  for (const Question* question : questions_of_tonight(state, options)) {
    const int good = good_night(state, *question), bad = bad_night(state, *question);
    const std::string& engine = state.series[static_cast<size_t>(question->row)].engine;
    auto known = std::ranges::find_if(wide, [&](const WideRange& range) {
      return range.engine == engine && range.good == good && range.bad == bad;
    });
    if (known == wide.end()) {
      std::vector<std::string> commits = commits_inside(state, good, bad);
      if (commits.empty()) continue;
      known = wide.insert(wide.end(), {engine, good, bad, std::move(commits), {}});
    }
    known->rows.push_back(question->row);
  }
  return wide;
}

}  // namespace opbench
