#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <ostream>

#include "opbench/analysis/model_source.h"
#include "opbench/base/json.h"
#include "opbench/base/suggestion.h"
#include "opbench/cli/command.h"
#include "opbench/cli/model_argument.h"
#include "opbench/cli/output_file.h"
#include "opbench/cli/profile_options.h"
#include "opbench/cli/table_output.h"
#include "opbench/passes/passes.h"
#include "opbench/report/number_text.h"

namespace opbench {
namespace {

/// One workload and how often the models contain it.
struct Entry {
  Workload workload;
  std::map<std::string, int64_t> counts;  ///< by model
  double flops = 0;                       ///< of one call
  double bytes = 0;

  int64_t count() const {
    int64_t sum = 0;
    for (const auto& [model, count] : counts) sum += count;
    return sum;
  }
  double total_flops() const { return flops * static_cast<double>(count()); }
};

Result<std::vector<Unit>> units_of(const ModelArgument& argument, const Arguments& arguments) {
  ProfileRequest request;
  request.model = argument.name;
  request.model_is_zoo = argument.is_zoo;
  if (arguments.has("--batch-size")) {
    OPBENCH_TRY(request.batch_size, arguments.integer("--batch-size", 1));
  }
  OPBENCH_TRY(request.shapes, shapes_of(arguments));
  OPBENCH_TRY(Model model, load_model(request));
  OPBENCH_CHECK(infer_types(model));
  OPBENCH_CHECK(fold_constants(model));
  OPBENCH_CHECK(fold_batch_norms(model));
  OPBENCH_CHECK(infer_types(model));
  return fuse(model);
}

Result<std::vector<Entry>> entries_of(const Arguments& arguments) {
  std::map<std::string, Entry> by_text;
  for (const std::string& text : arguments.positionals()) {
    OPBENCH_TRY(const ModelArgument argument, resolve_model(text));
    Result<std::vector<Unit>> units = units_of(argument, arguments);
    if (!units) return Error(units.error()).with("in", text);
    for (Unit& unit : *units) {
      const auto [it, is_new] = by_text.try_emplace(text_of(unit.workload));
      if (is_new) {
        it->second.flops = flops_of(unit.workload);
        it->second.bytes = bytes_of(unit.workload);
        it->second.workload = std::move(unit.workload);
      }
      ++it->second.counts[text];
    }
  }
  std::vector<Entry> entries;
  for (auto& [text, entry] : by_text) entries.push_back(std::move(entry));
  std::ranges::stable_sort(entries, std::greater<>(), &Entry::total_flops);
  return entries;
}

double sum_of_flops(const std::vector<Entry>& entries) {
  double sum = 0;
  for (const Entry& entry : entries) sum += entry.total_flops();
  return sum;
}

std::string models_text(const Entry& entry) {
  std::vector<std::string> parts;
  for (const auto& [model, count] : entry.counts) {
    parts.push_back(model + " × " + std::to_string(count));
  }
  return join(parts);
}

TextTable table_of(const std::vector<Entry>& entries, bool has_models) {
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
  for (const Entry& entry : entries) {
    TextRow row{{operator_text(entry.workload), short_shapes(entry.workload),
                 std::to_string(entry.count()), scaled_text(entry.flops), scaled_text(entry.bytes),
                 entry.bytes > 0 ? rate_text(entry.flops / entry.bytes) : "-",
                 percent_text(sum > 0 ? entry.total_flops() / sum : 0)}};
    if (has_models) row.cells.push_back(models_text(entry));
    row.below.push_back(text_of(entry.workload));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// All numbers in full, for programs.
TextTable exact_table(const std::vector<Entry>& entries) {
  TextTable table;
  table.columns = {{.header = "operator"},
                   {.header = "shapes"},
                   {.header = "count", .is_right_aligned = true},
                   {.header = "flops", .is_right_aligned = true},
                   {.header = "bytes", .is_right_aligned = true},
                   {.header = "share", .is_right_aligned = true},
                   {.header = "models"},
                   {.header = "workload"}};
  const double sum = sum_of_flops(entries);
  for (const Entry& entry : entries) {
    table.rows.push_back(
        {{operator_text(entry.workload), short_shapes(entry.workload),
          std::to_string(entry.count()), exact_text(entry.flops), exact_text(entry.bytes),
          exact_text(sum > 0 ? entry.total_flops() / sum : 0), models_text(entry),
          text_of(entry.workload)}});
  }
  return table;
}

std::string sum_line(const std::vector<Entry>& entries) {
  int64_t units = 0;
  for (const Entry& entry : entries) units += entry.count();
  return "\n" + std::to_string(entries.size()) + " workloads in " + std::to_string(units) +
         " units, " + scaled_text(sum_of_flops(entries)) + "FLOP\n";
}

Result<void> run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format,
              arguments.choice("--format", {"table", "json", "csv", "md"}));
  OPBENCH_TRY(const std::vector<Entry> entries, entries_of(arguments));
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
                       .repeats = true}},
      .options = table_options(),
      .examples = {{"opbench operators resnet-18", "each unit that our engine runs as one kernel"},
                   {"opbench operators resnet-18 mobilenet --format csv",
                    "several models together, for a spreadsheet"}},
      .help_rank = 2,
      .run = run};
  for (const OptionDef& option : model_options()) {
    if (option.name == "--batch-size" || option.name == "--shape") {
      command.options.push_back(option);
    }
  }
  return command;
}

}  // namespace opbench
