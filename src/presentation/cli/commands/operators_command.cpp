#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/json/json_text.h"
#include "engines/catalog/engine_choice.h"
#include "presentation/cli/command.h"
#include "presentation/cli/operators/catalog_text.h"
#include "presentation/cli/operators/operator_entries.h"
#include "presentation/cli/options/download_flags.h"
#include "presentation/cli/options/extent_options.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kOperatorsSchema = "opbench.operators/1";

Result<ProfileRequest> operators_request_of(const Arguments& arguments, const std::string& text,
                                            Terminal& terminal) {
  OPBENCH_TRY(const ModelArgument argument, resolve_model(text));
  ProfileRequest request;
  request.model.name = argument.name;
  request.model.is_zoo = argument.is_zoo;
  OPBENCH_CHECK(set_extents(arguments, request));
  OPBENCH_CHECK(set_download(arguments, request));
  show_download(request, terminal);
  return request;
}

Result<std::vector<OperatorEntry>> entries_of(const Arguments& arguments, Terminal& terminal) {
  OperatorEntries entries;
  for (const std::string& text : arguments.positionals()) {
    OPBENCH_TRY(const ProfileRequest request, operators_request_of(arguments, text, terminal));
    OPBENCH_CHECK(entries.add(request, text));
  }
  return std::move(entries).sorted();
}

double sum_of_flops(const std::vector<OperatorEntry>& entries) {
  double sum = 0;
  for (const OperatorEntry& entry : entries) sum += entry.total_flops();
  return sum;
}

std::string models_text(const OperatorEntry& entry) {
  std::vector<std::string> parts;
  for (const auto& [model, count] : entry.counts) {
    parts.push_back(model + " × " + std::to_string(count));
  }
  return join(parts);
}

TextTable operators_table_of(const std::vector<OperatorEntry>& entries, bool has_models) {
  TextTable table;
  table.columns = {
      {.header = "operator", .shrinks_to = 16},
      {.header = "shapes", .shrinks_to = 12},
      {.header = "count", .is_right_aligned = true},
      {.header = "FLOPs", .is_right_aligned = true, .unit = "a call"},
      {.header = "bytes", .is_right_aligned = true, .unit = "a call"},
      {.header = "intensity", .is_right_aligned = true, .drop_order = 1, .unit = "FLOP/B"},
      {.header = "share", .is_right_aligned = true, .unit = "of FLOPs"}};
  if (has_models) table.columns.push_back({.header = "models"});
  const double sum = sum_of_flops(entries);
  for (const OperatorEntry& entry : entries) {
    const bool has_rate = entry.flops && entry.bytes.value_or(0) > 0;
    TextRow row{{entry.identity.operator_text + (entry.is_known() ? "" : " (?)"),
                 short_shapes(entry.identity), std::to_string(entry.count()),
                 entry.flops ? scaled_text(*entry.flops) : "-",
                 entry.bytes ? scaled_text(*entry.bytes) : "-",
                 has_rate ? rate_text(*entry.flops / *entry.bytes) : "-",
                 entry.flops ? percent_text(sum > 0 ? entry.total_flops() / sum : 0) : "-"}};
    if (has_models) row.cells.push_back(models_text(entry));
    row.below.push_back(entry.is_known() ? workload_text(entry.identity) : entry.note);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// All numbers in full, for programs.
TextTable exact_table(const std::vector<OperatorEntry>& entries) {
  TextTable table;
  table.columns = {{.header = "operator"},
                   {.header = "shapes"},
                   {.header = "count", .is_right_aligned = true},
                   {.header = "flops", .is_right_aligned = true},
                   {.header = "bytes", .is_right_aligned = true},
                   {.header = "share", .is_right_aligned = true},
                   {.header = "models"},
                   {.header = "workload"},
                   {.header = "note"}};
  const double sum = sum_of_flops(entries);
  for (const OperatorEntry& entry : entries) {
    table.rows.push_back(
        {{entry.identity.operator_text, short_shapes(entry.identity), std::to_string(entry.count()),
          entry.flops ? exact_text(*entry.flops) : "-",
          entry.bytes ? exact_text(*entry.bytes) : "-",
          entry.flops ? exact_text(sum > 0 ? entry.total_flops() / sum : 0) : "-",
          models_text(entry), workload_text(entry.identity), entry.note}});
  }
  return table;
}

std::string sum_line(const std::vector<OperatorEntry>& entries) {
  int64_t units = 0;
  int64_t opaque = 0;
  for (const OperatorEntry& entry : entries) (entry.is_known() ? units : opaque) += entry.count();
  const auto workloads = std::ranges::count_if(entries, &OperatorEntry::is_known);
  std::string text = fmt::format("\n{} workloads in {} units, {}FLOP\n", workloads, units,
                                 scaled_text(sum_of_flops(entries)));
  if (opaque == 0) return text;
  return text + fmt::format("not counted: {} nodes that halide cannot run, marked (?)\n", opaque);
}

/// The format asked for, else the one that the name of the output ends with, else a table.
Result<std::string> catalog_format(const Arguments& arguments) {
  const std::string& output = arguments.value("--output");
  for (const std::string& format : report_formats()) {
    if (!arguments.has("--format") && output.ends_with("." + format)) return format;
  }
  return format_of(arguments);
}

Result<Catalog> catalog_of(const Arguments& arguments, Terminal& terminal) {
  std::vector<std::string> names = arguments.values("--catalog");
  names.insert(names.end(), arguments.positionals().begin(), arguments.positionals().end());
  std::vector<ProfileRequest> requests;
  for (const std::string& name : names) {
    if (std::ranges::count(names, name) > 1) {
      return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" is named twice", name)};
    }
    OPBENCH_TRY(ProfileRequest request, operators_request_of(arguments, name, terminal));
    requests.push_back(std::move(request));
  }
  const std::string& file = arguments.value("--measured");
  if (file.empty()) return make_catalog(requests, names, nullptr);
  OPBENCH_TRY(const auto measured, recorded_ms(file, package_engine().name));
  return make_catalog(requests, names, &measured);
}

