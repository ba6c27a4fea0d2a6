#pragma once

#include "watching/nights/night_state.h"

namespace opbench {

/// Looks at the rows that were measured tonight: opens questions, in groups, and says of the open
/// ones whether their step still stands. `threshold` of LevelStep::z opens one.
void update_questions(WatchState& state, const DetectorDef& detector, double threshold);

/// Opens a question that is suspected, in the group of its commit range.
void open_question(WatchState& state, int row, const LevelStep& step, const DetectorDef& detector);

/// The first night after the last good one, and the last good one of a question.
int bad_night(const WatchState& state, const Question& question);
int good_night(const WatchState& state, const Question& question);

/// Whether a paired run confirmed a change of this sign in the group.
bool has_direction(const WatchState& state, const QuestionGroup& group, double sign);

}  // namespace opbench
