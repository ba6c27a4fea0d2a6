// `./dev bench records`: how fast logs get into the store, how small they are there, and how fast
// they answer.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "base/files/file.h"
#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"
#include "benchmarks/records/log_generator.h"
#include "measuring/results/statistics.h"
#include "records/store/best/best_index.h"
#include "records/store/database/views.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
constexpr double kMega = 1e6, kMib = 1024 * 1024;
constexpr int kRecordsRepeats = 3;

double records_seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Result<ProgramRun> run_records_well(std::vector<std::string> words, std::vector<int> cpus = {}) {
  words.insert(words.begin(), {opbench_path(), "records"});
  OPBENCH_TRY(ProgramRun run, run_to_end({.argv = words, .cpus = std::move(cpus)}));
  if (run.exit_code == 0) return run;
  return Error{ErrorCode::kSystem,
               fmt::format("\"{}\" ended with code {}", fmt::join(words, " "), run.exit_code)}
      .with("stderr", run.err);
}

int64_t parquet_bytes(const fs::path& store) {
  int64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(store)) {
    if (entry.path().extension() == ".parquet") bytes += static_cast<int64_t>(entry.file_size());
  }
  return bytes;
}

/// What is wanted of a set of records.
struct SetLimits {
  std::string name;
  bool has_sessions;
  double mb_per_s;
  double ratio;
};

/// Runs of one kind: their times, and the most memory that one took.
struct Runs {
  std::vector<double> wall_s;
  double peak_mib = 0;

  void add(const ProgramRun& run) {
    wall_s.push_back(run.wall_s);
    peak_mib = std::max(peak_mib, static_cast<double>(run.peak_bytes) / kMib);
  }
};

/// Into an empty store.
Result<ProgramRun> import_once(const fs::path& log, const fs::path& store, int threads) {
  fs::remove_all(store);
  return run_records_well(
      {"import", log.string(), "--store", store.string(), "--threads", fmt::to_string(threads)},
      threads == 1 ? std::vector<int>{0} : std::vector<int>{0, 1});
}

/// DuckDB's own reader of JSON into the same kind of file, on the same core.
Result<ProgramRun> read_json_once(const fs::path& log, const fs::path& folder) {
  const fs::path empty = folder / "empty";
  fs::create_directories(empty);
  const std::string copy = fmt::format(
      "COPY (SELECT * FROM read_json('{}', format = 'newline_delimited', columns = {{input: "
      "'JSON', "
      "config: 'JSON', result: 'JSON', version: 'DOUBLE', tvm_version: 'VARCHAR'}})) TO '{}' "
      "(FORMAT "
      "parquet, COMPRESSION zstd)",
      log.string(), (folder / "read_json.parquet").string());
  return run_records_well({"query", copy, "--store", empty.string(), "--threads", "1"}, {0});
}

/// The import beside its peers, in turns: a machine that slows down slows all of them.
struct ImportRuns {
  Runs one, two, read_json;
  int64_t stored_bytes = 0;
};

Result<ImportRuns> time_imports(const fs::path& log, const fs::path& folder) {
  ImportRuns runs;
  const fs::path store = folder / "store";
  for (int i = 0; i < kRecordsRepeats; ++i) {
    OPBENCH_TRY(const ProgramRun one, import_once(log, store, 1));
    OPBENCH_TRY(const ProgramRun read_json, read_json_once(log, folder));
    OPBENCH_TRY(const ProgramRun two, import_once(log, store, 2));
    runs.one.add(one);
    runs.read_json.add(read_json);
    runs.two.add(two);
  }
  runs.stored_bytes = parquet_bytes(store);
  return runs;
}

/// The median of what one takes of the other's time in the same turn.
double median_share(const Runs& of, const Runs& in) {
  std::vector<double> shares;
  for (size_t i = 0; i < of.wall_s.size(); ++i) shares.push_back(of.wall_s[i] / in.wall_s[i]);
  return median(shares);
}

