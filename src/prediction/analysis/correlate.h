#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prediction/analysis/factor_shape.h"

namespace opbench {

/// Something that a time may depend on: a number for each row, or the index of a word.
struct Factor {
  std::string name;
  std::vector<double> values;      ///< one a row; NaN where the row has none
  std::vector<std::string> words;  ///< in the order of their first row; empty: values are numbers
  bool is_numeric() const { return words.empty(); }
};

/// Rows of factors with a time each.
struct FactorTimes {
  std::vector<Factor> factors;
  std::vector<double> log_times;  ///< ln of the time, one a row
};

/// A measure of dependence, and how easily chance makes as large a one.
struct Dependence {
  double value = 0;
  double chance = 1;     ///< of this test alone
  double corrected = 1;  ///< over all tests of the table (Benjamini and Hochberg)
};

enum class FactorVerdict {
  kNotVaried,    ///< one value only: nothing can be said
  kTooFew,       ///< too few rows to measure, or to call a factor idle
  kMonotone,     ///< push to the bound; where it is not fast there, try the fastest bin too
  kTurning,      ///< look for a turning point
  kWords,        ///< the time depends on a factor that has no order
  kIndependent,  ///< drop it from tuning
};

/// `not-varied`, `too-few-rows`, `monotone`, `not-monotone`, `depends`, `no-dependence`
std::string_view name_of(FactorVerdict verdict);

struct FactorCorrelation {
  std::string factor;
  size_t rows = 0;                    ///< that have the factor
  size_t distinct = 0;                ///< values of it
  std::optional<Dependence> pearson;  ///< of logarithms where all values are above 0
  std::optional<double> elasticity;   ///< d ln time / d ln factor, where all are above 0
  std::optional<Dependence> spearman;
  std::optional<Dependence> distance;     ///< distance correlation
  std::optional<Dependence> information;  ///< mutual information, as a share of the time's entropy
  FactorShape shape;
  std::vector<std::string> words;  ///< of the bins, where the factor has no order
  FactorVerdict verdict = FactorVerdict::kTooFew;
};

struct CorrelationOptions {
  size_t most_rows = 1000;  ///< of a random sample for the tests by permutation
  int permutations = 999;   ///< of a test at most; one that is clear ends before
  double level = 0.05;      ///< of a corrected chance
  uint64_t seed = 1;
};

struct CorrelationTable {
  std::vector<FactorCorrelation> factors;  ///< in the order given
  size_t rows = 0;
  size_t sampled = 0;  ///< rows behind the tests by permutation
};

/// Measures how the time depends on each factor. Pearson and Spearman use all rows, distance
/// correlation and mutual information a random sample.
CorrelationTable correlate(const FactorTimes& times, const CorrelationOptions& options);

}  // namespace opbench
