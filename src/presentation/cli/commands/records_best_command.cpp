#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>

#include "base/numbers/number.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/records/best_from_store.h"
#include "presentation/cli/records/records_files.h"
#include "presentation/report/records/best_report.h"
#include "records/formats/best_records.h"

namespace opbench {
namespace {

/// What the rows must be about.
struct Wanted {
  std::optional<TvmTarget> target;
  std::string model;
  std::string task;
  std::string arguments;  ///< as arguments_key() makes them
  bool is_exact = false;
  bool is_as_tvm = false;
  TvmRules rules = TvmRules::k014;
};

Result<Wanted> wanted_of(const Arguments& arguments) {
  Wanted wanted{.model = arguments.value("--model"), .task = arguments.value("--task")};
  OPBENCH_TRY(wanted.is_exact, arguments.is_on("--exact"));
  OPBENCH_TRY(wanted.is_as_tvm, arguments.is_on("--tvm-compat"));
  OPBENCH_TRY(const std::string version, arguments.choice("--tvm-version", {"0.8", "0.14"}));
  wanted.rules = version == "0.8" ? TvmRules::k08 : TvmRules::k014;
  std::string target = arguments.value("--target");
  if (wanted.is_exact && target.empty()) {
    return Error{ErrorCode::kInvalidInput, "--exact needs --target"}.with(
        "without", "every row is the best of its own target");
  }
  if (!target.empty()) {
    OPBENCH_TRY(wanted.target, parse_tvm_target(target));
    if (!wanted.model.empty() && wanted.target->model == "unknown" && !target.starts_with('{')) {
      OPBENCH_TRY(wanted.target, parse_tvm_target(target + " -model=" + wanted.model));
    }
  }
  if (!arguments.value("--args").empty()) {
    OPBENCH_TRY(wanted.arguments, arguments_key(arguments.value("--args")));
  }
  return wanted;
}

bool is_records_best_wanted(const TuningRecord& record, const Wanted& wanted) {
  const auto target = parse_tvm_target(record.target);
  return (wanted.task.empty() || record.task == wanted.task) &&
         (wanted.arguments.empty() || arguments_key(record) == wanted.arguments) &&
         (wanted.target || wanted.model.empty() || (target && target->model == wanted.model));
}

/// Rows without a target to look up: whatever is best somewhere.
std::vector<BestRow> all_rows(const BestRecords& best, const Wanted& wanted) {
  std::vector<BestRow> rows;
  for (const BestRecord* entry : best.all()) {
    if (is_records_best_wanted(entry->record, wanted))
      rows.push_back({entry->record, entry->text, "exact"});
  }
  return rows;
}

/// What answers for a target, one row a workload.
std::vector<BestRow> rows_for_target(const BestRecords& best, const Wanted& wanted) {
  using Place = std::pair<Provenance::Kind, int64_t>;  // exact ones first, then as they were read
  std::vector<std::pair<Place, BestRow>> found;
  for (const std::string& workload : best.workloads()) {
    const auto answer = wanted.is_exact    ? best.find_exact(*wanted.target, workload)
                        : wanted.is_as_tvm ? best.find_as_tvm(*wanted.target, workload)
                                           : best.find(*wanted.target, workload);
    if (!answer || !is_records_best_wanted(answer->best->record, wanted)) continue;
    found.push_back({{answer->provenance.kind, answer->best->number},
                     {answer->best->record, answer->best->text, to_text(answer->provenance)}});
  }
  std::ranges::stable_sort(found, {}, &std::pair<Place, BestRow>::first);
  std::vector<BestRow> rows;
  for (auto& [place, row] : found) rows.push_back(std::move(row));
  return rows;
}

using Take = std::function<void(const TuningRecord&, const ReadItem&)>;

Result<std::vector<ScanReport>> read_files(const Arguments& arguments, const Take& take) {
  OPBENCH_TRY(const ScanOptions options, scan_options(arguments));
  std::vector<ScanReport> reports;
  for (const std::string& path : arguments.positionals()) {
    reports.push_back(
        scan_records(path, options, [&](const AnyRecord& record, const ReadItem& item) {
          const auto* trial = std::get_if<TuningRecord>(&record);
          if (trial != nullptr) take(*trial, item);
        }));
    if (options.is_strict) OPBENCH_CHECK(outcome_of(reports, true));
  }
  return reports;
}

/// Of the same files again, what pick_best would write.
Result<std::vector<BestRow>> picked_rows(const BestRecords& best, const Wanted& wanted,
                                         const Arguments& arguments) {
  PickBest pick(best);
  std::vector<BestRow> rows;
  OPBENCH_CHECK(read_files(arguments, [&](const TuningRecord& record, const ReadItem& item) {
    if (pick.takes(record) && is_records_best_wanted(record, wanted)) {
      rows.push_back({record, std::string(item.text), "exact"});
    }
  }));
  return rows;
}

Error nothing_matched(const std::map<int, int64_t>& by_error_no, const Wanted& wanted) {
  int64_t trials = 0;
  std::string failures;
  for (const auto& [number, count] : by_error_no) {
    trials += count;
    if (number == 0) continue;
    failures += fmt::format("{}{} with error_no {}", failures.empty() ? "" : ", ", count, number);
  }
  if (trials == 0) return {ErrorCode::kNoMatch, "no tuning records in these files"};
  const auto good = by_error_no.find(0);
  if (good == by_error_no.end()) {
    return {ErrorCode::kNoMatch, fmt::format("none of {} trials succeeded: {}", trials, failures)};
  }
  std::string what = wanted.task.empty() ? "" : " of task \"" + wanted.task + "\"";
  if (wanted.target) what += " for target \"" + display_text(wanted.target->identity) + "\"";
  if (!wanted.target && !wanted.model.empty()) what += " of model \"" + wanted.model + "\"";
  return {ErrorCode::kNoMatch,
          fmt::format("none of {} successful trials matches{}", good->second, what)};
}

/// The lines as they are in the files.
std::string log_text(const std::vector<BestRow>& rows) {
  std::string text;
  for (const BestRow& row : rows) text += row.text + "\n";
  return text;
}

/// How many rows are shown: a screenful in a table, all for programs, unless --limit says it.
Result<size_t> row_limit(const Arguments& arguments) {
  constexpr size_t kScreenful = 20;
  const std::string limit = arguments.value("--limit");
  const bool is_table = arguments.value("--format") == "table";
  if (limit == "all" || (limit.empty() && !is_table)) return std::numeric_limits<size_t>::max();
  if (limit.empty()) return kScreenful;
  const auto rows = parse_integer(limit);
  if (rows && *rows >= 1) return static_cast<size_t>(*rows);
  return Error{ErrorCode::kInvalidInput,
               "--limit takes a number of at least 1 or all, not \"" + limit + "\""};
}

Result<void> write_rows(std::vector<BestRow> rows, const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments, {"log"}));
  OPBENCH_TRY(const size_t limit, row_limit(arguments));
  const size_t total = rows.size();
  rows.resize(std::min(total, limit));
  if (format == "log") {
    OPBENCH_CHECK(write_text(log_text(rows), arguments, terminal));
  } else {
    const TextTable table = format == "table" ? best_table(rows) : best_data_table(rows);
    OPBENCH_CHECK(write_answer(best_json(rows, total), table, arguments, terminal));
  }
  if (rows.size() < total) {
    terminal.err << fmt::format("{} more; --limit all shows them\n", total - rows.size());
  }
  return {};
}

