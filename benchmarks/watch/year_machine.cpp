#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benchmarks/watch/year_events.h"

namespace opbench {
namespace {

double code_at(const std::vector<std::pair<int, double>>& steps, int night) {
  double value = 0;
  for (const auto& [from, log_time] : steps) {
    if (from <= night) value = log_time;
  }
  return value;
}

/// Two builds side by side, as the machine of a year runs them.
class PairMachine {
 public:
  explicit PairMachine(const YearTruth& truth) : truth_(truth) {}

  PairedAnswer answer(const PairedQuestion& question) const {
    const std::vector<size_t> units = units_of(question);
    std::vector<size_t> of_old, of_new;
    for (const size_t unit : units) {
      const auto& [first, end] = truth_.alive[unit];
      if (question.old_night >= first && question.old_night < end) of_old.push_back(unit);
      if (question.new_night >= first && question.new_night < end) of_new.push_back(unit);
    }
    if (of_old.empty() || of_new.empty()) return {.failure = "one of the builds lacks this unit"};
    const double old_ms = total_ms(of_old, question.old_night);
    const double new_ms = total_ms(of_new, question.new_night);
    Draws draws(truth_.seed,
                fmt::format("{} {} {} {} {} {}", question.series, question.chain, question.night,
                            question.old_night, question.new_night, question.call));
    const double gap = question.chain.empty() ? truth_.mood_gap[units[0]] : 0;
    const Noise noise{
        weighted(of_new, question.new_night, truth_.night_sd),
        1.2533 * weighted(of_new, question.new_night, truth_.sample_sd) / std::sqrt(5.0), gap};
    PairedAnswer answer;
    for (int i = 0; i < question.pairs; ++i) {
      answer.log_ratios.push_back(std::log(new_ms / old_ms) + side(noise, draws) -
                                  side(noise, draws));
    }
    if (truth_.is_burst[static_cast<size_t>(question.night)]) disturb(answer.log_ratios, draws);
    return answer;
  }

 private:
  struct Noise {
    double launch = 0, repeats = 0, gap = 0;
  };

  std::vector<size_t> units_of(const PairedQuestion& question) const {
    std::vector<size_t> units;
    const auto& names = question.chain.empty() ? truth_.series : truth_.chain;
    const std::string& name = question.chain.empty() ? question.series : question.chain;
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) units.push_back(i);
    }
    return units;
  }

  double ms_of(size_t unit, int night) const {
    return truth_.ms[unit] * std::exp(code_at(truth_.code[unit], night));
  }
  double total_ms(const std::vector<size_t>& units, int night) const {
    double total = 0;
    for (const size_t unit : units) total += ms_of(unit, night);
    return total;
  }
  double weighted(const std::vector<size_t>& units, int night,
                  const std::vector<double>& sd) const {
    double sum = 0;
    for (const size_t unit : units) {
      const double part = ms_of(unit, night) * sd[unit];
      sum += part * part;
    }
    return std::sqrt(sum) / total_ms(units, night);
  }

  /// One launch: placement and launch noise are drawn anew.
  double side(const Noise& noise, Draws& draws) const {
    double value = noise.launch * draws.normal() + noise.repeats * draws.normal();
    if (draws.happens(0.5)) value += noise.gap;
    if (draws.happens(2 * truth_.odd_row)) value += std::log(draws.between(1.15, 3));
    return value;
  }

  /// A neighbour sits on a stretch of the pairs. What both sides share cancels, a part does not.
  static void disturb(std::vector<double>& log_ratios, Draws& draws) {
    const size_t count = log_ratios.size();
    const auto hit = std::max<size_t>(
        1, static_cast<size_t>(static_cast<double>(count) * draws.between(0.1, 0.6)));
    const size_t begin = draws.below(count - hit + 1);
    for (size_t i = begin; i < begin + hit; ++i) {
      log_ratios[i] += std::log1p(draws.between(0.05, 0.6)) * 0.15 * draws.normal();
    }
  }

  const YearTruth& truth_;
};

}  // namespace

PairSource machine_of(const YearTruth& truth) {
  return [machine = PairMachine(truth)](const PairedQuestion& question) -> Result<PairedAnswer> {
    return machine.answer(question);
  };
}

}  // namespace opbench
