#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "watching/series/paired_runs.h"

namespace opbench {

/// A centre with an interval.
struct PairedSize {
  double center = 0;
  double low = 0;
  double high = 0;
};

/// Hodges and Lehmann's estimate: the median of the means of all two values, with Wilcoxon's
/// interval of `z` standard deviations. At least one value.
PairedSize hodges_lehmann(std::span<const double> values, double z);

enum class PairedVerdict {
  kChanged,  ///< the interval lies beyond the margin, its centre clearly
  kSame,     ///< within it
  kUnknown,  ///< neither, with all pairs
  kFailed,   ///< a build cannot be had
};

struct LadderOptions {
  double margin = 0.01;   ///< of ln(new / old)
  double clearly = 1.25;  ///< times the margin, of the centre: builds of one code differ by layout
  double z = 3.9;         ///< of the interval
  int first_pairs = 20;   ///< doubled until it is sure
  int most_pairs = 160;
};

struct LadderResult {
  PairedVerdict verdict = PairedVerdict::kUnknown;
  PairedSize size = {};
  int64_t pairs = 0;
  int calls = 0;
  std::string failure = {};
};

/// Asks for more and more pairs until the interval lies beyond or within the margin. `question` has
/// everything but the number of pairs, and the call to begin with.
Result<LadderResult> climb(const PairSource& source, PairedQuestion question,
                           const LadderOptions& options = {});

}  // namespace opbench