/// The answer of the store: from its index when one workload on one target is asked for.
Result<void> run_on_store(const Wanted& wanted, const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const std::filesystem::path folder, store_folder_of(arguments));
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(folder));
  std::vector<BestRow> rows;
  if (wanted.target && !wanted.task.empty() && !wanted.arguments.empty() && !wanted.is_as_tvm) {
    OPBENCH_TRY(auto record, best_of_workload(store, arguments.value("--target"), wanted.task,
                                              wanted.arguments));
    if (record) rows.push_back({std::move(*record), "", "exact"});
  }
  if (rows.empty() && !(wanted.is_exact && !wanted.arguments.empty())) {
    BestRecords best(wanted.rules);
    OPBENCH_CHECK(add_from_store(store, wanted.task, best));
    rows = wanted.target ? rows_for_target(best, wanted) : all_rows(best, wanted);
  }
  const bool is_json = arguments.value("--format") == "json";
  if (!rows.empty() || is_json) OPBENCH_CHECK(write_rows(rows, arguments, terminal));
  if (!rows.empty()) return {};
  return Error{ErrorCode::kNoMatch,
               fmt::format("no trial in \"{}\" matches", store.path().string())};
}

Result<void> run_records_best(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const Wanted wanted, wanted_of(arguments));
  OPBENCH_CHECK(row_limit(arguments));
  if (arguments.positionals().empty()) return run_on_store(wanted, arguments, terminal);
  if (arguments.is_typed("--store")) {
    return Error{ErrorCode::kInvalidInput,
                 "--store \"" + arguments.value("--store") + "\" cannot be used with files"}
        .with("valid", "files or --store");
  }
  BestRecords best(wanted.rules);
  std::map<int, int64_t> by_error_no;
  OPBENCH_TRY(const std::vector<ScanReport> reports,
              read_files(arguments, [&](const TuningRecord& record, const ReadItem& item) {
                ++by_error_no[record.result.error_no];
                best.add(record, item.text);
              }));
  for (const ScanReport& report : reports) print_messages(report, terminal);
  std::vector<BestRow> rows;
  if (wanted.target) {
    rows = rows_for_target(best, wanted);
  } else if (wanted.is_as_tvm) {
    OPBENCH_TRY(rows, picked_rows(best, wanted, arguments));
  } else {
    rows = all_rows(best, wanted);
  }
  const bool is_json = arguments.value("--format") == "json";
  if (!rows.empty() || is_json) OPBENCH_CHECK(write_rows(rows, arguments, terminal));
  Result<void> outcome = outcome_of(reports, false);
  if (!outcome && outcome.error().code == ErrorCode::kInvalidInput) return outcome;
  if (rows.empty()) return nothing_matched(by_error_no, wanted);
  return outcome;
}

