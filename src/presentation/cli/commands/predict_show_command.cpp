#include <ostream>

#include "prediction/predict/files/predictor_file.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/predict/predictor_card.h"
#include "presentation/cli/predict/predictor_option.h"

namespace opbench {
namespace {

Result<void> run_predict_show(const Invocation& invocation, Terminal& terminal) {
  OPBENCH_TRY(const PredictorChoice choice, predictor_choice(invocation.arguments));
  OPBENCH_TRY(const UnitPredictor predictor, chosen_predictor(choice));
  const std::string stale = staleness_of(predictor);
  if (!stale.empty()) terminal.err << "warning: " << stale << "\n";
  return write_predictor_card(predictor, invocation.arguments, terminal);
}

}  // namespace

CommandDef predict_show_command() {
  CommandDef command{.name = "predict show",
                     .summary = "Show what a predictor learnt from, and how far off it is",
                     .options = predictor_options(),
                     .examples = {{"opbench predict show --threads 2", ""}},
                     .help_rank = 63,
                     .run = run_predict_show};
  for (OptionDef& option : table_options()) command.options.push_back(std::move(option));
  return command;
}

}  // namespace opbench
