#include "benchmarks/watch/synthetic_year.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/numbers/hash.h"
#include "benchmarks/watch/year_events.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

double five_digits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 4);
  return std::round(value / unit) * unit;
}

/// Everything random of the machine: rows by nights.
class YearMachine {
 public:
  YearMachine(const YearNoise& noise, const YearEvents& events, Draws draws)
      : noise_(noise), events_(events), draws_(std::move(draws)) {
    const size_t rows = events.rows.size();
    const auto nights = static_cast<size_t>(events.nights);
    for (size_t row = 0; row < rows; ++row) {
      sample_sd.push_back(
          std::exp(draws_.between(std::log(noise.sample_low), std::log(noise.sample_high))));
      share_.push_back(std::clamp(1 + noise.share_sd * draws_.normal(), 0.2, 1.8) *
                       kEngineShares[events.rows[row].engine]);
      mood_gap.push_back(draws_.happens(noise.moody_rows) ? draws_.between(0.02, 0.08) : 0);
    }
    wander_.assign(nights, 0);
    const double phase = draws_.between(0, 1);
    double state = 0;
    for (size_t night = 0; night < nights; ++night) {
      if (night > 0) state = noise.wander_keep * state + noise.wander_sd * draws_.normal();
      wander_[night] = state + noise.season * wave(static_cast<double>(night) / 365 + phase);
    }
    draw_bursts();
    draw_rows();
  }

  /// Log of the machine's part in the time of a row.
  double part(size_t row, size_t night) const { return part_[row][night]; }

  std::vector<double> samples(size_t row, size_t night, double log_ms, int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) {
      double value = log_ms + sample_sd[row] * draws_.normal();
      const Burst& burst = bursts_[night];
      if (const auto hit = burst.slowdown.find(row); hit != burst.slowdown.end()) {
        if (draws_.happens(hit->second.share)) value += hit->second.size * draws_.between(0.7, 1.3);
      }
      double ms = std::exp(value);
      if (draws_.happens(noise_.odd_sample)) ms *= 1 - 0.3 * std::log(1 - draws_.between(0, 1));
      values.push_back(five_digits(ms));
    }
    return values;
  }

  bool is_burst(size_t night) const { return !bursts_[night].slowdown.empty(); }

  std::vector<double> sample_sd, mood_gap;

 private:
  static constexpr double kEngineShares[4] = {1, 1.05, 0.9, 1.1};
  struct Hit {
    double size = 0;
    double share = 0;  ///< of the samples
  };
  struct Burst {
    std::map<size_t, Hit> slowdown;
  };

  static double wave(double turns) { return std::sin(2 * M_PI * turns); }

  void draw_bursts() {
    bursts_.resize(wander_.size());
    for (Burst& burst : bursts_) {
      if (!draws_.happens(noise_.burst_nights)) continue;
      const size_t rows = share_.size();
      const auto count = static_cast<size_t>(draws_.between(noise_.burst_low, noise_.burst_high) *
                                             static_cast<double>(rows));
      const std::vector<size_t> order = draws_.shuffled(rows);
      for (size_t i = 0; i < count; ++i) {
        burst.slowdown[order[i]] = {std::log1p(draws_.between(0.05, 0.60)), draws_.between(0.2, 1)};
      }
    }
  }

  void draw_rows() {
    for (size_t row = 0; row < share_.size(); ++row) {
      const double season = draws_.between(0, noise_.own_season);
      const double days[] = {90, 180, 365};
      const double period = days[draws_.below(3)];
      const double phase = draws_.between(0, 1);
      double mood = 0;
      std::vector<double> part;
      for (size_t night = 0; night < wander_.size(); ++night) {
        if (mood_gap[row] > 0 && draws_.happens(noise_.mood_swings)) mood = mood_gap[row] - mood;
        double value = share_[row] * wander_[night] + mood +
                       season * wave(static_cast<double>(night) / period + phase) +
                       noise_.night_share * sample_sd[row] * draws_.normal();
        if (draws_.happens(noise_.odd_row)) value += std::log(draws_.between(1.15, 3));
        part.push_back(value);
      }
      part_.push_back(std::move(part));
    }
  }

  const YearNoise& noise_;
  const YearEvents& events_;
  Draws draws_;
  std::vector<double> share_, wander_;
  std::vector<Burst> bursts_;
  std::vector<std::vector<double>> part_;
};

/// Which rows of which nights are there.
std::vector<std::vector<bool>> present_rows(const YearNoise& noise, const YearEvents& events,
                                            const std::vector<bool>& is_measured, Draws draws) {
  const size_t rows = events.rows.size();
  std::vector<std::vector<bool>> present(static_cast<size_t>(events.nights),
                                         std::vector<bool>(rows));
  for (size_t night = 0; night < present.size(); ++night) {
    for (size_t row = 0; row < rows; ++row) {
      present[night][row] = is_measured[night] && events.is_alive(row, static_cast<int>(night)) &&
                            !draws.happens(noise.missing_row);
    }
    if (night <= 12 || !draws.happens(noise.cut_night)) continue;
    const std::vector<size_t> order = draws.shuffled(rows);
    const auto lost = static_cast<size_t>(draws.between(0.3, 0.8) * static_cast<double>(rows));
    for (size_t i = 0; i < lost; ++i) present[night][order[i]] = false;
  }
  return present;
}

