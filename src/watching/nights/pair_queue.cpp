#include "watching/nights/pair_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "watching/nights/chain_effect.h"
#include "watching/nights/question_update.h"

namespace opbench {
namespace {

constexpr double kLikeCleared = 0.3;  ///< of a size: as large as another one
constexpr double kJoinsWithin = 3;    ///< times a size that a paired run confirmed
constexpr double kLastInQueue = 1e-3;
constexpr int kOpenNights = 40;             ///< after which nothing more is asked of a group
constexpr double kSmallestOfChain = 0.005;  ///< of a chain: builds differ by less for no reason

/// Whether a paired run confirmed a change in this direction of about this size.
bool is_like_confirmed(const WatchState& state, const QuestionGroup& group, double size) {
  return std::ranges::any_of(group.questions, [&](int i) {
    const Question& other = state.questions[static_cast<size_t>(i)];
    const double ratio = size / other.size.center;
    return other.state == QuestionState::kChanged && ratio >= 1 / kJoinsWithin &&
           ratio <= kJoinsWithin;
  });
}

/// One night's queue.
class PairQueue {
 public:
  PairQueue(WatchState& state, const WatchOptions& options, const DetectorDef& detector,
            const PairSource& source)
      : state_(state), options_(options), detector_(detector), source_(source) {
    now_ = static_cast<int>(state.nights.size()) - 1;
    runs_tonight_.resize(state.groups.size());
  }

  Result<void> run() {
    for (int runs = 0; runs < options_.runs_a_night; ++runs) {
      const int next = best();
      if (next < 0) break;
      OPBENCH_CHECK(ask(state_.questions[static_cast<size_t>(next)]));
    }
    return {};
  }

 private:
  const WatchedRow& row_of(const Question& question) const {
    return state_.rows[static_cast<size_t>(question.row)];
  }

  /// A row that moved as far as one that paired runs cleared comes last: what moved that one, moved
  /// both.
  double rank(const Question& question) const {
    const WatchedRow& row = row_of(question);
    const double effect =
        std::abs(question.step.size) / std::max(row.noise, row.points.back().doubt);
    const QuestionGroup& group = state_.groups[static_cast<size_t>(question.group)];
    const bool is_like_cleared = std::ranges::any_of(group.questions, [&](int i) {
      const Question& other = state_.questions[static_cast<size_t>(i)];
      const bool is_cleared =
          other.state == QuestionState::kSame || other.state == QuestionState::kUnknown;
      const double near = std::max(kLikeCleared * std::abs(other.step.size), 2 * question.step.sd);
      return is_cleared && std::abs(question.step.size - other.step.size) <= near;
    });
    return is_like_cleared ? effect * kLastInQueue : effect;
  }

  bool is_recent(const Question& question) const {
    return nights_since(row_of(question).points, question.at) <=
           static_cast<size_t>(detector_.delay);
  }

  bool may_ask(const Question& question) const {
    const bool is_open = question.state == QuestionState::kOpen ||
                         (question.state == QuestionState::kUnknown && question.asked_nights < 2);
    if (!is_open || !question.is_suspected || question.last_asked == now_) return false;
    if (std::abs(question.step.size) < options_.smallest_change || !is_recent(question))
      return false;
    const QuestionGroup& group = state_.groups[static_cast<size_t>(question.group)];
    if (group.runs >= options_.runs_a_group) return false;
    if (runs_tonight_[static_cast<size_t>(question.group)] >= options_.runs_a_group_night)
      return false;
    return !is_like_confirmed(state_, group, question.step.size);
  }

  /// -1: there is none.
  int best() const {
    int best = -1;
    for (size_t i = state_.questions.size(); i-- > 0;) {
      const Question& question = state_.questions[i];
      if (state_.groups[static_cast<size_t>(question.group)].reported + kOpenNights < now_) break;
      if (!may_ask(question)) continue;
      if (best < 0 || rank(question) > rank(state_.questions[static_cast<size_t>(best)])) {
        best = static_cast<int>(i);
      }
    }
    return best;
  }

  Result<LadderResult> climb_ladder(const Question& question, const LadderOptions& ladder,
                                    bool is_chain) {
    const Series& series = state_.series[static_cast<size_t>(question.row)];
    PairedQuestion asked{
        .night = state_.nights[static_cast<size_t>(now_)].index,
        .old_night = state_.nights[static_cast<size_t>(good_night(state_, question))].index,
        .new_night = state_.nights[static_cast<size_t>(bad_night(state_, question))].index,
        .call = question.calls};
    (is_chain ? asked.chain : asked.series) =
        is_chain ? series.engine + "/" + series.chain : series.id;
    OPBENCH_TRY(LadderResult result, climb(source_, asked, ladder));
    ++state_.paired_runs;
    state_.pairs += result.pairs;
    QuestionGroup& group = state_.groups[static_cast<size_t>(question.group)];
    ++group.runs;
    ++runs_tonight_[static_cast<size_t>(question.group)];
    return result;
  }