Result<void> add_set(const SetLimits& limits, const LogGenerator& generator, int64_t megabytes,
                     const fs::path& folder, Report& report) {
  const fs::path log = folder / (limits.name + ".log");
  Report::progress("writing " + log.string());
  OPBENCH_TRY(const int64_t records,
              generator.write({.file = log,
                               .bytes = megabytes * static_cast<int64_t>(kMega),
                               .seed = 7,
                               .has_sessions = limits.has_sessions}));
  const auto bytes = static_cast<double>(fs::file_size(log));
  Report::progress("importing " + log.string());
  OPBENCH_TRY(const ImportRuns runs, time_imports(log, folder));
  const auto bar = [&](const std::string& what, double value, double limit) {
    report.add({fmt::format("records: {}: {}", limits.name, what), value, limit});
  };
  const double one_s = median(runs.one.wall_s);
  const double of_read_json = median_share(runs.one, runs.read_json);
  report.note(fmt::format(
      "{}: {} records, {:.0f} MB; one core {:.0f} MB/s, {:.2f} x read_json; two {:.0f} MB/s",
      limits.name, records, bytes / kMega, bytes / kMega / one_s, 1 / of_read_json,
      bytes / kMega / median(runs.two.wall_s)));
  bar("import on one core, s per GB", one_s / bytes * 1e9, 1e3 / limits.mb_per_s);
  bar("share of the time of DuckDB's read_json", of_read_json, 1 / 1.5);
  bar("share of it that two threads take", median_share(runs.two, runs.one), 1 / 1.7);
  bar("peak memory, one thread, MiB", runs.one.peak_mib, 256);
  bar("peak memory, two threads, MiB", runs.two.peak_mib, 256);
  bar("Parquet / JSON", static_cast<double>(runs.stored_bytes) / bytes, 1 / limits.ratio);
  fs::remove(log);
  return {};
}

/// Imports of a gigabyte each, until the store has so many trials.
Result<void> fill_store(const LogGenerator& generator, int64_t trials, const fs::path& folder,
                        const fs::path& store) {
  constexpr int64_t kAtOnce = 1'500'000;
  uint64_t seed = 100;
  for (int64_t done = 0; done < trials;) {
    Report::progress(fmt::format("filling the store: {} of {} trials", done, trials));
    const fs::path log = folder / "part.log";
    OPBENCH_TRY(const int64_t written,
                generator.write(
                    {.file = log, .records = std::min(kAtOnce, trials - done), .seed = seed++}));
    OPBENCH_CHECK(run_records_well({"import", log.string(), "--store", store.string()}));
    fs::remove(log);
    done += written;
  }
  return {};
}

/// The median of a query's times, after one that warms up.
Result<double> time_query(const fs::path& path, const std::string& sql) {
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(path));
  OPBENCH_TRY(Database database, Database::open({.threads = 2}));
  OPBENCH_CHECK(create_views(database, store));
  OPBENCH_CHECK(database.query(sql));
  std::vector<double> times_ms;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    OPBENCH_CHECK(database.query(sql));
    times_ms.push_back(s_to_ms(records_seconds_since(begin)));
  }
  return median(times_ms);
}

constexpr const char* kMedian = "SELECT target, task, median(mean_s) FROM trials GROUP BY ALL";

Result<void> add_compaction(const fs::path& store, Report& report) {
  Report::progress("compacting");
  OPBENCH_TRY(const ProgramRun run, run_records_well({"compact", "--store", store.string()}));
  report.add({"records: compaction with its best index, s", run.wall_s, 15});
  report.add(
      {"records: compaction, peak memory, MiB", static_cast<double>(run.peak_bytes) / kMib, 256});
  return {};
}

