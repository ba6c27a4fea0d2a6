#include "presentation/cli/analysis/sweep_setup.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/errors/suggestion.h"
#include "experiments/sweep/sweep_key.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/profile/profile_options.h"

namespace opbench {
namespace {

Result<void> refuse_model_options(const Invocation& invocation) {
  for (const OptionDef& option : model_options()) {
    const bool is_set = invocation.settings.defaults.contains(option.name.substr(2));
    if (!invocation.arguments.has(option.name) || is_set) continue;
    return invalid_input(option.name + " is for models")
        .with("valid", "--over batch=…, --over input.1=…; see opbench sweep --help");
  }
  return {};
}

/// A time end to end does not depend on it.
Result<void> refuse_cold_model(const Invocation& invocation, ProfileRequest& request) {
  if (request.measure.cache == CacheMode::kHot) return {};
  if (!invocation.settings.defaults.contains("cache")) {
    return invalid_input("--cache " + name_of(request.measure.cache) + " is for a workload")
        .with("reason", "inside a model a kernel finds what the one before it left in the caches");
  }
  request.measure.cache = CacheMode::kHot;
  return {};
}

Result<void> sweep_setup_set_subject(const Invocation& invocation, ProfileRequest& request) {
  const std::string text = join(invocation.arguments.positionals(), " ");
  if (!is_workload(text)) {
    OPBENCH_CHECK(refuse_cold_model(invocation, request));
    OPBENCH_TRY(const ModelArgument model, resolve_model(text));
    request.model.name = model.name;
    request.model.is_zoo = model.is_zoo;
    return {};
  }
  OPBENCH_CHECK(refuse_model_options(invocation));
  const Result<Workload> workload = parse_workload(text);
  if (!workload) return Error(workload.error()).with("help", "opbench sweep --help");
  request.model.workload = text_of(*workload);
  request.model.extents.shapes.clear();
  request.model.extents.dimensions.clear();
  request.model.inputs.clear();
  request.model.extents.batch_size = 0;
  return {};
}

/// A value that is given for all points, and a key that gives each point its own.
Result<void> refuse_fixed_keys(const Arguments& arguments, const std::vector<SweepKey>& keys) {
  for (const SweepKey& key : keys) {
    const bool is_batch = key.name == "batch" || key.name.ends_with(".0");
    const std::string option = is_batch ? "--batch-size" : "--" + key.name;
    if (!arguments.is_typed(option)) continue;
    return invalid_input(option + " " + join(arguments.values(option), ",") + " and --over " +
                         key.name + " set the same")
        .with("valid", "one of them");
  }
  return {};
}

/// The command that measures one point, but for what the plan adds: options that are lists, that
/// points set or that are about the report are left out.
std::vector<std::string> point_command(const std::vector<std::string>& argv, bool is_op) {
  constexpr std::array kLeftOut = {
      "--over",       "--engine", "--threads", "-t",        "--cache",    "--shape",  "--dim",
      "--batch-size", "-b",       "--output",  "-o",        "--format",   "--record", "--svg",
      "--continue",   "--chart",  "--probes",  "--measure", "--tolerance"};
  constexpr std::array kSwitches = {"--continue", "--chart", "--quiet", "-q"};
  const auto is_one_of = [](const auto& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
  };
  std::vector<std::string> words = {argv.front(), is_op ? "op" : "profile"};
  for (size_t i = 2; i < argv.size(); ++i) {
    const std::string name = argv[i].substr(0, argv[i].find('='));
    const bool has_value = name == argv[i] && !is_one_of(kSwitches, name) && i + 1 < argv.size();
    if (!name.starts_with("-")) {
      if (!is_op) words.push_back(argv[i]);
      continue;
    }
    const bool is_kept = !is_one_of(kLeftOut, name);
    if (is_kept) words.push_back(argv[i]);
    if (!has_value) continue;
    ++i;
    if (is_kept) words.push_back(argv[i]);
  }
  return words;
}

}  // namespace

Result<SweepSetup> sweep_setup_of(const Invocation& invocation) {
  SweepSetup setup;
  OPBENCH_TRY(setup.base, request_of(invocation));
  for (const std::string& text : invocation.arguments.values("--over")) {
    OPBENCH_TRY(SweepKey key, parse_over(text));
    setup.keys.push_back(std::move(key));
  }
  OPBENCH_CHECK(sweep_setup_set_subject(invocation, setup.base));
  OPBENCH_CHECK(refuse_fixed_keys(invocation.arguments, setup.keys));
  setup.base.notes.argv = point_command(invocation.argv, !setup.base.model.workload.empty());
  return setup;
}

}  // namespace opbench
