#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/errors/suggestion.h"
#include "presentation/cli/command.h"
#include "presentation/cli/extent_options.h"
#include "presentation/cli/model_argument.h"
#include "presentation/cli/operator_entries.h"
#include "presentation/cli/table_output.h"
#include "presentation/report/number_text.h"

namespace opbench {
namespace {

Result<std::vector<OperatorEntry>> entries_of(const Arguments& arguments) {
  OperatorEntries entries;
  for (const std::string& text : arguments.positionals()) {
    OPBENCH_TRY(const ModelArgument argument, resolve_model(text));
    ProfileRequest request;
    request.model = argument.name;
    request.model_is_zoo = argument.is_zoo;
    OPBENCH_CHECK(set_extents(arguments, request));
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

TextTable table_of(const std::vector<OperatorEntry>& entries, bool has_models) {
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
    TextRow row{{entry.operator_text + (entry.is_known() ? "" : " (?)"), entry.shapes,
                 std::to_string(entry.count()), entry.flops ? scaled_text(*entry.flops) : "-",
                 entry.bytes ? scaled_text(*entry.bytes) : "-",
                 has_rate ? rate_text(*entry.flops / *entry.bytes) : "-",
                 entry.flops ? percent_text(sum > 0 ? entry.total_flops() / sum : 0) : "-"}};
    if (has_models) row.cells.push_back(models_text(entry));
    row.below.push_back(entry.is_known() ? entry.workload : entry.note);
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
    table.rows.push_back({{entry.operator_text, entry.shapes, std::to_string(entry.count()),
                           entry.flops ? exact_text(*entry.flops) : "-",
                           entry.bytes ? exact_text(*entry.bytes) : "-",
                           entry.flops ? exact_text(sum > 0 ? entry.total_flops() / sum : 0) : "-",
                           models_text(entry), entry.workload, entry.note}});
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

Result<void> run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format,
              arguments.choice("--format", {"table", "json", "csv", "md"}));
  OPBENCH_TRY(const std::vector<OperatorEntry> entries, entries_of(arguments));
  const bool has_models = arguments.positionals().size() > 1;
  if (format == "json" || format == "csv") {
    return write_table(exact_table(entries), "opbench.operators/1", "operators", arguments,
                       terminal);
  }
  const TextTable table = table_of(entries, has_models);
  if (format == "md") {
    return write_text(markdown_text(table), arguments, terminal);
  }
  const bool is_file = !arguments.value("--output").empty();
  const TextStyle style{!is_file && terminal.has_colour};
  return write_text(aligned_text(table, is_file ? 0 : terminal.width, style) + sum_line(entries),
                    arguments, terminal);
}

}  // namespace

CommandDef operators_command() {
  CommandDef command{
      .name = "operators",
      .summary = "Show what models consist of: unique workloads, how often, FLOPs, bytes",
      .positionals = {{.name = "MODEL",
                       .help = "ONNX files, or names from `opbench list models`",
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = table_options(),
      .examples = {{"opbench operators resnet-18", "each unit that our engine runs as one kernel"},
                   {"opbench operators resnet-18 mobilenet --format csv",
                    "several models together, for a spreadsheet"}},
      .help_rank = 2,
      .run = run};
  for (OptionDef& option : extent_options()) command.options.push_back(std::move(option));
  return command;
}

}  // namespace opbench
