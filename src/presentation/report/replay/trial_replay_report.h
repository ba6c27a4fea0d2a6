#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"
#include "tuning/trials/trial_replay.h"

/// What a log's trials are worth here, as text and data.
namespace opbench {

/// What became of the trials.
struct ReplayCounts {
  int64_t replayed = 0;                                  ///< built, and measured unless they failed
  int64_t correct = 0;                                   ///< of these
  std::map<int, int64_t> failures;                       ///< of these, by AutoTVM's number
  int64_t faulty = 0;                                    ///< no configs of their spaces
  std::vector<std::pair<std::string, int64_t>> skipped;  ///< reasons, in the order of the file
};

ReplayCounts counts_of(const ReplayedTrials& replayed);

/// A row a trial that was repeated: its line, task, workload, config, the logged time, the median
/// measured here with its 95 % interval, their ratio, `correct` or the failure's number; below it
/// the failure.
TextTable trial_replay_table(const ReplayedTrials& replayed);

/// The table for people, then counts, why trials were left out, and warnings.
std::string trial_replay_text(const ReplayedTrials& replayed, int width, const TextStyle& style);

/// {"schema": "opbench.replay.trials/1", "records": [{"line", "target", "task", "args",
/// "workload", "config", "index", "is_index_wrong", "then_ms", "now_ms": {"median", "low", "high",
/// "repeats"}, "ratio", "gflops_per_s", "outcome", "error_no", "reason"}], "replayed", "correct",
/// "failures", "faulty", "skipped": [{"reason", "count"}], "interrupted", "warnings": ["…"]}, null
/// for what is not known. Outcomes: correct, wrong, failed, skipped, faulty, open.
Json trial_replay_json(const ReplayedTrials& replayed);

}  // namespace opbench
