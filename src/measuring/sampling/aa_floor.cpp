#include "measuring/sampling/aa_floor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/files/file.h"
#include "base/json/json.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr size_t kKeptRuns = 200;
constexpr off_t kMostBytes = 16 << 20;
constexpr size_t kFewestEffects = 5;
constexpr double kPercentile = 0.95;

/// The last bytes of a file; empty if it cannot be read.
std::string read_tail(const fs::path& file, off_t most) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  struct stat info {};
  std::string tail;
  if (::fstat(fd, &info) == 0) {
    const off_t from = std::max<off_t>(0, info.st_size - most);
    tail.resize(static_cast<size_t>(info.st_size - from));
    const ssize_t got = ::pread(fd, tail.data(), tail.size(), from);
    tail.resize(got > 0 ? static_cast<size_t>(got) : 0);
  }
  ::close(fd);
  return tail;
}

/// The last 200 lines.
std::string_view newest_lines(std::string_view text) {
  size_t begin = text.size();
  size_t lines = 0;
  while (begin > 0) {
    const bool ends_line = text[begin - 1] == '\n' && begin < text.size();
    if (ends_line && ++lines == kKeptRuns) break;
    --begin;
  }
  return text.substr(begin);
}

FloorUnit unit_from(const Json& json) {
  FloorUnit unit;
  json.at("workload").get_to(unit.key.workload);
  json.at("engine").get_to(unit.key.engine);
  json.at("threads").get_to(unit.key.threads);
  json.at("effect").get_to(unit.effect);
  json.at("half_width").get_to(unit.half_width);
  return unit;
}

std::optional<FloorRun> parse_aa_floor_run(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return {};
  try {
    FloorRun run;
    json.at("timestamp").get_to(run.timestamp);
    json.at("noise_class").get_to(run.noise_class);
    for (const Json& unit : json.at("units")) run.units.push_back(unit_from(unit));
    return run;
  } catch (const Json::exception&) {
    return {};
  }
}

template <class Wanted>
std::vector<double> effects_of(const FloorRun& run, std::span<const FloorRun> kept,
                               const Wanted& is_wanted) {
  std::vector<double> effects;
  const auto add = [&](const FloorRun& from) {
    if (from.noise_class != run.noise_class) return;
    for (const FloorUnit& unit : from.units) {
      if (is_wanted(unit.key)) effects.push_back(unit.effect);
    }
  };
  add(run);
  for (const FloorRun& other : kept) add(other);
  return effects;
}

std::optional<double> percentile_of(const std::vector<double>& effects) {
  if (effects.empty()) return {};
  return quantile(effects, kPercentile);
}

}  // namespace

FloorUnit floor_unit_of(FloorKey key, const Estimate& log_ratio) {
  return {std::move(key), std::abs(std::expm1(log_ratio.value)),
          (std::exp(log_ratio.interval.high) - std::exp(log_ratio.interval.low)) / 2};
}

std::string floor_line(const FloorRun& run) {
  Json units = Json::array();
  for (const FloorUnit& unit : run.units) {
    units.push_back({{"workload", unit.key.workload},
                     {"engine", unit.key.engine},
                     {"threads", unit.key.threads},
                     {"effect", unit.effect},
                     {"half_width", unit.half_width}});
  }
  const Json json = {
      {"timestamp", run.timestamp}, {"noise_class", run.noise_class}, {"units", std::move(units)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<FloorRun> parse_floor_runs(std::string_view lines) {
  std::vector<FloorRun> runs;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    auto run = parse_aa_floor_run(lines.substr(0, end));
    if (run) runs.push_back(std::move(*run));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return runs;
}

fs::path floor_file(const fs::path& folder, std::string_view machine_hash) {
  return folder / fmt::format("{}.jsonl", machine_hash);
}

std::vector<FloorRun> read_floor_runs(const fs::path& file) {
  const std::string tail = read_tail(file, kMostBytes);  // a line that is cut is left out
  return parse_floor_runs(newest_lines(tail));
}

Result<void> append_floor_run(const fs::path& file, const FloorRun& run) {
  OPBENCH_CHECK(make_writable_folder(file.parent_path()));
  // After a line that was torn by a crash this one begins on its own.
  const std::string end = read_tail(file, 1);
  const bool is_torn = !end.empty() && end != "\n";
  return append_file(file, (is_torn ? "\n" : "") + floor_line(run));
}

std::optional<double> unit_floor(const FloorKey& key, const FloorRun& run,
                                 std::span<const FloorRun> kept) {
  const auto own = effects_of(run, kept, [&](const FloorKey& other) { return other == key; });
  if (own.size() >= kFewestEffects) return percentile_of(own);
  const auto is_here = [&](const FloorKey& other) {
    return std::ranges::find(run.units, other, &FloorUnit::key) != run.units.end();
  };
  return percentile_of(effects_of(run, kept, is_here));
}

std::optional<double> machine_floor(const FloorRun& run, std::span<const FloorRun> kept) {
  return percentile_of(effects_of(run, kept, [](const FloorKey&) { return true; }));
}

}  // namespace opbench
