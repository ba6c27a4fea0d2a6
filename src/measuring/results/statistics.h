#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace opbench {

/// A range that holds the true value in 95 of 100 experiments.
struct Interval {
  double low = 0, high = 0;
  bool operator==(const Interval&) const = default;
};

/// Mean of the two middle values for an even count; 0 for none.
double median(std::span<const double> values);

/// Linear between order statistics, R's type 7 (Hyndman and Fan 1996); `p` in [0, 1]; 0 for none.
double quantile(std::span<const double> values, double p);

/// Median of |x - median|, not scaled.
double median_absolute_deviation(std::span<const double> values);

double mean(std::span<const double> values);

/// With n - 1 in the denominator; 0 for fewer than two values.
double standard_deviation(std::span<const double> values);

/// r1 = sum (x[i]-m)(x[i+1]-m) / sum (x[i]-m)^2; 0 for fewer than three values or a constant
/// series.
double lag1_autocorrelation(std::span<const double> values);

/// Values of an independent series that say as much: n (1 - r1) / (1 + r1), in [1, n], for a first
/// order autoregression (Bayley and Hammersley 1946).
double effective_sample_size(std::span<const double> values);

/// Quantile 0.975 of Student's t with `degrees` >= 1 degrees of freedom, which need not be whole.
/// Interpolated in 1/degrees between tabled values; error below 0.5 %.
double student_quantile(double degrees);

/// P(T <= t) for Student's t with `degrees` > 0: I_x(degrees/2, 1/2) with x = degrees/(degrees +
/// t²) (Abramowitz and Stegun 26.7.1), by the continued fraction DLMF 8.17.22. Error below 1e-9.
double student_cdf(double t, double degrees);

/// The t above which Student's distribution has the probability `tail` in (0, 0.5]; error below
/// 1e-9 relative.
double student_critical(double tail, double degrees);

/// 95 % interval for the median of independent values, from the order statistics [k] and [n-1-k]
/// whose binomial coverage is at least 95 % (Hahn and Meeker 1991, 5.2). Fewer than six values have
/// no such pair: the median ± t(n-1) 1.2533 s / sqrt(n) then; one value: itself.
Interval order_statistic_interval(std::span<const double> values);

/// 95 % interval for the median of a series in which each value depends on its neighbours. The
/// interval is made of percentiles of the medians of `resamples` series of random blocks (Künsch
/// 1989), with the series closed to a circle (Politis and Romano 1992). For few blocks it is
/// widened by Student's t and by sqrt(b / (b - 1)). The block length grows with r1 as Carlstein
/// (1986) derives for a first-order autoregression.
Interval block_bootstrap_interval(std::span<const double> values, uint64_t seed,
                                  int resamples = 500);

/// The interval within one process: from order statistics when |r1| < 2/sqrt(n), else from blocks.
Interval median_interval(std::span<const double> values, uint64_t seed);

/// A centre and its interval.
struct Estimate {
  double value = 0;
  Interval interval;
  double error = 0;    ///< standard error of the value
  double degrees = 0;  ///< of freedom of the error, for Student's t; 0: the error is not known
};

/// The median over the medians of P groups (processes), with a 95 % interval that holds the
/// variation inside groups and between them.
///
/// The variance is k/P max(s², w). Here w is the mean variance of a group's median (from
/// `median_interval`). s² is the variance of the group medians; it estimates w plus the variance
/// between groups. k is the price of taking the median of P values instead of their mean.
/// Resampling the groups with replacement (cluster bootstrap), corrected by P/(P-1), converges to
/// s². It is computed in closed form because the percentiles of 3 resampled groups reach no further
/// than their extremes, which covers 75 % only. The factor is Student's t with (P-1)/f² degrees of
/// freedom (Satterthwaite 1946), f the share of s² that lies between groups. Empty groups do not
/// count. One group has its `median_interval`, and n - 1 degrees of freedom.
Estimate estimate_over_groups(const std::vector<std::vector<double>>& groups, uint64_t seed);

/// The median of all values of groups that differ in their centre only, for instance ratios
/// measured in several processes. Its variance inside the groups comes from the `median_interval`
/// of all values, each less its group's median and times sqrt(n / (n - 1)) for the value that the
/// median has cost. Added is k max(0, s² - w) sum(n²) / sum(n)², where w is what that variance
/// makes of a single group's median. With few values a group, or groups that hardly differ, this is
/// far shorter than estimate_over_groups, whose intervals of single groups reach to their extremes.
Estimate estimate_over_like_groups(const std::vector<std::vector<double>>& groups, uint64_t seed);

}  // namespace opbench
