#include <ostream>

#include "base/errors/suggestion.h"
#include "model/zoo/zoo.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/table_output.h"

namespace opbench {
namespace {

Error wrong_use(std::string message) {
  return invalid_input(std::move(message))
      .with("usage", "opbench zoo list")
      .with("usage", "opbench zoo export NAME FILE");
}

Result<void> list_models(const Invocation& invocation, Terminal& terminal) {
  TextTable table{.columns = {{.header = "model"}, {.header = "source"}, {.header = "summary"}}};
  for (const ZooEntry& entry : zoo_entries()) {
    table.rows.push_back({{entry.name, entry.source, entry.summary}});
  }
  return write_list(table, "models", invocation.arguments, terminal);
}

Result<void> export_model(const Arguments& arguments, Terminal& terminal) {
  const std::vector<std::string>& words = arguments.positionals();
  OPBENCH_TRY(const int64_t batch_size, arguments.integer("--batch-size", 1));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  OPBENCH_CHECK(check_writable(words[2], "FILE"));
  OPBENCH_TRY(const std::string bytes, zoo_onnx(words[1], batch_size, static_cast<uint64_t>(seed)));
  OPBENCH_CHECK(write_output(words[2], bytes));
  if (!terminal.is_quiet) {
    terminal.err << "wrote " << words[2] << ": " << bytes.size() << " bytes\n";
  }
  return {};
}

Result<void> run_zoo(const Invocation& invocation, Terminal& terminal) {
  const std::vector<std::string>& words = invocation.arguments.positionals();
  const std::string& action = words[0];
  // Refuse bad numbers for every action, also for `list`, which does not use them.
  OPBENCH_CHECK(invocation.arguments.integer("--batch-size", 1));
  OPBENCH_CHECK(invocation.arguments.integer("--seed", 0));
  if (action == "list") {
    if (words.size() > 1) return wrong_use("unexpected argument \"" + words[1] + "\"");
    return list_models(invocation, terminal);
  }
  if (action != "export") return unknown_name("zoo action", action, {"list", "export"});
  if (words.size() != 3) return wrong_use("zoo export takes a name and a file");
  return export_model(invocation.arguments, terminal);
}

}  // namespace

CommandDef zoo_command() {
  std::vector<OptionDef> options = table_options();
  options.push_back({.name = "--batch-size",
                     .value_name = "N",
                     .help = "first extent of every input",
                     .otherwise = "1",
                     .short_name = "-b"});
  options.push_back(
      {.name = "--seed", .value_name = "N", .help = "of the weights", .otherwise = "0"});
  return {.name = "zoo",
          .summary = "List the built-in models, or write one as an ONNX file",
          .positionals = {{.name = "ACTION", .help = "list, or export NAME FILE"},
                          {.name = "NAME FILE",
                           .help = "the model and where to write it",
                           .is_required = false,
                           .repeats = true}},
          .options = options,
          .examples = {{"opbench zoo export resnet-18 resnet-18.onnx", "for other tools to read"},
                       {"opbench zoo list", ""}},
          .help_rank = 6,
          .run = run_zoo};
}

}  // namespace opbench