  Result<void> ask(Question& question) {
    OPBENCH_TRY(LadderResult result, climb_ladder(question, options_.ladder, false));
    if (result.verdict == PairedVerdict::kFailed &&
        state_.rows[static_cast<size_t>(question.row)].is_fused) {
      OPBENCH_TRY(result, ask_chain_instead(question));
    }
    question.last_asked = now_;
    ++question.asked_nights;
    question.calls += result.calls;
    question.size = result.size;
    question.pairs += result.pairs;
    question.failure = result.failure;
    question.state = state_after(result.verdict);
    if (question.state != QuestionState::kChanged) return {};
    OPBENCH_TRY(const bool has_moved, is_cost_moved(question));
    if (has_moved) return {};
    QuestionGroup& group = state_.groups[static_cast<size_t>(question.group)];
    if (!group.confirmed) group.confirmed = now_;
    return {};
  }

  static QuestionState state_after(PairedVerdict verdict) {
    switch (verdict) {
      case PairedVerdict::kChanged:
        return QuestionState::kChanged;
      case PairedVerdict::kSame:
        return QuestionState::kSame;
      case PairedVerdict::kUnknown:
        return QuestionState::kUnknown;
      case PairedVerdict::kFailed:
        break;
    }
    return QuestionState::kFailed;
  }

  /// The old build lacks a unit that fusion made: its chain is there in both.
  Result<LadderResult> ask_chain_instead(Question& question) {
    const ChainEffect effect = chain_effect(state_, question, question.step.size);
    if (effect.expected == 0) {
      return LadderResult{.verdict = PairedVerdict::kFailed,
                          .failure = "the old build lacks this unit"};
    }
    LadderOptions ladder = options_.ladder;
    ladder.margin = std::max(std::abs(effect.expected) / 2, options_.ladder.margin / 2);
    return climb_ladder(question, ladder, true);
  }

  /// Whether the chain stayed as it was, because another unit of it took the cost. Says so in a
  /// note and closes the questions of the chain.
  Result<bool> is_cost_moved(Question& question) {
    const ChainEffect effect = chain_effect(state_, question, question.size.center);
    if (!effect.may_be_moved) return false;
    LadderOptions ladder = options_.ladder;
    ladder.margin = std::abs(effect.expected) / 2;
    if (ladder.margin < kSmallestOfChain) {
      if (effect.seems_moved) close_chain(question);
      return effect.seems_moved;
    }
    OPBENCH_TRY(const LadderResult result, climb_ladder(question, ladder, true));
    if (result.verdict == PairedVerdict::kFailed) return false;
    if (result.size.center * question.size.center > 0 &&
        std::abs(result.size.center) > ladder.margin)
      return false;
    close_chain(question);
    return true;
  }

  void close_chain(Question& question) {
    const Series& series = state_.series[static_cast<size_t>(question.row)];
    const MeasuredNight& night = state_.nights[static_cast<size_t>(bad_night(state_, question))];
    state_.notes.push_back(fmt::format(
        "{}: {} moved by {:+.1f} % and its chain {} did not: cost went to another unit of it",
        night.date.empty() ? std::to_string(night.index) : night.date, series.id,
        100 * std::expm1(question.size.center), series.chain));
    question.state = QuestionState::kMoved;
    for (const int i : state_.groups[static_cast<size_t>(question.group)].questions) {
      Question& other = state_.questions[static_cast<size_t>(i)];
      const bool is_same_chain =
          state_.series[static_cast<size_t>(other.row)].chain == series.chain;
      const bool is_against = other.step.size * question.size.center < 0;
      if (is_same_chain && is_against) other.state = QuestionState::kMoved;
    }
  }

  WatchState& state_;
  const WatchOptions& options_;
  const DetectorDef& detector_;
  const PairSource& source_;
  int now_ = 0;
  std::vector<int> runs_tonight_;  ///< by group
};

}  // namespace

bool is_confirmed(const WatchState& state, const WatchOptions& options, const Question& question) {
  if (question.state == QuestionState::kChanged) return true;
  if (question.state != QuestionState::kOpen && question.state != QuestionState::kUnknown)
    return false;
  const QuestionGroup& group = state.groups[static_cast<size_t>(question.group)];
  return question.step.z >= options.joins && is_like_confirmed(state, group, question.step.size);
}

Result<void> run_pairs(WatchState& state, const WatchOptions& options, const DetectorDef& detector,
                       const PairSource& source) {
  if (source) OPBENCH_CHECK(PairQueue(state, options, detector, source).run());
  const auto now = static_cast<int>(state.nights.size()) - 1;
  for (size_t i = state.questions.size(); i-- > 0;) {
    const Question& question = state.questions[i];
    const QuestionGroup& group = state.groups[static_cast<size_t>(question.group)];
    if (group.reported + kOpenNights < now) break;
    const bool is_new_level = question.state == QuestionState::kMoved ||
                              (group.confirmed && is_confirmed(state, options, question));
    if (!is_new_level) continue;
    WatchedRow& row = state.rows[static_cast<size_t>(question.row)];
    row.base = std::max(row.base, question.at);
  }
  return {};
}

}  // namespace opbench
