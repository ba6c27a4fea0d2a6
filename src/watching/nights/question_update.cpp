#include "watching/nights/question_update.h"

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

constexpr int kRehomedNights = 8;  ///< as old as a group may be that takes a question

/// A question about the same step: at the same rebuild, or near it where places are estimates.
Question* known_question(WatchState& state, int row, size_t at, const DetectorDef& detector) {
  const size_t slack = detector.needs_hashes ? 0 : static_cast<size_t>(detector.delay);
  const auto oldest = static_cast<int>(state.nights.size()) - 2 * (detector.delay + 2);
  for (auto it = state.questions.rbegin(); it != state.questions.rend(); ++it) {
    if (state.groups[static_cast<size_t>(it->group)].reported < oldest) break;
    if (it->row != row) continue;
    if (std::max(it->at, at) - std::min(it->at, at) <= slack) return &*it;
  }
  return nullptr;
}

/// The group of a range: near it where places are estimates.
int group_of(WatchState& state, const std::string& engine, int good, int bad, bool is_estimate) {
  const auto now = static_cast<int>(state.nights.size()) - 1;
  for (size_t i = state.groups.size(); i-- > 0;) {
    const QuestionGroup& group = state.groups[i];
    if (group.reported + 2 * kRehomedNights < now) break;
    if (group.engine != engine) continue;
    const bool is_it =
        is_estimate ? std::abs(group.bad - bad) <= 1 : group.good == good && group.bad == bad;
    if (is_it) return static_cast<int>(i);
  }
  state.groups.push_back({.engine = engine, .good = good, .bad = bad, .reported = now});
  return static_cast<int>(state.groups.size()) - 1;
}

bool is_inside(const QuestionGroup& inner, const QuestionGroup& outer) {
  return inner.engine == outer.engine && outer.good <= inner.good && inner.bad <= outer.bad &&
         (outer.good != inner.good || outer.bad != inner.bad);
}

/// A row that was not measured in every night has a wider range. Once something inside it is
/// confirmed in its direction, that is what moved it.
void find_narrower_group(WatchState& state, Question& question) {
  const auto now = static_cast<int>(state.nights.size()) - 1;
  for (size_t i = state.groups.size(); i-- > 0;) {
    const QuestionGroup& group = state.groups[i];
    if (group.reported + kRehomedNights < now) return;
    const QuestionGroup& own = state.groups[static_cast<size_t>(question.group)];
    if (!group.confirmed || !is_inside(group, own) ||
        !has_direction(state, group, question.step.size)) {
      continue;
    }
    auto& members = state.groups[static_cast<size_t>(question.group)].questions;
    const auto place = static_cast<int>(&question - state.questions.data());
    std::erase(members, place);
    question.group = static_cast<int>(i);
    state.groups[i].questions.push_back(place);
    return;
  }
}

/// Where hashes are known, a step without a rebuild is no question about the code.
bool is_explained_by_hash(const WatchState& state, const WatchedRow& row, size_t at,
                          const DetectorDef& detector) {
  if (row.hash.empty() || !state.has_hashes) return true;
  const size_t slack = detector.needs_hashes ? 0 : 1;
  const size_t begin = at > slack ? at - slack : 0;
  for (size_t i = begin; i <= std::min(at + slack, row.points.size() - 1); ++i) {
    if (row.points[i].is_rebuilt) return true;
  }
  return false;
}

void ask_row(WatchState& state, int place, const DetectorDef& detector, double threshold) {
  const WatchedRow& row = state.rows[static_cast<size_t>(place)];
  const LevelView view{.points = row.points, .base = row.base, .noise = row.noise};
  for (const LevelStep& step : detector.find(view)) {
    if (nights_since(row.points, step.at) > static_cast<size_t>(detector.delay)) continue;
    const bool is_suspected = step.z >= threshold;
    Question* known = known_question(state, place, step.at, detector);
    if (known == nullptr) {
      if (!is_suspected || !is_explained_by_hash(state, row, step.at, detector)) continue;
      open_question(state, place, step, detector);
      known = &state.questions.back();
    }
    if (known->at == step.at || known->state == QuestionState::kOpen) known->step = step;
    const auto now = static_cast<int>(state.nights.size()) - 1;
    known->was_suspected = known->opened < now && known->is_suspected;
    known->is_suspected = is_suspected;
    known->seen = now;
    if (known->state == QuestionState::kOpen) find_narrower_group(state, *known);
  }
}

}  // namespace

int bad_night(const WatchState& state, const Question& question) {
  return state.rows[static_cast<size_t>(question.row)].points[question.at].night;
}

int good_night(const WatchState& state, const Question& question) {
  return state.rows[static_cast<size_t>(question.row)].points[question.at - 1].night;
}

bool has_direction(const WatchState& state, const QuestionGroup& group, double sign) {
  return std::ranges::any_of(group.questions, [&](int i) {
    const Question& other = state.questions[static_cast<size_t>(i)];
    return other.state == QuestionState::kChanged && other.size.center * sign > 0;
  });
}

void open_question(WatchState& state, int row, const LevelStep& step, const DetectorDef& detector) {
  const std::vector<LevelPoint>& points = state.rows[static_cast<size_t>(row)].points;
  const int group =
      group_of(state, state.series[static_cast<size_t>(row)].engine, points[step.at - 1].night,
               points[step.at].night, !detector.needs_hashes);
  const auto place = static_cast<int>(state.questions.size());
  state.groups[static_cast<size_t>(group)].questions.push_back(place);
  const auto now = static_cast<int>(state.nights.size()) - 1;
  state.questions.push_back({.row = row,
                             .at = step.at,
                             .group = group,
                             .step = step,
                             .opened = now,
                             .seen = now,
                             .is_suspected = true});
}

void update_questions(WatchState& state, const DetectorDef& detector, double threshold) {
  const auto now = static_cast<int>(state.nights.size()) - 1;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    const WatchedRow& row = state.rows[i];
    if (state.series[i].is_control || row.points.size() < 2) continue;
    if (row.points.back().night == now) ask_row(state, static_cast<int>(i), detector, threshold);
  }
}

}  // namespace opbench
