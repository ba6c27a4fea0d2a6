#include "records/record/benchmark_times.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <utility>

namespace opbench {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double std_of(const std::vector<double>& values, int ddof) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - static_cast<size_t>(ddof)));
}

std::string rfc3339_of_us(int64_t microseconds) {
  constexpr int64_t kMicro = 1'000'000;
  const auto seconds = static_cast<std::time_t>(microseconds / kMicro);
  std::tm date{};
  gmtime_r(&seconds, &date);
  char text[64];
  std::string result(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &date));
  if (const auto fraction = static_cast<int>(microseconds % kMicro); fraction > 0) {
    char digits[16];
    std::snprintf(digits, sizeof digits, ".%06d", fraction);
    result += digits;
    result.erase(result.find_last_not_of('0') + 1);
  }
  return result + "Z";
}

int64_t now_us() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

void set_times(BenchmarkRecord& record, std::vector<double> times_ms) {
  record.runtime_ms_mean = mean_of(times_ms);
  record.n_samples = static_cast<int64_t>(times_ms.size());
  if (times_ms.size() > 1) {
    record.runtime_ms_std = std_of(times_ms, 1);
    record.std_ddof = 1;
  }
  record.runtime_raw_ms = times_ms;
  std::ranges::sort(times_ms);
  const size_t middle = times_ms.size() / 2;
  record.runtime_ms_median =
      times_ms.size() % 2 == 1 ? times_ms[middle] : (times_ms[middle - 1] + times_ms[middle]) / 2;
  record.runtime_ms_min = times_ms.front();
}

}  // namespace opbench
