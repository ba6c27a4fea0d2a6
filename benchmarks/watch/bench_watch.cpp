// `./dev bench watch`: synthetic years, night by night, by every detector.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/system/monotonic_clock.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/watch/year_score.h"
#include "watching/nights/alert_list.h"
#include "watching/nights/night_analysis.h"
#include "watching/series/history_reader.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// What the years of one kind come to.
struct YearSums {
  YearScore score = {};
  int years = 0, nights = 0, most_false = 0;
  double runs = 0, probes = 0, pairs = 0, replay_s = 0, slowest_night_s = 0;
};

struct ReplayedYear {
  WatchState state;
  double replay_s = 0;
  double slowest_night_s = 0;
};

Result<ReplayedYear> replayed(const SyntheticYear& year, const WatchOptions& options,
                              const PairSource& source) {
  ReplayedYear result;
  for (const Night& night : year.history.nights) {
    const double begin = monotonic_s();
    OPBENCH_CHECK(analyse_night(result.state, year.history.series, night, options, source));
    const double took = monotonic_s() - begin;
    result.replay_s += took;
    result.slowest_night_s = std::max(result.slowest_night_s, took);
  }
  return result;
}

Result<void> add_year(const SyntheticYear& year, const std::string& detector, bool has_pairs,
                      const std::string& name, const Report& report, YearSums& sums) {
  const WatchOptions options{.detector = detector};
  const PairSource source = has_pairs ? machine_of(year.truth) : PairSource();
  OPBENCH_TRY(const ReplayedYear replay, replayed(year, options, source));
  const WatchState& state = replay.state;
  const YearScore score =
      year_score_of(report_of(state, options, has_pairs), year,
                    has_pairs ? AlertState::kConfirmed : AlertState::kSuspected);
  const auto nights = static_cast<double>(year.history.nights.size());
  report.note(
      fmt::format("{:<24} {:<10} big {:>2} of {:>2}  all {:>2} of {:>2}  false {:>3}  runs a "
                  "night {:.2f}, probes {:.2f}  pairs {:>6}  {:.2f} s",
                  name, detector, score.big_found, score.big, score.found, score.changes,
                  score.false_groups, static_cast<double>(state.paired_runs) / nights,
                  static_cast<double>(state.probes) / nights, state.pairs, replay.replay_s));
  ++sums.years;
  sums.nights += static_cast<int>(nights);
  sums.score.changes += score.changes;
  sums.score.found += score.found;
  sums.score.big += score.big;
  sums.score.big_found += score.big_found;
  sums.score.false_groups += score.false_groups;
  sums.score.rows_changed += score.rows_changed;
  sums.score.rows_listed += score.rows_listed;
  sums.most_false = std::max(sums.most_false, score.false_groups);
  sums.runs += static_cast<double>(state.paired_runs);
  sums.probes += static_cast<double>(state.probes);
  sums.pairs += static_cast<double>(state.pairs);
  sums.replay_s += replay.replay_s;
  sums.slowest_night_s = std::max(sums.slowest_night_s, replay.slowest_night_s);
  return {};
}

double share_percent(int part, int whole) { return whole == 0 ? 0 : 100.0 * part / whole; }

void note_sums(const std::string& kind, const std::string& detector, const YearSums& sums,
               const Report& report) {
  report.note(fmt::format(
      "{}, {}: big {:.1f} %, all {:.1f} %, rows listed {:.0f} %, false groups a year {:.2f} (most "
      "{}), paired runs a night {:.2f} and probes {:.2f}, pairs a year {:.0f}, replay of a year "
      "{:.2f} s, slowest night {:.3f} s",
      kind, detector, share_percent(sums.score.big_found, sums.score.big),
      share_percent(sums.score.found, sums.score.changes),
      share_percent(sums.score.rows_listed, sums.score.rows_changed),
      static_cast<double>(sums.score.false_groups) / std::max(sums.years, 1), sums.most_false,
      sums.runs / std::max(sums.nights, 1), sums.probes / std::max(sums.nights, 1),
      sums.pairs / std::max(sums.years, 1), sums.replay_s / std::max(sums.years, 1),
      sums.slowest_night_s));
}

