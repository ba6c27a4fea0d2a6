#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"
#include "base/json/json_text.h"
#include "base/numbers/number.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/sessions/model/model_file.h"
#include "experiments/verify/verify_run.h"
#include "measuring/results/measurement_json.h"
#include "model/download/url.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/download_flags.h"
#include "presentation/cli/options/errors_option.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/report/tables/error_table.h"

namespace opbench {
namespace {

constexpr const char* kVerifySchema = "opbench.verify/1";

/// The cases that did not pass, or all.
TextTable verify_table_of(const VerifyResult& result, bool is_full) {
  TextTable table;
  table.columns = {{.header = "case", .shrinks_to = 24},
                   {.header = "engine"},
                   {.header = "result"},
                   {.header = "error", .is_right_aligned = true, .drop_order = 1},
                   {.header = "reason", .shrinks_to = 24}};
  for (const CaseResult& row : result.cases) {
    if (!is_full && row.outcome == CaseOutcome::kPassed) continue;
    const std::string error =
        row.max_relative_error ? fmt::format("{:.2g}", *row.max_relative_error) : "-";
    table.rows.push_back({{row.name, row.engine, name_of(row.outcome), error, row.reason}});
  }
  return table;
}

std::string verify_counts_text(const VerifyResult& result) {
  return fmt::format("{} passed, {} unsupported, {} wrong\n", result.count(CaseOutcome::kPassed),
                     result.count(CaseOutcome::kUnsupported), result.count(CaseOutcome::kWrong));
}

/// Where errors were asked for: the units of each case on each engine.
std::string verify_errors_text(const VerifyResult& result, int width, const TextStyle& style) {
  std::string text;
  for (const CaseResult& row : result.cases) {
    if (row.errors.empty() && row.no_errors_reason.empty()) continue;
    text += row.name + ", " + row.engine + "\n";
    if (row.errors.empty()) {
      text += "errors: not computed: " + row.no_errors_reason + "\n\n";
      continue;
    }
    text += aligned_text(error_table(row.errors), width, style) + "\n" +
            first_beyond_line(row.errors) + "\n";
  }
  return text;
}

Json verify_json_of(const VerifyResult& result) {
  Json cases = Json::array();
  for (const CaseResult& row : result.cases) {
    Json item = {{"case", row.name}, {"engine", row.engine}, {"result", name_of(row.outcome)}};
    const bool has_error = row.max_relative_error && *row.max_relative_error <= 1e300;
    item["max_relative_error"] = has_error ? Json(*row.max_relative_error) : Json();
    item["reason"] = row.reason;
    if (!row.errors.empty()) item["errors"] = unit_errors_json(row.errors);
    if (!row.no_errors_reason.empty()) item["errors_reason"] = row.no_errors_reason;
    cases.push_back(std::move(item));
  }
  return {{"schema", kVerifySchema},
          {"passed", result.count(CaseOutcome::kPassed)},
          {"unsupported", result.count(CaseOutcome::kUnsupported)},
          {"wrong", result.count(CaseOutcome::kWrong)},
          {"cases", std::move(cases)}};
}

Result<void> write_result(const VerifyResult& result, const Arguments& arguments,
                          Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format == "json") {
    return write_text(json_text(verify_json_of(result), 2) + "\n", arguments, terminal);
  }
  OPBENCH_TRY(const bool is_full, arguments.is_on("--all"));
  const TextTable table = verify_table_of(result, is_full || format == "csv");
  if (format != "table") return write_table(table, "", "", arguments, terminal);
  const bool is_file = !arguments.value("--output").empty();
  std::string text;
  if (!table.rows.empty()) {
    text = aligned_text(table, is_file ? 0 : terminal.width,
                        TextStyle{!is_file && terminal.has_colour}) +
           "\n";
  }
  const int width = is_file ? 0 : terminal.width;
  const TextStyle style{!is_file && terminal.has_colour};
  return write_text(text + verify_errors_text(result, width, style) + verify_counts_text(result),
                    arguments, terminal);
}

Result<double> tolerance_of(const Arguments& arguments) {
  const std::string text = arguments.value("--tolerance");
  const auto value = parse_number(text);
  if (value && *value > 0 && *value < 1) return *value;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("--tolerance takes a number above 0 and below 1, not \"{}\"", text)};
}

/// A URL as the file in the cache that it stands for.
Result<RemoteModel> fetched(const std::string& url, const Arguments& arguments,
                            Terminal& terminal) {
  ProfileRequest request;
  request.model.name = url;
  OPBENCH_CHECK(set_download(arguments, request));
  show_download(request, terminal);
  return model_file(request.model, request.hooks);
}

