#include "presentation/cli/profile/profile_options.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "engines/catalog/engine.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/sessions/model/expected_data.h"
#include "experiments/sessions/variant_device.h"
#include "machine/devices/device.h"
#include "machine/target/cuda_arch.h"
#include "machine/target/parse_target.h"
#include "machine/target/target.h"
#include "presentation/cli/options/download_flags.h"
#include "presentation/cli/options/extent_options.h"
#include "presentation/cli/options/plan_option.h"
#include "presentation/cli/options/tuning_log_option.h"
#include "presentation/cli/output/table_output.h"

namespace opbench {
namespace {

Error profile_options_not_available(const std::string& what, const std::string& reason) {
  return invalid_input(what + " is not available yet").with("reason", reason);
}

Result<void> check_engine_name(const std::string& name, const std::vector<UserEngine>& users) {
  std::vector<std::string> known = engine_table().names();
  for (const UserEngine& user : users) {
    if (std::ranges::find(known, user.name) == known.end()) known.push_back(user.name);
  }
  if (std::ranges::find(known, name) == known.end()) return unknown_name("engine", name, known);
  return {};
}

Result<void> check_user_engines(const std::vector<UserEngine>& users) {
  const std::vector<std::string> shipped = engine_table().names();
  for (const UserEngine& user : users) {
    const bool is_shipped = std::ranges::find(shipped, user.name) != shipped.end();
    if (user.command.empty() && !is_shipped) {
      return invalid_input("engine \"" + user.name + "\" has no command")
          .with("usage", "[engine." + user.name + "] command = [\"/path/to/engine\"]")
          .with("shipped", join(shipped));
    }
  }
  return {};
}

Result<std::string> profile_options_target_of(const Arguments& arguments) {
  std::string text = arguments.value("--target");
  OPBENCH_TRY(const Target target, parse_target(text));
  const bool is_cpu = device_type(target) == DeviceType::kCpu;
  if (is_cpu && target.kind != "llvm") {
    return profile_options_not_available("target \"" + target.kind + "\"",
                                         "of the CPU's targets only llvm, so far");
  }
  if (is_cpu) return text;
  OPBENCH_TRY(const FoundDevice device, device_of_target(target, arguments.value("--device")));
  const Target whole = with_arch(target, device.arch);
  return whole == target ? text : display_text(whole);
}

/// The engine of packages for the target, where the user names none.
Result<void> set_engine_of_target(const Arguments& arguments, ProfileRequest& request) {
  OPBENCH_TRY(const Target target, parse_target(request.settings.target));
  OPBENCH_CHECK(check_named_device(target, request.settings));
  if (arguments.has("--engine")) return {};
  request.engines = {package_engine_for(target).name};
  return {};
}

Result<std::string> executor_of(const Arguments& arguments) {
  std::vector<std::string> valid = {"default"};
  std::ranges::copy(package_engine().executors, std::back_inserter(valid));
  return arguments.choice("--executor", valid);
}

Result<CacheMode> cache_of(const Arguments& arguments) {
  OPBENCH_TRY(const std::string word,
              arguments.choice("--cache", {"hot", "cold-weights", "cold-all"}));
  return parse_cache_mode(word).value_or(CacheMode::kHot);
}

Result<std::map<std::string, double>> metrics_of(const Arguments& arguments) {
  OPBENCH_TRY(const auto texts, arguments.pairs("--metric"));
  std::map<std::string, double> metrics;
  for (const auto& [name, text] : texts) {
    const std::optional<double> value = parse_number(text);
    if (!value) return invalid_input("--metric " + name + " takes a number, not \"" + text + "\"");
    metrics[name] = *value;
  }
  return metrics;
}

Result<void> set_engines(const Invocation& invocation, ProfileRequest& request) {
  OPBENCH_CHECK(check_user_engines(invocation.settings.engines));
  request.hooks.user_engines = invocation.settings.engines;
  request.engines = invocation.arguments.values("--engine");
  for (const std::string& name : request.engines) {
    OPBENCH_CHECK(check_engine_name(name, request.hooks.user_engines));
    if (std::ranges::count(request.engines, name) > 1) {
      return invalid_input("--engine names \"" + name + "\" twice");
    }
  }
  request.measure.check_engine = invocation.arguments.value("--check");
  const bool is_engine = !request.measure.check_engine.empty() &&
                         request.measure.check_engine != "none" &&
                         !expected_folder(request.measure.check_engine);
  if (is_engine) {
    OPBENCH_CHECK(check_engine_name(request.measure.check_engine, request.hooks.user_engines));
  }
  return {};
}

Result<int64_t> count_of(const Arguments& arguments, const std::string& name) {
  constexpr int64_t kMost = 1000000;
  return arguments.has(name) ? arguments.integer(name, 1, kMost) : int64_t{0};
}

Result<std::vector<double>> percentiles_of(const Arguments& arguments) {
  std::vector<double> percentiles;
  for (const std::string& text : arguments.values("--percentile")) {
    const std::optional<double> percent = parse_number(text);
    if (!percent || *percent <= 0 || *percent >= 100) {
      return invalid_input("--percentile takes percent above 0 and below 100, not \"" + text + "\"")
          .with("usage", "--percentile 50,90,99");
    }
    if (std::ranges::find(percentiles, *percent) != percentiles.end()) {
      return invalid_input("--percentile names \"" + text + "\" twice");
    }
    percentiles.push_back(*percent);
  }
  return percentiles;
}

Result<void> set_model_options(const Arguments& arguments, ProfileRequest& request) {
  if (arguments.has("--batchsize")) {
    OPBENCH_TRY(request.model.extents.batch_size, arguments.integer("--batchsize", 1));
  }
  OPBENCH_CHECK(set_extents(arguments, request));
  OPBENCH_CHECK(set_download(arguments, request));
  if (arguments.has("--randomize-weights")) {
    OPBENCH_TRY(const int64_t seed, arguments.integer("--randomize-weights", 0));
    request.model.randomize_weights = static_cast<uint64_t>(seed);
  }
  if (!arguments.value("--executor").empty()) {
    OPBENCH_TRY(request.settings.executor, executor_of(arguments));
  }
  return set_plan(arguments, request);
}

/// How many samples, and what is said of them.
std::vector<OptionDef> sampling_options() {
  return {
      {.name = "--budget",
       .value_name = "TIME",
       .help = "to measure, for each engine and thread count, once all is prepared: seconds, or\n"
               "90s, 1.5m, 1h",
       .otherwise = "10"},
      {.name = "--precision",
       .value_name = "PERCENT",
       .help = "half-width of the interval at which a time is good enough",
       .otherwise = "1"},
      {.name = "--runs",
       .value_name = "N",
       .help = "samples of every row and model, in the place of --budget and --precision",
       .short_name = "-r"},
      {.name = "--warm-up",
       .value_name = "N",
       .help = "untimed calls before a process's first sample; default: until times are steady",
       .short_name = "-w",
       .old_name = "--warmup"},
      {.name = "--percentile",
       .value_name = "P,P…",
       .help = "percentiles to report, of single calls: 50,90,99",
       .kind = OptionKind::kList},
  };
}

/// Refuses `slow-PERCENT` with other percent than those that extra work is made for.
Result<void> check_slowdown(const std::string& fault) {
  constexpr double kMost = 1000;
  const std::optional<double> percent = parse_number(fault.substr(std::string("slow-").size()));
  if (percent && *percent >= 1 && *percent <= kMost) return {};
  return invalid_input("--inject-fault UNIT=slow-PERCENT takes 1 to 1000 percent, not \"" + fault +
                       "\"");
}

}  // namespace

Result<std::string> fault_of(const Arguments& arguments) {
  const std::string text = arguments.value("--inject-fault");
  if (text.empty()) return text;
  const size_t split_at = text.find('=');
  const std::optional<int64_t> unit = parse_integer(text.substr(0, split_at));
  const std::vector<std::string> known = {"crash",        "hang",          "out-of-bounds",
                                          "slow-PERCENT", "swap-channels", "wrong"};
  const std::string fault = split_at == std::string::npos ? "" : text.substr(split_at + 1);
  if (!unit || *unit < 0 || *unit > INT32_MAX) {
    return invalid_input("--inject-fault takes UNIT=FAULT, not \"" + text + "\"");
  }
  if (fault.starts_with("slow-")) {
    OPBENCH_CHECK(check_slowdown(fault));
    return text;
  }
  if (std::ranges::find(known, fault) == known.end()) return unknown_name("fault", fault, known);
  return text;
}

std::vector<OptionDef> measuring_options() {
  std::vector<OptionDef> options = {
      {.name = "--engine",
       .value_name = "NAME,NAME…",
       .help = "what runs the kernels; see `opbench list engines`; opencl for --target opencl",
       .otherwise = package_engine().name,
       .kind = OptionKind::kList},
      {.name = "--threads",
       .value_name = "N,N…",
       .help = "threads of a call; several: one result each",
       .otherwise = "1",
       .short_name = "-t",
       .kind = OptionKind::kList},
      {.name = "--cpus",
       .value_name = "N,N-N…",
       .help = "where they run, in this order; default: by the machine's topology",
       .kind = OptionKind::kList},
      {.name = "--target",
       .value_name = "TARGET",
       .help = "what code is made for: host, llvm, 'llvm -mcpu=core-avx2', opencl, cuda, @FILE",
       .otherwise = "host",
       .file = FileUse::kRead},
      {.name = "--device",
       .value_name = "NAME",
       .help = "that runs the target's code, of `list devices`: opencl:0, pocl:0; default: first"},
      {.name = "--fusion",
       .value_name = "WORD",
       .help = "of the halide engine: `on`, a unit is a node with the elementwise ones after it; "
               "`off`, every node is a unit",
       .otherwise = "on"},
      {.name = "--cache",
       .value_name = "MODE",
       .help = "what a call finds in the caches: hot, cold-weights, cold-all",
       .otherwise = "hot"},
      {.name = "--check",
       .value_name = "ENGINE",
       .help =
           "compare the results with this engine's; none: do not; expected:DIR: take inputs\n"
           "and expected outputs from files (input_0.pb, output_0.pb, …); default: onnxruntime"},
      {.name = "--seed", .value_name = "N", .help = "of the inputs' values", .otherwise = "0"},
  };
  for (const std::vector<OptionDef>& some : {tuning_log_options(), sampling_options()}) {
    options.insert(options.end(), some.begin(), some.end());
  }
  const std::vector<OptionDef> more = {
      {.name = "--label",
       .value_name = "KEY=VALUE",
       .help = "kept in reports and records; may be repeated",
       .kind = OptionKind::kRepeated},
      {.name = "--metric",
       .value_name = "NAME=NUMBER",
       .help = "a figure of yours, kept beside the times; may be repeated",
       .kind = OptionKind::kRepeated},
      {.name = "--inject-fault",
       .value_name = "UNIT=FAULT",
       .help = "tests only: crash, hang, out-of-bounds, slow-PERCENT, swap-channels, wrong",
       .is_hidden = true},
  };
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::vector<OptionDef> model_options() {
  std::vector<OptionDef> options = extent_options();
  options.push_back({.name = "--randomize-weights",
                     .value_name = "SEED",
                     .help = "put seeded values in the place of all weights"});
  options.push_back(
      {.name = "--executor",
       .value_name = "KIND",
       .help = "how the halide engine runs a model: `sequential`, kernels for its extents; `vm`, "
               "kernels for a range of the extents that are free; `concurrent`, units side by side "
               "by a plan; default: sequential, with --plan concurrent"});
  options.push_back(parallel_option());
  options.push_back(plan_option());
  for (OptionDef& flag : download_flags()) options.push_back(std::move(flag));
  return options;
}

std::vector<OptionDef> with_hidden(std::vector<OptionDef> options,
                                   const std::set<std::string>& names) {
  for (OptionDef& option : options) {
    if (names.contains(option.name)) option.is_hidden = true;
  }
  return options;
}

std::vector<OptionDef> worker_options(std::set<std::string> hidden) {
  hidden.insert({"--engine", "--cache", "--percentile", "--label", "--metric", "--executor",
                 "--plan", "--parallel", "--device"});
  std::vector<OptionDef> options = model_options();
  for (OptionDef& option : measuring_options()) {
    if (option.name == "--threads") {
      option.value_name = "N";
      option.help = "workers, a thread each; times of teams of 1, 2, 4 … N are needed";
      option.otherwise = "2";
    }
    options.push_back(std::move(option));
  }
  return with_hidden(std::move(options), hidden);
}

std::vector<OptionDef> output_options() {
  return {
      format_option(),
      {.name = "--output",
       .value_name = "FILE",
       .help = "write the report there, not to stdout",
       .short_name = "-o",
       .file = FileUse::kWritten},
      {.name = "--record",
       .value_name = "FILE",
       .help = "append records that `opbench replay` repeats, one JSON object a line",
       .file = FileUse::kWritten},
  };
}

Result<ProfileRequest> request_of(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  ProfileRequest request;
  request.notes.argv = invocation.argv;
  OPBENCH_CHECK(set_engines(invocation, request));
  OPBENCH_TRY(request.threads, arguments.integers("--threads", 1));
  OPBENCH_TRY(request.settings.cpus, arguments.integers("--cpus", 0));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  request.model.seed = static_cast<uint64_t>(seed);
  OPBENCH_TRY(request.measure.cache, cache_of(arguments));
  OPBENCH_TRY(request.measure.budget_s, arguments.seconds("--budget"));
  OPBENCH_TRY(request.measure.precision, arguments.percent("--precision"));
  OPBENCH_TRY(request.measure.runs, count_of(arguments, "--runs"));
  OPBENCH_TRY(request.measure.warm_up, count_of(arguments, "--warm-up"));
  OPBENCH_TRY(request.measure.percentiles, percentiles_of(arguments));
  OPBENCH_TRY(request.settings.target, profile_options_target_of(arguments));
  request.settings.device = arguments.value("--device");
  OPBENCH_CHECK(set_engine_of_target(arguments, request));
  OPBENCH_TRY(const std::string fusion, arguments.choice("--fusion", {"on", "off"}));
  request.settings.is_fused = fusion == "on";
  OPBENCH_TRY(request.notes.labels, arguments.pairs("--label"));
  OPBENCH_TRY(request.notes.metrics, metrics_of(arguments));
  OPBENCH_CHECK(set_model_options(arguments, request));
  OPBENCH_TRY(request.measure.inject_fault, fault_of(arguments));
  OPBENCH_CHECK(set_tuning_log(arguments, request));
  return request;
}

Result<RunRequest> run_request_of(const Invocation& invocation) {
  OPBENCH_TRY(ProfileRequest asked, request_of(invocation));
  return run_of(std::move(asked));
}

}  // namespace opbench
