// Few probes for the best number of threads, on sweeps that others measured.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <vector>

#include "base/files/file.h"
#include "benchmarks/together/part.h"
#include "measuring/results/statistics.h"
#include "planning/planners/thread_probes.h"

namespace opbench {
namespace {

constexpr int kTogetherThreadsMostProbes = 8;
constexpr double kRegretLimit = 10;  // percent, median

/// Time by threads; empty for a sweep over something else.
Result<std::map<int, double>> read_sweep(const std::filesystem::path& path) {
  OPBENCH_TRY(const std::string text, read_file(path));
  std::istringstream lines(text);
  std::string names;
  std::getline(lines, names);
  std::map<int, double> times;
  if (std::ranges::count(names, ' ') != 1) return times;
  int threads = 0;
  double time = 0;
  while (lines >> threads >> time) times[threads] = time;
  return times;
}

/// The number with a time that is nearest.
int nearest(const std::map<int, double>& times, int threads) {
  return std::ranges::min_element(times, {},
                                  [&](const auto& one) { return std::abs(one.first - threads); })
      ->first;
}

Result<void> run_together_threads(const Arguments& arguments, Report& report) {
  const std::string folder = arguments.value("--sweeps");
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<double> regrets;
  size_t most_probes = 0;
  for (const auto& file : files) {
    OPBENCH_TRY(const auto times, read_sweep(file));
    if (times.empty()) {
      report.note(file.filename().string() + ": not over threads, left out");
      continue;
    }
    const auto time = [&](int threads) { return times.at(nearest(times, threads)); };
    const ThreadChoice choice =
        probe_threads(time, times.rbegin()->first, kTogetherThreadsMostProbes);
    const auto best =
        std::ranges::min_element(times, {}, [](const auto& one) { return one.second; });
    const double regret = (time(choice.threads) / best->second - 1) * 100;
    regrets.push_back(regret);
    most_probes = std::max(most_probes, choice.probes.size());
    report.note(fmt::format("{}: {} of {} threads after {} probes, the best is {}, {:.1f} % slower",
                            file.filename().string(), choice.threads, times.rbegin()->first,
                            choice.probes.size(), best->first, regret));
  }
  const std::string reason = regrets.empty() ? "no sweeps in " + folder : "";
  report.add({"together threads: regret, percent, median of sweeps",
              regrets.empty() ? 0 : median(regrets), kRegretLimit, reason});
  report.add({"together threads: probes, at most", static_cast<double>(most_probes),
              kTogetherThreadsMostProbes, reason});
  return {};
}

}  // namespace

TogetherPart threads_part() {
  return {.name = "threads",
          .summary = "the number of threads by few probes, on measured sweeps",
          .run = run_together_threads};
}

}  // namespace opbench