Night night_facts(const YearEvents& events, int night, int last_measured, uint64_t seed) {
  Night facts{.index = night,
              .date = fmt::format("day {}", night),
              .environment = fmt::format("env-{}", events.environment[static_cast<size_t>(night)]),
              .method = fmt::format("method-{}", events.method[static_cast<size_t>(night)])};
  for (int day = last_measured + 1; day <= night; ++day) {
    const bool is_code = events.has_code[static_cast<size_t>(day)];
    facts.commits.push_back({sha256(fmt::format("{} {}", seed, day)).substr(0, 10), is_code});
  }
  return facts;
}

double floor_of(const std::vector<double>& pure) {
  if (pure.size() < 11) return -1;
  std::vector<double> moves;
  for (size_t i = 1; i < pure.size(); ++i) moves.push_back(std::abs(pure[i] - pure[i - 1]));
  std::ranges::sort(moves);
  return moves[static_cast<size_t>(0.95 * static_cast<double>(moves.size() - 1))];
}

YearTruth truth_of(const YearEvents& events, const YearNoise& noise, const YearMachine& machine) {
  YearTruth truth{.noise = noise.name, .changes = events.changes, .odd_row = noise.odd_row};
  truth.sample_sd = machine.sample_sd;
  truth.mood_gap = machine.mood_gap;
  for (size_t row = 0; row < events.rows.size(); ++row) {
    truth.series.push_back(events.rows[row].series.id);
    truth.chain.push_back(events.rows[row].series.engine + "/" + events.rows[row].series.chain);
    truth.ms.push_back(events.rows[row].base_ms);
    truth.night_sd.push_back(noise.night_share * machine.sample_sd[row]);
    truth.alive.push_back({events.rows[row].first_night, events.rows[row].end_night});
    std::vector<std::pair<int, double>> steps;
    for (int night = 0; night < events.nights; ++night) {
      const double value = events.code[row][static_cast<size_t>(night)];
      if (steps.empty() || steps.back().second != value) steps.push_back({night, value});
    }
    truth.code.push_back(std::move(steps));
  }
  for (size_t night = 0; night < static_cast<size_t>(events.nights); ++night) {
    truth.is_burst.push_back(machine.is_burst(night));
  }
  return truth;
}

}  // namespace

YearNoise quiet_machine() { return {.name = "quiet"}; }

YearNoise noisy_machine() {
  return {.name = "noisy",
          .sample_high = 0.06,
          .night_share = 0.35,
          .wander_sd = 0.007,
          .share_sd = 0.30,
          .season = 0.010,
          .own_season = 0.006,
          .burst_nights = 0.18,
          .burst_low = 0.05,
          .burst_high = 0.40,
          .moody_rows = 0.18,
          .mood_swings = 0.06,
          .odd_sample = 0.012,
          .odd_row = 0.004,
          .missing_row = 0.02,
          .missing_night = 0.03,
          .cut_night = 0.02};
}

bool YearTruth::is_big(const TrueChange& change) const {
  return std::ranges::any_of(change.effects, [&](const auto& effect) {
    const double of_row = floor[static_cast<size_t>(effect.first)];
    return of_row > 0 && std::abs(effect.second) >= 2 * of_row;
  });
}

SyntheticYear make_year(uint64_t seed, const YearNoise& noise, const YearSize& size) {
  const YearEvents events = draw_events(seed, noise, size);
  YearMachine machine(noise, events, Draws(seed, "machine"));
  Draws draws(seed, "nights");
  const auto nights = static_cast<size_t>(size.nights);
  std::vector<bool> is_measured(nights, true);
  for (size_t night = 12; night < nights; ++night) {
    is_measured[night] = !draws.happens(noise.missing_night);
  }
  const auto present = present_rows(noise, events, is_measured, Draws(seed, "missing"));
  SyntheticYear year{.history = {}, .truth = truth_of(events, noise, machine)};
  year.truth.seed = seed;
  for (const YearRow& row : events.rows) year.history.series.push_back(row.series);
  std::vector<std::vector<double>> pure(events.rows.size());
  int last_measured = -1;
  for (size_t night = 0; night < nights; ++night) {
    if (!is_measured[night]) continue;
    Night facts = night_facts(events, static_cast<int>(night), last_measured, seed);
    last_measured = static_cast<int>(night);
    for (size_t row = 0; row < events.rows.size(); ++row) {
      if (!present[night][row]) continue;
      const double own = events.code[row][night] + events.outside[row][night];
      const double log_ms = std::log(events.rows[row].base_ms) + own + machine.part(row, night);
      std::vector<double> values = machine.samples(row, night, log_ms, size.samples);
      pure[row].push_back(std::log(median(values)) - own);
      facts.rows.push_back(
          {static_cast<int>(row), events.hash(row, static_cast<int>(night)), std::move(values)});
    }
    year.history.nights.push_back(std::move(facts));
  }
  for (const std::vector<double>& row : pure) year.truth.floor.push_back(floor_of(row));
  return year;
}

}  // namespace opbench
