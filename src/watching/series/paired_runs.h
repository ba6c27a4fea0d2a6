#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// Asks for two builds of one engine to be measured side by side, in turns, now.
struct PairedQuestion {
  std::string series = {};  ///< `Series::id`; empty: `chain`
  std::string chain = {};   ///< engine/chain, as in `Night::chains`
  int night = 0;            ///< tonight's `Night::index`
  int old_night = 0;        ///< whose build is the old one
  int new_night = 0;
  int pairs = 0;  ///< how many
  int call = 0;   ///< counts up for more pairs of the same question
  bool operator==(const PairedQuestion&) const = default;
};

struct PairedAnswer {
  std::vector<double> log_ratios = {};  ///< ln(new / old), one a pair
  std::string failure = {};  ///< why there are none: the old build does not start any more, …
  bool operator==(const PairedAnswer&) const = default;
};

/// A paired run that was made: kept, a night can be analysed again without measuring.
struct PairedRun {
  PairedQuestion question;
  PairedAnswer answer;
};

/// Answers questions. An error ends the analysis; a build that cannot be had is a failure inside
/// the answer, and the alert stays suspected with this reason.
using PairSource = std::function<Result<PairedAnswer>(const PairedQuestion&)>;

/// Looks a question up in `kept` first; what is new is asked of `source` and appended to `kept`.
PairSource kept_pairs(std::vector<PairedRun>& kept, PairSource source);

}  // namespace opbench
