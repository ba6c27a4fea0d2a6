#include <algorithm>

#include "experiments/fusion/fusion_rules.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/report/analysis/fusion_report.h"

namespace opbench {
namespace {

Result<FusionRequest> fusion_rules_request_of(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  FusionRequest request{.engines = arguments.values("--engine"),
                        .user_engines = invocation.settings.engines};
  OPBENCH_TRY(request.pairs, chosen_pairs(arguments.values("--pair")));
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 1, kMostThreads));
  request.threads = static_cast<int>(threads);
  OPBENCH_TRY(request.budget_s, arguments.seconds("--budget"));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  request.seed = static_cast<uint64_t>(seed);
  return request;
}

Result<void> write_fusion_rules_report(const std::vector<EngineFusion>& engines,
                                       const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format == "json") return write_text(fusion_json(engines), arguments, terminal);
  const TextTable table = fusion_table(engines);
  if (format == "csv") return write_text(csv_text(table), arguments, terminal);
  const TableForm form = table_form(arguments, terminal);
  const std::string text =
      format == "md" ? markdown_text(table) : aligned_text(table, form.width, form.style);
  return write_text(text + "\n" + fusion_summary(engines), arguments, terminal);
}

/// Pairs that could not be measured.
Result<void> fusion_rules_verdict_of(const std::vector<EngineFusion>& engines) {
  Error error{ErrorCode::kPartial, "some pairs could not be measured"};
  for (const EngineFusion& engine : engines) {
    for (const FusionRule& rule : engine.rules) {
      if (rule.failure.empty()) continue;
      error.facts.push_back({engine.engine + " " + rule.pair, rule.failure});
    }
  }
  if (!error.facts.empty()) return error;
  return {};
}

Result<void> run_fusion_rules(const Invocation& invocation, Terminal& terminal) {
  OPBENCH_CHECK(check_table_options(invocation.arguments));
  OPBENCH_TRY(FusionRequest request, fusion_rules_request_of(invocation));
  const Interruption interruption;
  ProgressLine line(terminal);
  request.cancel = &interruption.flag();
  request.progress = [&](const Progress& state) { line.show(state); };
  const Result<std::vector<EngineFusion>> engines = find_fusion_rules(request);
  line.clear();
  if (!engines) return Error(engines.error());
  OPBENCH_CHECK(write_fusion_rules_report(*engines, invocation.arguments, terminal));
  if (interruption.flag()) {
    return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is reported"};
  }
  return fusion_rules_verdict_of(*engines);
}

}  // namespace

CommandDef fusion_rules_command() {
  CommandDef command{
      .name = "fusion-rules",
      .summary = "Find out by timing which pairs of operators an engine runs as one",
      .options =
          {{.name = "--engine",
            .value_name = "NAME,NAME…",
            .help = "engines that run whole models, see `opbench list engines`",
            .otherwise = "halide",
            .kind = OptionKind::kList},
           {.name = "--pair",
            .value_name = "PAIR,PAIR…",
            .help = "only these: conv+relu,pool+relu (an unknown name lists all)",
            .kind = OptionKind::kList},
           {.name = "--threads", .value_name = "N", .help = "threads of a call", .otherwise = "1"},
           {.name = "--budget",
            .value_name = "TIME",
            .help = "of pure measuring, for each pair and engine",
            .otherwise = "4s"},
           {.name = "--seed", .value_name = "N", .help = "of the order", .otherwise = "0"}},
      .examples = {{"opbench fusion-rules --engine halide,onnxruntime",
                    "all pairs in two engines, beside what they say of themselves"},
                   {"opbench fusion-rules --pair conv+relu --format json", ""}},
      .notes =
          "Each operator is timed alone, and both one after the other. They count as fused when\n"
          "that saves more than half of the lighter one's time, as far as an interval tells.",
      .help_rank = 64,
      .run = run_fusion_rules};
  for (OptionDef& option : table_options()) command.options.push_back(std::move(option));
  return command;
}

}  // namespace opbench
