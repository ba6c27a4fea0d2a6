#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "base/files/file.h"
#include "base/numbers/number.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"
#include "presentation/web/requests/view_answer.h"
#include "presentation/web/store/web_store.h"

namespace opbench {
namespace {

constexpr double kMostViewMs = 200;      // of an interaction
constexpr double kMostStoreMs = 10'000;  // the pages are there at once; their data come then
constexpr double kMostPaintMs = 1'000;
constexpr double kMostBundleBytes = 500'000;
constexpr double kMostGrowthMb = 10;
constexpr int kViewTimes = 5;

std::filesystem::path source_folder() {
  return std::filesystem::path(OPBENCH_LAUNCHER).parent_path();
}

double view_ms_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// What DuckDB selects becomes a part: `file` names a file with SQL, in which `mark` stands for a
/// number of rows.
Result<void> generate_part(const std::string& file, std::string_view mark, int64_t rows,
                           const std::filesystem::path& place) {
  OPBENCH_TRY(std::string select, read_file(source_folder() / file));
  select.replace(select.find(mark), mark.size(), std::to_string(rows));
  OPBENCH_CHECK(make_writable_folder(place));
  OPBENCH_TRY(Database database, Database::open());
  return database.run(fmt::format(
      "COPY ({}) TO {} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, "
      "ROW_GROUP_SIZE 30720)",
      select, sql_path(place / "part-00000000000000000000000000000001.parquet")));
}

/// As the tests of the server have one with ten thousand records.
Result<void> generate_million(const std::filesystem::path& folder, int64_t trials) {
  Report::progress("a million benchmark records are made");
  OPBENCH_CHECK(generate_part("tests/web/generated_store.sql", "RECORDS", 1'000'000,
                              folder / "kind=benchmark/date=2026-11-28"));
  if (trials == 0) return {};
  Report::progress(fmt::format("{} trials are made", trials));
  return generate_part("benchmarks/web/generated_trials.sql", "TRIALS", trials,
                       folder / "kind=trial/date=2026-11-28");
}

/// The path, and what tells its requests apart.
std::string title_of(const std::string& path, const WebRequest::Parameters& parameters) {
  std::string title = path;
  for (const auto& [name, value] : parameters) {
    if (name == "q" || name == "sort" || name == "verdict") {
      title += fmt::format(" {}={}", name, value);
    }
  }
  return title;
}

/// The middle of some times of one request, after a first one.
Result<double> time_of(WebStore& store, const std::string& path,
                       const WebRequest::Parameters& parameters, Json& answer) {
  std::vector<double> times;
  for (int i = 0; i <= kViewTimes; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const WebAnswer given = answer_to(path, {.store = store}, WebRequest(parameters));
    if (i > 0) times.push_back(view_ms_since(begin));
    if (given.status != 200) return invalid_input(path + ": " + given.body);
    answer = Json::parse(given.body);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

/// How long the views take inside this process: no network, no browser.
Result<void> time_views(const std::filesystem::path& place, Report& report) {
  const auto begin = std::chrono::steady_clock::now();
  OPBENCH_TRY(const auto store, WebStore::open(place));
  OPBENCH_CHECK(store->refresh());
  report.add({.bar = "start, ms until every view answers",
              .value = view_ms_since(begin),
              .limit = kMostStoreMs});
  Json overview;
  OPBENCH_TRY(const double first, time_of(*store, "overview", {}, overview));
  report.add({.bar = "view overview, ms", .value = first, .limit = kMostViewMs});
  const Json& pair = overview["pages"]["compare"];
  const std::string a = pair["a"], b = pair["b"];
  const std::string id = overview["pages"]["series"]["id"][0];
  const std::string workload = overview["pages"]["workload"]["workload"];
  const std::vector<std::pair<std::string, WebRequest::Parameters>> requests = {
      {"runs", {}},
      {"runs", {{"q", "suite-2 2025-07"}}},
      {"compare", {{"a", a}, {"b", b}}},
      {"compare", {{"a", a}, {"b", b}, {"verdict", "relevant"}, {"sort", "name"}}},
      {"compare/only", {{"a", a}, {"b", b}, {"side", "a"}}},
      {"series/list", {}},
      {"series/list", {{"q", "model-3 conv"}, {"sort", "change"}}},
      {"series", {{"id", id}}},
      {"tonight", {}},
      {"model", {{"run", b}}},
      {"machines", {}},
      {"workloads", {}},
      {"workload", {{"workload", workload}}},
      {"plans", {}},
      {"tuning", {}},
      {"tuning", {{"q", "dense znver3"}, {"sort", "best"}}}};
  for (const auto& [path, parameters] : requests) {
    Json answer;
    OPBENCH_TRY(const double ms, time_of(*store, path, parameters, answer));
    report.add({.bar = fmt::format("view {}, ms", title_of(path, parameters)),
                .value = ms,
                .limit = kMostViewMs});
  }
  return {};
}

void add_pages(const Json& measured, Report& report) {
  for (const Json& row : measured["rows"]) {
    const std::string what = row["what"];
    const bool is_paint = what.ends_with("first paint") || what.ends_with("is shown");
    report.add({.bar = fmt::format("{}, ms", what),
                .value = row["median_ms"],
                .limit = is_paint ? kMostPaintMs : kMostViewMs});
  }
  for (const Json& line : measured["missing"]) {
    report.note(fmt::format("not measured: {}", line.get<std::string>()));
  }
  report.add({.bar = "bundle, bytes compressed",
              .value = measured["bundle_bytes"],
              .limit = kMostBundleBytes});
  const Json& memory = measured["memory"];
  report.note(fmt::format("memory of the server, MB: {:.0f} at first, {:.0f} after 100 requests",
                          memory["start_mb"].get<double>(), memory["at_100_mb"].get<double>()));
  report.add({.bar = "memory from request 100 to 1000, MB",
              .value = memory["growth_mb"],
              .limit = kMostGrowthMb});
}

/// The pages in Chromium, over a server of their own.
Result<void> time_pages(const std::filesystem::path& place, Report& report) {
  OPBENCH_TRY(const ProgramRun run,
              run_to_end({.argv = {"/usr/bin/env", "node",
                                   (source_folder() / "benchmarks/web/measure_pages.mjs").string(),
                                   "--program", opbench_path(), "--store", place.string(),
                                   "--format", "json"},
                          .environment = {},
                          .cpus = {}}));
  if (run.exit_code != 0) {
    return Error{ErrorCode::kSystem, "the pages were not measured"}.with("it said", run.err);
  }
  add_pages(Json::parse(run.out), report);
  return {};
}

Result<void> run_bench_web(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  std::filesystem::path place = folder.path();
  if (arguments.has("--store")) place = arguments.value("--store");
  if (!std::filesystem::exists(place / "kind=benchmark")) {
    const auto trials = parse_integer(arguments.value("--trials"));
    if (!trials || *trials < 0) {
      return invalid_input(
                 fmt::format("--trials takes a number, not \"{}\"", arguments.value("--trials")))
          .with("valid", "0 or more");
    }
    OPBENCH_CHECK(generate_million(place, *trials));
  }
  std::array<double, 1> load = {};
  if (getloadavg(load.data(), 1) == 1) report.note(fmt::format("load before: {:.1f}", load[0]));
  OPBENCH_CHECK(time_views(place, report));
  return time_pages(place, report);
}

}  // namespace
}  // namespace opbench

int bench_web_main(int argc, char** argv);
int bench_web_main(int argc, char** argv) {
  return opbench::run_benchmark(
      {.name = "web",
       .summary = "How long the views and pages of opbench web take over a million records",
       .options = {{.name = "--store",
                    .value_name = "DIR",
                    .help = "this store, which is made where there is none; default: one that is "
                            "made and removed"},
                   {.name = "--trials",
                    .value_name = "N",
                    .help = "trials of tuning in a store that is made",
                    .otherwise = "10000000"}},
       .run = opbench::run_bench_web},
      argc, argv);
}