void add_bars(const std::string& kind, const YearSums& sums, Report& report) {
  report.add({.bar = kind + ": big changes not confirmed within 3 nights, %",
              .value = 100 - share_percent(sums.score.big_found, sums.score.big),
              .limit = 2});
  report.add({.bar = kind + ": most alerts of a year confirmed without a cause",
              .value = static_cast<double>(sums.most_false),
              .limit = 1});
  report.add({.bar = kind + ": paired runs a night",
              .value = sums.runs / std::max(sums.nights, 1),
              .limit = 2});
  report.add({.bar = kind + ": slowest night, s", .value = sums.slowest_night_s, .limit = 1});
}

/// Years that another generator wrote: X.jsonl.gz, or X.jsonl, beside X.truth.json, or
/// X-truth.json.gz.
Result<std::vector<std::pair<std::string, SyntheticYear>>> years_of(const fs::path& folder) {
  std::vector<std::pair<std::string, SyntheticYear>> years;
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const size_t end = name.find(".jsonl");
    if (end == std::string::npos) continue;
    const std::string stem = name.substr(0, end);
    const auto truth = std::ranges::find_if(files, [&](const fs::path& other) {
      const std::string text = other.filename().string();
      return text.starts_with(stem + ".truth.json") || text.starts_with(stem + "-truth.json");
    });
    if (truth == files.end()) {
      return invalid_input(fmt::format("\"{}\" has no truth beside it", file.string()))
          .with("needed", (folder / (stem + ".truth.json")).string());
    }
    SyntheticYear year;
    OPBENCH_TRY(year.history, read_history(file.string()));
    OPBENCH_TRY(year.truth, read_truth(truth->string()));
    years.emplace_back(stem, std::move(year));
  }
  if (years.empty()) {
    return invalid_input(fmt::format("\"{}\" holds no year", folder.string()))
        .with("needed", "X.jsonl or X.jsonl.gz, and X.truth.json");
  }
  return years;
}

Result<void> replay_kind(const std::string& kind, const std::vector<std::string>& detectors,
                         const std::vector<std::pair<std::string, SyntheticYear>>& years,
                         Report& report) {
  for (const std::string& detector : detectors) {
    YearSums sums;
    const bool has_pairs = detector == kHashDetector;
    for (const auto& [name, year] : years) {
      OPBENCH_CHECK(add_year(year, detector, has_pairs, name, report, sums));
    }
    note_sums(kind, detector, sums, report);
    if (has_pairs) add_bars(kind, sums, report);
  }
  return {};
}

Result<void> run_watch(const Arguments& arguments, Report& report) {
  std::vector<std::string> detectors = arguments.values("--detectors");
  for (const std::string& detector : detectors) OPBENCH_CHECK(detector_table().find(detector));
  if (detectors.empty()) detectors = detector_table().names();
  if (arguments.has("--years")) {
    OPBENCH_TRY(const auto years, years_of(arguments.value("--years")));
    return replay_kind("given", detectors, years, report);
  }
  OPBENCH_TRY(const int64_t first, arguments.integer("--first", 0));
  OPBENCH_TRY(const int64_t count, arguments.integer("--seeds", 1, 1000));
  OPBENCH_TRY(const int64_t nights, arguments.integer("--nights", 60, 3600));
  const YearSize size{.nights = static_cast<int>(nights), .changes = static_cast<int>(nights / 9)};
  for (const YearNoise& noise : {quiet_machine(), noisy_machine()}) {
    std::vector<std::pair<std::string, SyntheticYear>> years;
    for (int64_t seed = first; seed < first + count; ++seed) {
      years.emplace_back(fmt::format("{} seed {}", noise.name, seed),
                         make_year(static_cast<uint64_t>(seed), noise, size));
    }
    OPBENCH_CHECK(replay_kind(noise.name, detectors, years, report));
  }
  return {};
}

std::vector<OptionDef> watch_options() {
  return {{.name = "--years",
           .value_name = "DIR",
           .help = "years that another generator wrote: X.jsonl.gz beside X.truth.json"},
          {.name = "--detectors",
           .value_name = "NAME,NAME…",
           .help = "only these; hash asks for paired runs, the others do not",
           .kind = OptionKind::kList},
          {.name = "--seeds", .value_name = "N", .help = "years of each kind", .otherwise = "10"},
          {.name = "--first", .value_name = "N", .help = "the first seed", .otherwise = "1"},
          {.name = "--nights", .value_name = "N", .help = "of a year", .otherwise = "360"}};
}

}  // namespace

}  // namespace opbench

int bench_watch_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "watch",
      .summary = "how many changes of synthetic years are found, how late, and what is false",
      .options = opbench::watch_options(),
      .run = opbench::run_watch};
  return opbench::run_benchmark(benchmark, argc, argv);
}