Result<void> run_catalog(const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const std::string format, catalog_format(arguments));
  OPBENCH_TRY(const Catalog catalog, catalog_of(arguments, terminal));
  if (format == "json") {
    constexpr int kIndent = 2;
    return write_text(json_text(catalog_json(catalog), kIndent) + "\n", arguments, terminal);
  }
  if (format == "csv")
    return write_text(csv_text(exact_catalog_table(catalog)), arguments, terminal);
  const TextTable table = catalog_table(catalog);
  const TableForm form = table_form(arguments, terminal);
  const std::string text =
      format == "md" ? markdown_text(table) : aligned_text(table, form.width, form.style);
  return write_text(text + "\n" + coverage_text(catalog), arguments, terminal);
}

Result<void> run_operators(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.has("--catalog")) return run_catalog(arguments, terminal);
  if (arguments.has("--measured")) {
    return Error{ErrorCode::kInvalidInput, "--measured goes with --catalog"};
  }
  if (arguments.positionals().empty()) {
    return Error{ErrorCode::kInvalidInput, "missing argument MODEL"}.with(
        "MODEL", "an ONNX file or its URL, or a name from `opbench list models`");
  }
  OPBENCH_TRY(const std::string format, format_of(arguments));
  OPBENCH_TRY(const std::vector<OperatorEntry> entries, entries_of(arguments, terminal));
  const bool has_models = arguments.positionals().size() > 1;
  if (format == "json" || format == "csv") {
    return write_table(exact_table(entries), kOperatorsSchema, "operators", arguments, terminal);
  }
  const TextTable table = operators_table_of(entries, has_models);
  if (format == "md") {
    return write_text(markdown_text(table), arguments, terminal);
  }
  const TableForm form = table_form(arguments, terminal);
  return write_text(aligned_text(table, form.width, form.style) + sum_line(entries), arguments,
                    terminal);
}

}  // namespace

CommandDef operators_command() {
  CommandDef command{
      .name = "operators",
      .summary = "Show what models consist of: unique workloads, how often, FLOPs, bytes",
      .positionals = {{.name = "MODEL",
                       .help = "ONNX files or their URLs, or names from `opbench list models`",
                       .is_required = false,
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = {{.name = "--catalog",
                   .value_name = "MODEL,MODEL…",
                   .help = "list the workloads of these models with kernels, times and what takes "
                           "90 % of them",
                   .kind = OptionKind::kList},
                  {.name = "--measured",
                   .value_name = "FILE",
                   .help = "records of `profile --record`: their times stand beside the predicted "
                           "ones",
                   .file = FileUse::kRead}},
      .examples = {{"opbench operators resnet-18", "each unit that our engine runs as one kernel"},
                   {"opbench operators resnet-18 mobilenet --format csv",
                    "several models together, for a spreadsheet"},
                   {"opbench operators --catalog resnet-18,bert,mobilenet -o catalog.md",
                    "which few workloads take most of the time of many models"}},
      .help_rank = 2,
      .run = run_operators};
  for (OptionDef& option : table_options()) command.options.push_back(std::move(option));
  for (OptionDef& option : extent_options()) command.options.push_back(std::move(option));
  for (OptionDef& option : download_flags()) command.options.push_back(std::move(option));
  return command;
}

}  // namespace opbench
