#include "base/errors/suggestion.h"
#include "model/operators/workloads/workload.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/errors_option.h"
#include "presentation/cli/profile/profile_findings.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/profile/profile_run.h"

namespace opbench {
namespace {

Result<void> run_op(const Invocation& invocation, Terminal& terminal) {
  OPBENCH_TRY(ProfileRequest request, request_of(invocation));
  OPBENCH_TRY(request.measure.wants_errors, invocation.arguments.is_on("--errors"));
  OPBENCH_TRY(ReportPlan plan, report_plan(invocation.arguments));
  // The words of a workload without quotes come one by one.
  const Result<Workload> workload = parse_workload(join(invocation.arguments.positionals(), " "));
  if (!workload) return Error(workload.error()).with("help", "opbench op --help");
  request.model.workload = text_of(*workload);
  OPBENCH_TRY(request.model.layouts, invocation.arguments.integers("--layouts", 0));
  plan.argv = invocation.argv;
  OPBENCH_TRY(plan.findings, findings_plan(invocation.arguments, plan.format));
  return run_and_report({std::move(request)}, plan, terminal);
}

}  // namespace

CommandDef op_command() {
  CommandDef command{
      .name = "op",
      .summary = "Time one isolated operator; `profile` prints such a line beside every row",
      .positionals = {{.name = "WORKLOAD",
                       .help = "operators with their tensors: 'conv2d 1x64x56x56 w:64x64x3x3 "
                               "pads=1,1,1,1; relu'",
                       .repeats = true}},
      .options = measuring_options(),
      .examples =
          {{"opbench op 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu' --engine halide,onednn",
            "a convolution with ReLU, two engines side by side"},
           {"opbench op 'dense 1x512 w:1000x512 w:1000 transB=1' --threads 1,2 --cache "
            "cold-weights",
            "a dense layer whose weights come from memory"}},
      .notes =
          "Steps are separated by `; `; each reads the result of the one before. An operand is\n"
          "SHAPE or SHAPE:TYPE (float32 when left out), `w:` before it marks a weight, `_` is\n"
          "an omitted one, `=V,V:TYPE` a constant, `%` the result of the step before.",
      .help_rank = 3,
      .run = run_op};
  command.options.push_back(
      {.name = "--layouts",
       .value_name = "N,N…",
       .help = "channels in a block of each operand but weights, then of the output; 0: dense",
       .kind = OptionKind::kList,
       .repeats_items = true});
  command.options.push_back(errors_option());
  for (const auto& more : {findings_options(), output_options()}) {
    command.options.insert(command.options.end(), more.begin(), more.end());
  }
  return command;
}

}  // namespace opbench
