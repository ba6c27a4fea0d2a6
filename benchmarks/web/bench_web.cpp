#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

#include "base/files/file.h"
#include "benchmarks/common/benchmark.h"
#include "presentation/web/requests/view_answer.h"
#include "presentation/web/store/web_store.h"

namespace opbench {
namespace {

constexpr double kMostViewMs = 200;      // of an interaction
constexpr double kMostStoreMs = 10'000;  // the pages are there at once; their data come then
constexpr int kViewTimes = 5;

double view_ms_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// A store with a million benchmark records, as the tests of the server have one with ten thousand.
Result<void> generate_million(const std::filesystem::path& folder) {
  const std::filesystem::path sources = std::filesystem::path(OPBENCH_LAUNCHER).parent_path();
  OPBENCH_TRY(std::string select, read_file(sources / "tests/web/generated_store.sql"));
  constexpr std::string_view kPlace = "RECORDS";
  select.replace(select.find(kPlace), kPlace.size(), "1000000");
  const std::filesystem::path place = folder / "kind=benchmark/date=2026-11-28";
  OPBENCH_CHECK(make_writable_folder(place));
  OPBENCH_TRY(Database database, Database::open());
  return database.run(fmt::format(
      "COPY ({}) TO {} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, PARQUET_VERSION v2, "
      "ROW_GROUP_SIZE 30720)",
      select, sql_path(place / "part-00000000000000000000000000000001.parquet")));
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

Result<void> run_bench_web(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  std::filesystem::path place = folder.path();
  if (arguments.has("--store")) {
    place = arguments.value("--store");
  } else {
    Report::progress("a million records are made");
    OPBENCH_CHECK(generate_million(place));
  }
  const auto begin = std::chrono::steady_clock::now();
  OPBENCH_TRY(const auto store, WebStore::open(place));
  OPBENCH_CHECK(store->refresh());
  report.add({.bar = "start, ms until every view answers",
              .value = view_ms_since(begin),
              .limit = kMostStoreMs});
  Json overview;
  OPBENCH_TRY(const double first, time_of(*store, "overview", {}, overview));
  report.add({.bar = "overview, ms", .value = first, .limit = kMostViewMs});
  const Json& pair = overview["pages"]["compare"];
  const std::string a = pair["a"], b = pair["b"];
  const std::string id = overview["pages"]["series"]["id"][0];
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
      {"tuning", {}}};
  for (const auto& [path, parameters] : requests) {
    Json answer;
    OPBENCH_TRY(const double ms, time_of(*store, path, parameters, answer));
    report.add({.bar = fmt::format("{}, ms", path), .value = ms, .limit = kMostViewMs});
  }
  return {};
}

}  // namespace
}  // namespace opbench

int bench_web_main(int argc, char** argv);
int bench_web_main(int argc, char** argv) {
  return opbench::run_benchmark(
      {.name = "web",
       .summary = "How long the views of opbench web take over a million records",
       .options = {{.name = "--store",
                    .value_name = "DIR",
                    .help = "this store; default: one of a million records that is made"}},
       .run = opbench::run_bench_web},
      argc, argv);
}
