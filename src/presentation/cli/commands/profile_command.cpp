#include <algorithm>
#include <memory>

#include "experiments/predict/configured_ceilings.h"
#include "machine/ceilings/memory_neighbour.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/errors_option.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/options/plan_option.h"
#include "presentation/cli/profile/profile_findings.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/profile/profile_run.h"
#include "presentation/cli/seed/seed_tuning.h"

namespace opbench {
namespace {

/// The command line with one of several models.
std::vector<std::string> argv_of_one(const Invocation& invocation, const std::string& model) {
  std::vector<std::string> words = invocation.argv;
  const std::vector<std::string>& models = invocation.arguments.positionals();
  for (const std::string& other : models) {
    const auto word = std::ranges::find(words, other);
    if (other != model && word != words.end()) words.erase(word);
  }
  return words;
}

Result<void> check_profile_models(const std::vector<std::string>& models) {
  for (const std::string& model : models) {
    if (std::ranges::count(models, model) > 1) {
      return Error{ErrorCode::kInvalidInput, "\"" + model + "\" is named twice"};
    }
  }
  return {};
}

/// Starts what --neighbour asks for, beside the most threads of the request; null: nothing.
Result<std::unique_ptr<MemoryNeighbour>> neighbour_of(const Arguments& arguments,
                                                      ProfileRequest& request) {
  OPBENCH_TRY(const std::string kind, arguments.choice("--neighbour", {"none", kMemoryNeighbour}));
  if (kind == "none") return std::unique_ptr<MemoryNeighbour>();
  if (!request.settings.cpus.empty()) {
    return Error{ErrorCode::kInvalidInput, "--neighbour does not go with --cpus"}.with(
        "reason", "it takes the next CPU after those of the threads");
  }
  const int threads = std::ranges::max(request.threads);
  OPBENCH_TRY(const std::vector<int> cpus,
              cpus_of({.threads = threads, .has_memory_neighbour = true}));
  request.notes.labels[kNeighbourLabel] = kind;
  return MemoryNeighbour::start(cpus.back());
}

Result<void> profile_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string seed, seed_model(arguments, terminal));
  const std::vector<std::string> models =
      seed.empty() ? arguments.positionals() : std::vector{seed};
  if (models.empty()) {
    return Error{ErrorCode::kInvalidInput, "missing argument MODEL"}.with(
        "MODEL", "an ONNX file or its URL, or a name from `opbench list models`");
  }
  OPBENCH_CHECK(check_profile_models(models));
  if (models.size() > 1 && arguments.has("--sha256")) {
    return Error{ErrorCode::kInvalidInput, "--sha256 is of one file, and several models are named"};
  }
  OPBENCH_TRY(const SeedTuning tuning, seed_tuning(arguments));
  if (tuning.tunes || tuning.compares) {
    return run_seed_tuning(invocation, models.front(), tuning, terminal);
  }
  OPBENCH_TRY(ProfileRequest common, request_of(invocation));
  OPBENCH_TRY(common.measure.wants_errors, arguments.is_on("--errors"));
  OPBENCH_TRY(ReportPlan plan, report_plan(arguments));
  plan.argv = invocation.argv;
  plan.models = models;
  OPBENCH_TRY(plan.shows_memory, arguments.is_on("--memory"));
  OPBENCH_TRY(plan.findings, findings_plan(arguments, plan.format));
  std::vector<ProfileRequest> requests;
  for (const std::string& text : models) {
    OPBENCH_TRY(const ModelArgument model, resolve_model(text));
    ProfileRequest request = common;
    request.model.name = model.name;
    request.model.is_zoo = model.is_zoo;
    if (models.size() > 1) request.notes.argv = argv_of_one(invocation, text);
    OPBENCH_CHECK(find_plan(request, terminal));
    requests.push_back(std::move(request));
  }
  OPBENCH_TRY(const auto neighbour, neighbour_of(arguments, common));
  for (ProfileRequest& request : requests) request.notes.labels = common.notes.labels;
  return run_and_report(std::move(requests), plan, terminal);
}

}  // namespace

CommandDef profile_command() {
  CommandDef command{
      .name = "profile",
      .summary = "Time a model and each of its operators, with one or several engines",
      .positionals = {{.name = "MODEL",
                       .help = "an ONNX file or its URL, or a name from `opbench list models`; "
                               "several: one after\n"
                               "the other",
                       .is_required = false,
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = model_options(),
      .examples =
          {{"opbench profile resnet-18", "a built-in model with our kernels on one thread"},
           {"opbench profile model.onnx --threads 1,2 --engine halide,onnxruntime",
            "two engines at two thread counts, each operator beside its rivals"},
           {"opbench profile model.onnx --shape input=1,3,224,224 --format json -o out.json",
            "a model with free dimensions, for a program to read"},
           {"opbench profile https://host/model.tar.gz --sha256 HEX",
            "a model from the network; it is downloaded once"},
           {"opbench profile resnet-18 squeezenet_v1.1 --runs 100 --percentile 50,90",
            "two models, one after the other, and how far their times spread"},
           {"opbench profile resnet-18 --findings --try",
            "what to do first, what it should gain, and what it gains"},
           {"opbench profile resnet-18 --record runs.jsonl && opbench replay runs.jsonl",
            "keep records and repeat them later"}},
      .notes =
          "A row is what an engine runs as one kernel, all its occurrences together. `isolated`\n"
          "is one call measured by itself, `in model` one inside the running model; `total`\n"
          "is the in-model time of all occurrences. The options of OpBench's Python predecessor\n"
          "(--modelsource, --modelname, --batchsize, …) are understood too.",
      .help_rank = 1,
      .run = profile_run};
  command.options.push_back(
      {.name = "--memory",
       .value_name = "",
       .help = "list the memory that every engine takes, planned and resident",
       .kind = OptionKind::kSwitch});
  command.options.push_back(errors_option());
  command.options.push_back(
      {.name = "--neighbour",
       .value_name = "none|memory",
       .help = "memory: keep another CPU busy with memory meanwhile; records have the label",
       .otherwise = "none"});
  for (const auto& more :
       {findings_options(), measuring_options(), output_options(), seed_options()}) {
    command.options.insert(command.options.end(), more.begin(), more.end());
  }
  return command;
}

}  // namespace opbench
