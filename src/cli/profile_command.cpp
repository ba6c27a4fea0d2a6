#include "opbench/cli/command.h"
#include "opbench/cli/model_argument.h"
#include "opbench/cli/profile_options.h"
#include "opbench/cli/profile_run.h"
#include "opbench/cli/seed_tuning.h"

namespace opbench {
namespace {

Result<void> run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(std::string model_text, seed_model(arguments, terminal));
  if (model_text.empty()) {
    if (arguments.positionals().empty()) {
      return Error{ErrorCode::kInvalidInput, "missing argument MODEL"}.with(
          "MODEL", "an ONNX file, or a name from `opbench list models`");
    }
    model_text = arguments.positionals().front();
  }
  OPBENCH_TRY(const SeedTuning tuning, seed_tuning(arguments));
  if (tuning.tunes || tuning.compares) {
    return run_seed_tuning(invocation, model_text, tuning, terminal);
  }
  OPBENCH_TRY(ProfileRequest request, request_of(invocation));
  OPBENCH_TRY(const ReportPlan plan, report_plan(arguments));
  OPBENCH_TRY(const ModelArgument model, resolve_model(model_text));
  request.model = model.name;
  request.model_is_zoo = model.is_zoo;
  return run_and_report(std::move(request), plan, terminal);
}

}  // namespace

CommandDef profile_command() {
  CommandDef command{
      .name = "profile",
      .summary = "Time a model and each of its operators, with one or several engines",
      .positionals = {{.name = "MODEL",
                       .help = "an ONNX file, or a name from `opbench list models`",
                       .is_required = false}},
      .options = model_options(),
      .examples =
          {{"opbench profile resnet-18", "a built-in model with our kernels on one thread"},
           {"opbench profile model.onnx --threads 1,2 --engine halide,onnxruntime",
            "two engines at two thread counts, each operator beside its rivals"},
           {"opbench profile model.onnx --shape input=1,3,224,224 --format json -o out.json",
            "a model with free dimensions, for a program to read"},
           {"opbench profile resnet-18 --record runs.jsonl && opbench replay runs.jsonl",
            "keep records and repeat them later"}},
      .notes =
          "A row is what an engine runs as one kernel, all its occurrences together. `alone`\n"
          "is one call measured by itself, `in place` one inside the running model; `total`\n"
          "is in place over all occurrences. The options of OpBench's Python predecessor\n"
          "(--modelsource, --modelname, --batchsize, …) are understood too.",
      .help_rank = 1,
      .run = run};
  for (const auto& more : {measuring_options(), output_options(), seed_options()}) {
    command.options.insert(command.options.end(), more.begin(), more.end());
  }
  return command;
}

}  // namespace opbench