std::vector<OptionDef> records_best_options() {
  std::vector<OptionDef> options = table_options();
  options[0].help = "table, json, csv, md, or log: the lines as they are in the files";
  const auto add = [&](const char* name, const char* value, const char* help) {
    options.push_back({.name = name, .value_name = value, .help = help, .is_settable = false});
  };
  add("--target", "TARGET", "what would be taken for this target, in TVM's string or JSON");
  add("--model", "MODEL", "records of this model, as in -model= of targets");
  add("--task", "TASK", "records of this task: conv2d_NCHWc.x86");
  add("--args", "JSON", "records with these arguments, as a log has them");
  add("--limit", "N|all", "rows to show; else 20 in a table, all in other formats");
  options.push_back({.name = "--exact",
                     .help = "only records of the very target, none borrowed",
                     .kind = OptionKind::kSwitch,
                     .is_settable = false});
  options.push_back({.name = "--tvm-compat",
                     .help = "choose as AutoTVM does, its defects included",
                     .kind = OptionKind::kSwitch,
                     .is_settable = false});
  options.push_back({.name = "--tvm-version",
                     .value_name = "VERSION",
                     .help = "whose keys of targets count: 0.14 adds arm_cpu for ARM's triples",
                     .otherwise = "0.14",
                     .is_settable = false});
  options.push_back(strict_option());
  options.push_back(store_option());
  return options;
}

}  // namespace

CommandDef records_best_command() {
  PositionalDef files = record_files();
  files.is_required = false;
  files.help += "; none: the store";
  return {.name = "records best",
          .summary = "The fastest known config of each workload, in files or in the store",
          .positionals = {files},
          .options = records_best_options(),
          .examples = {{"opbench records best tuning.log", ""},
                       {"opbench records best *.log --target 'cuda -model=v100' --task dense.cuda",
                        "what that target would get, and from where"},
                       {"opbench records best tuning.log --format log -o best.log",
                        "the lines as they are, for TVM to read"}},
          .notes =
              "Without --target: the best of each workload by model and by every key of a target.\n"
              "With it: a record of the very target, else of its model, else borrowed by a key.\n"
              "--tvm-compat: AutoTVM's own choice: the first record of each config that is best\n"
              "somewhere, even if that measurement failed; with --target its order of lookup.",
          .help_rank = 7,
          .run = run_records_best};
}

}  // namespace opbench