/// The cases in what the arguments name; those of a URL go by the name of its model.
Result<std::vector<VerifyCase>> cases_of(const Arguments& arguments, Terminal& terminal) {
  OPBENCH_CHECK(download_options_of(arguments));
  std::vector<std::filesystem::path> paths;
  std::map<std::filesystem::path, std::string> names;
  for (const std::string& text : arguments.positionals()) {
    if (!is_url(text)) {
      paths.emplace_back(text);
      continue;
    }
    OPBENCH_TRY(const RemoteModel model, fetched(text, arguments, terminal));
    paths.push_back(model.file);
    names[model.file] = model.name;
  }
  if (names.empty() && arguments.has("--sha256")) {
    return Error{ErrorCode::kInvalidInput, "--sha256 is of a URL's file, and none is named"};
  }
  OPBENCH_TRY(std::vector<VerifyCase> cases, find_cases(paths));
  for (VerifyCase& one : cases) {
    const auto name = names.find(one.model);
    if (name != names.end()) one.name.replace(0, one.model.stem().string().size(), name->second);
  }
  return cases;
}

Result<VerifyRequest> verify_request_of(const Arguments& arguments, Terminal& terminal) {
  VerifyRequest request;
  request.engines = arguments.values("--engine");
  if (request.engines.empty()) request.engines = {package_engine().name};
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 1, 1024));
  request.threads = static_cast<int>(threads);
  OPBENCH_TRY(request.tolerances.full, tolerance_of(arguments));
  OPBENCH_TRY(request.wants_errors, arguments.is_on("--errors"));
  OPBENCH_TRY(request.inject_fault, fault_of(arguments));
  OPBENCH_TRY(request.cases, cases_of(arguments, terminal));
  return request;
}

Result<void> verify_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(VerifyRequest request, verify_request_of(arguments, terminal));
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.cancel = &interruption.flag();
  request.progress = [&](size_t done, size_t total, const CaseResult& last) {
    progress.show({.stage = "verify",
                   .engine = last.engine,
                   .item = last.name,
                   .done = static_cast<int64_t>(done),
                   .total = static_cast<int64_t>(total)});
  };
  const Result<VerifyResult> result = run_verify(request);
  progress.clear();
  if (!result) return result.error();
  interruption.end();
  OPBENCH_CHECK(write_result(*result, arguments, terminal));
  if (interruption.flag()) {
    return Error{ErrorCode::kInterrupted, "interrupted; the cases until then are reported"};
  }
  const size_t wrong = result->count(CaseOutcome::kWrong);
  const size_t unsupported = result->count(CaseOutcome::kUnsupported);
  if (wrong > 0) {
    return Error{ErrorCode::kNotReproduced,
                 fmt::format("{} of {} results are not as expected", wrong, result->cases.size())};
  }
  if (unsupported > 0) {
    return Error{ErrorCode::kPartial, fmt::format("{} of {} cases are not supported", unsupported,
                                                  result->cases.size())};
  }
  return {};
}

}  // namespace

CommandDef verify_command() {
  CommandDef command{
      .name = "verify",
      .summary = "Run models on given inputs and compare with expected outputs",
      .positionals = {{.name = "PATH",
                       .help = "folders of ONNX backend tests (model.onnx and test_data_set_0), or "
                               "a model and its data folder; a model may be a URL",
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = {{.name = "--engine",
                   .value_name = "NAME,NAME…",
                   .help = "what runs the models; `reference`: the operators' own plain loops",
                   .otherwise = package_engine().name,
                   .kind = OptionKind::kList},
                  {.name = "--threads",
                   .value_name = "N",
                   .help = "threads of a call",
                   .otherwise = "1",
                   .short_name = "-t"},
                  {.name = "--tolerance",
                   .value_name = "X",
                   .help = "largest error of a float output, relative to its largest value; 16-bit "
                           "floats and what follows from quantized values may have 0.01, quantized "
                           "8-bit integers one step, other types none",
                   .otherwise = "0.0001"},
                  errors_option(),
                  {.name = "--inject-fault",
                   .value_name = "UNIT=FAULT",
                   .help = "tests only: crash, hang, out-of-bounds, swap-channels, wrong",
                   .is_hidden = true},
                  {.name = "--all",
                   .value_name = "",
                   .help = "list the cases that pass, too",
                   .kind = OptionKind::kSwitch}},
      .examples = {{"opbench verify /usr/share/libonnx-testdata/data/node",
                    "every operator test of ONNX, on our kernels"},
                   {"opbench verify model.onnx test_data_set_0 --engine halide,onnxruntime",
                    "one model against the outputs that came with it"},
                   {"opbench verify https://host/model.tar.gz",
                    "a model from the network against the outputs in its archive"}},
      .notes = "Exit code 3: a result is not as expected; 5: something is not supported.",
      .help_rank = 3,
      .run = verify_run};
  for (OptionDef& option : table_options()) command.options.push_back(std::move(option));
  for (OptionDef& option : download_flags()) command.options.push_back(std::move(option));
  return command;
}

}  // namespace opbench
