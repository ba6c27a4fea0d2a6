#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opbench {

/// The bin of each value, from 0: one for each distinct value where there are at most `most`, else
/// bins of about equal counts. Equal values share a bin.
std::vector<size_t> bins_of(std::span<const double> values, size_t most);

/// Number of bins: one more than the largest.
size_t bin_count(std::span<const size_t> bins);

/// Mutual information of x[i] with y[order[i]] as a share of the entropy of y, corrected for the
/// number of values (Miller and Madow 1955), in [0, 1]. 0 where y is in one bin.
double mutual_information(std::span<const size_t> x, std::span<const size_t> y,
                          std::span<const size_t> order);

}  // namespace opbench