Result<void> add_best(const fs::path& path, Report& report) {
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(path));
  OPBENCH_TRY(const QueryResult some,
              query_store(store,
                          "SELECT target, task, args FROM trials WHERE error_no = 0 USING "
                          "SAMPLE 50 ROWS (reservoir, 3)"));
  std::vector<double> inside_ms, whole_ms;
  for (const std::vector<Json>& row : some.rows) {
    const auto target = row[0].get<std::string>(), task = row[1].get<std::string>();
    const auto args = row[2].get<std::string>();
    auto begin = std::chrono::steady_clock::now();
    OPBENCH_TRY(const auto best, find_best(store, target, task, args));
    inside_ms.push_back(s_to_ms(records_seconds_since(begin)));
    if (!best) return Error{ErrorCode::kSystem, "no best trial of " + args};
    OPBENCH_TRY(const ProgramRun run,
                run_records_well({"best", "--store", path.string(), "--target", target, "--task",
                                  task, "--args", args, "--exact", "--format", "json"}));
    whole_ms.push_back(s_to_ms(run.wall_s));
  }
  report.add({"records: exact best, in process, ms", median(inside_ms), 5});
  report.add({"records: exact best, whole process, ms", median(whole_ms), 30});
  return {};
}

/// Many parts of a few trials each, as tuning runs leave them.
Result<void> add_tiny_parts(const LogGenerator& generator, const fs::path& folder, Report& report) {
  constexpr int kParts = 1000, kAtOnce = 100;
  const fs::path store = folder / "tiny";
  Report::progress("a store of 1000 tiny parts");
  for (int done = 0; done < kParts; done += kAtOnce) {
    std::vector<std::string> words = {"import", "--store", store.string()};
    for (int i = done; i < done + kAtOnce; ++i) {
      const fs::path log = folder / fmt::format("tiny{}.log", i);
      OPBENCH_CHECK(
          generator.write({.file = log, .records = 10, .seed = 10'000 + static_cast<uint64_t>(i)}));
      words.push_back(log.string());
    }
    OPBENCH_CHECK(run_records_well(words));
  }
  OPBENCH_TRY(const double ms, time_query(store, kMedian));
  report.add({"records: grouped median over 1000 tiny parts, ms", ms, 300});
  return {};
}

Result<void> run_records(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const int64_t megabytes, arguments.integer("--mb", 1));
  OPBENCH_TRY(const int64_t trials, arguments.integer("--trials", 1));
  const std::string place = arguments.value("--folder");
  OPBENCH_TRY(
      const TemporaryFolder own,
      TemporaryFolder::make_in(place.empty() ? fs::temp_directory_path() : fs::path(place)));
  const fs::path& folder = own.path();
  OPBENCH_TRY(const LogGenerator generator,
              LogGenerator::make(fs::path(OPBENCH_SHARED_DATA) / "tophub"));
  OPBENCH_CHECK(add_set({"sessions", true, 300, 10}, generator, megabytes, folder, report));
  OPBENCH_CHECK(add_set({"own-workloads", false, 220, 7}, generator, megabytes, folder, report));
  OPBENCH_CHECK(add_tiny_parts(generator, folder, report));
  const fs::path store = folder / "large";
  OPBENCH_CHECK(fill_store(generator, trials, folder, store));
  OPBENCH_TRY(const double ms, time_query(store, kMedian));
  report.add({fmt::format("records: grouped median over {} trials, ms", trials), ms, 250});
  OPBENCH_CHECK(add_compaction(store, report));
  return add_best(store, report);
}

}  // namespace
}  // namespace opbench

int bench_records_main(int argc, char** argv) {
  return opbench::run_benchmark(
      {.name = "records",
       .summary = "import, size and answers of the store of records",
       .options = {{.name = "--mb",
                    .value_name = "N",
                    .help = "megabytes of each log that is imported",
                    .otherwise = "1000"},
                   {.name = "--trials",
                    .value_name = "N",
                    .help = "in the store that answers",
                    .otherwise = "10000000"},
                   {.name = "--folder",
                    .value_name = "DIR",
                    .help = "place for logs and stores, 4 GB with the default sizes"}},
       .run = opbench::run_records},
      argc, argv);
}
