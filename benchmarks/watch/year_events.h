#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "benchmarks/watch/synthetic_year.h"

namespace opbench {

/// Random numbers of one purpose.
class Draws {
 public:
  Draws(uint64_t seed, std::string_view purpose) : random_(seed, purpose) {}
  bool happens(double probability) { return random_.uniform() < probability; }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  size_t below(size_t limit) { return static_cast<size_t>(random_.below(limit)); }
  int night(int low, int high) {
    return low + static_cast<int>(below(static_cast<size_t>(high - low)));
  }
  std::vector<size_t> shuffled(size_t count) { return random_.shuffled(count); }
  /// Box and Muller's: with the tails that the sum of uniform values lacks.
  double normal() {
    return std::sqrt(-2 * std::log(1 - random_.uniform())) * std::cos(2 * M_PI * random_.uniform());
  }

 private:
  Random random_;
};

struct YearRow {
  Series series;
  int engine = 0;  ///< 0: a hash a kernel, 1: a hash a library, from 2 on: controls
  double base_ms = 1;
  int first_night = 0;
  int end_night = 0;  ///< the night after its last
};

/// Everything that happened to the code and around it.
struct YearEvents {
  int nights = 0;
  uint64_t seed = 0;
  std::vector<YearRow> rows;
  std::vector<TrueChange> changes;
  std::vector<std::vector<double>> code;     ///< log time by row and night
  std::vector<std::vector<double>> outside;  ///< surroundings, method, slow weeks
  std::vector<std::vector<int>> builds;      ///< number of the build by row and night
  std::vector<int> environment, method;      ///< by night
  std::vector<bool> has_code;                ///< a commit of the night touches code

  bool is_alive(size_t row, int night) const {
    return night >= rows[row].first_night && night < rows[row].end_night;
  }
  std::string hash(size_t row, int night) const;
};

YearEvents draw_events(uint64_t seed, const YearNoise& noise, const YearSize& size);

}  // namespace opbench
