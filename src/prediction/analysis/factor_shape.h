#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace opbench {

/// Rows whose factor lies in one bin.
struct FactorBin {
  double low = 0, high = 0;  ///< least and greatest value of the factor
  size_t rows = 0;
  double median = 0;            ///< of ln time
  double lower = 0, upper = 0;  ///< quartiles
};

/// How ln time follows a factor.
struct FactorShape {
  std::vector<FactorBin> bins;  ///< by the factor
  double share = 0;       ///< of the variance of ln time that the bins explain (ε², Kelley 1935)
  double effect = 0;      ///< slowest over fastest bin's median − 1
  size_t fastest = 0;     ///< the bin of the smallest median
  bool falls = false;     ///< the better monotone fit falls: a larger value is faster
  double turn_gain = 0;   ///< how many times the noise's variance a fit that turns once saves
  double turn_size = 0;   ///< what the smaller side of the turn changes, as a share of the time
  size_t bound = 0;       ///< the last bin where it falls, else the first: what a push would choose
  double bound_loss = 0;  ///< the bound's median over the fastest bin's − 1
  double bound_error = 0;  ///< standard error of the logarithm of that ratio
};

/// `bins`: the bin of each row (bins_of()); as many values and log times.
FactorShape shape_of(std::span<const double> values, std::span<const size_t> bins,
                     std::span<const double> log_times);

/// True where a fit that turns once is clearly better than a monotone one.
bool turns(const FactorShape& shape);

/// True where the bound is as fast as the fastest bin, within 3 %: pushing to it loses nothing.
bool is_fast_at_bound(const FactorShape& shape);

/// True where the bound is slower than the fastest bin by more than noise explains.
bool is_slow_at_bound(const FactorShape& shape);

}  // namespace opbench
