#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opbench {

/// Ranks from 1; equal values share the mean of theirs. One a value.
std::vector<double> ranks_of(std::span<const double> values);

/// The product-moment correlation (Pearson 1895) of two series of the same length; 0 where one of
/// them is constant.
double pearson(std::span<const double> x, std::span<const double> y);

/// Pearson's correlation of the ranks (Spearman 1904).
double spearman(std::span<const double> x, std::span<const double> y);

/// The chance that two independent series of `count` values correlate as strongly as `correlation`,
/// by Fisher's transformation (1915). 1 below 4 values.
double chance_of_correlation(double correlation, size_t count);

/// Chances corrected for their number, so that of those below a limit that share at most is false
/// (Benjamini and Hochberg 1995). One a chance, in the same order.
std::vector<double> corrected_chances(std::span<const double> chances);

}  // namespace opbench
