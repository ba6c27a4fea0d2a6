#include "presentation/cli/compare/compare_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/errors/suggestion.h"
#include "engines/catalog/engine_choice.h"
#include "model/operators/workloads/workload.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/profile/profile_options.h"

namespace opbench {
namespace {

/// An option of `profile` that a side may have for itself: --base-threads, --new-threads.
struct SideOption {
  const char* name;
  const char* value_name;
  const char* help;
  OptionKind kind = OptionKind::kValue;
  bool is_hidden = false;
  FileUse file = FileUse::kNone;
};

constexpr std::array kSideOptions = {
    SideOption{"engine", "NAME", "the engine of this variant", OptionKind::kList},
    SideOption{"threads", "N", "threads of a call on this variant", OptionKind::kList},
    SideOption{"cpus", "N,N-N…", "where this variant's threads run", OptionKind::kList},
    SideOption{"batch-size", "N", "this variant's batch size; times are compared per batch item"},
    SideOption{"target", "TARGET", "what this variant's code is made for"},
    SideOption{"executor", "NAME", "how this variant runs the model"},
    SideOption{"fusion", "WORD", "whether this variant fuses nodes: on or off"},
    SideOption{.name = "plan",
               .value_name = "FILE",
               .help = "the plan that this variant follows",
               .file = FileUse::kRead},
    SideOption{"cache", "MODE", "what this variant's calls find in the caches"},
    SideOption{"dim", "NAME=N", "this variant's extent of a free dimension", OptionKind::kRepeated},
    SideOption{"shape", "NAME=D,D…", "this variant's extents", OptionKind::kRepeated},
    SideOption{.name = "model",
               .value_name = "MODEL",
               .help = "this variant's model",
               .file = FileUse::kRead},
    SideOption{.name = "tuning-log",
               .value_name = "FILE",
               .help = "this variant's kernels, as `opbench tune` found them",
               .file = FileUse::kRead},
    SideOption{"inject-fault", "UNIT=FAULT", "tests only", OptionKind::kValue, true},
};

constexpr std::array kSides = {"base", "new"};

std::string option_of(const char* side, const char* name) {
  return fmt::format("--{}-{}", side, name);
}

/// Two models rather than the words of a workload: a base and a new one.
bool names_two_models(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.positionals();
  return words.size() == 2 && resolve_model(words.front()).has_value();
}

/// What a side measures, before its own --base-model or --new-model.
std::string compare_options_subject_of(const Arguments& arguments, std::string_view side) {
  const std::vector<std::string>& words = arguments.positionals();
  if (names_two_models(arguments)) return side == "base" ? words.front() : words.back();
  return join(words, " ");
}

Result<void> compare_options_set_subject(const std::string& text, ProfileRequest& request) {
  if (!is_workload(text)) {
    OPBENCH_TRY(const ModelArgument model, resolve_model(text));
    request.model.name = model.name;
    request.model.is_zoo = model.is_zoo;
    return {};
  }
  const Result<Workload> workload = parse_workload(text);
  if (!workload) return Error(workload.error()).with("help", "opbench compare --help");
  request.model.workload = text_of(*workload);
  return {};
}

Result<VariantRequest> side_of(const Invocation& invocation, const char* side) {
  Invocation own = invocation;
  std::string subject = compare_options_subject_of(invocation.arguments, side);
  for (const SideOption& option : kSideOptions) {
    const std::string name = option_of(side, option.name);
    if (!invocation.arguments.has(name)) continue;
    const std::string plain = fmt::format("--{}", option.name);
    if (std::string_view(option.name) == "model") {
      subject = invocation.arguments.value(name);
    } else {
      own.arguments = own.arguments.with(plain, invocation.arguments.values(name));
    }
  }
  OPBENCH_TRY(ProfileRequest request, request_of(own));
  OPBENCH_CHECK(compare_options_set_subject(subject, request));
  if (request.engines.size() * request.threads.size() != 1) {
    return invalid_input(fmt::format("the {} variant names several engines or thread counts", side))
        .with("named", fmt::format("{} at {} threads", fmt::join(request.engines, ","),
                                   fmt::join(request.threads, ",")))
        .with("valid", "one of each, where --base… or --new… tells the variants apart");
  }
  VariantRequest variant = variant_of(std::move(request));
  variant.build = invocation.arguments.value(fmt::format("--{}", side));
  return variant;
}

/// Every engine at every thread count, the first of each being the base.
Result<std::vector<VariantRequest>> sides_of_lists(const Invocation& invocation) {
  OPBENCH_TRY(ProfileRequest request, request_of(invocation));
  OPBENCH_CHECK(
      compare_options_set_subject(join(invocation.arguments.positionals(), " "), request));
  std::vector<VariantRequest> sides;
  for (const std::string& engine : request.engines) {
    for (const int threads : request.threads) {
      VariantRequest side = variant_of(request);
      side.variant.engine = engine;
      side.variant.threads = threads;
      sides.push_back(std::move(side));
    }
  }
  if (sides.size() > 1) return sides;
  return invalid_input("there is only one variant, nothing to compare it with")
      .with("name two",
            "--engine halide,onnxruntime, --threads 1,2, --base ../main/opbench, "
            "--new-target 'llvm -mcpu=core-avx2'");
}

/// Units in the layouts that an engine runs them in, if all sides are of one engine that tells.
Result<UnitKind> units_of(const Arguments& arguments, const std::vector<VariantRequest>& sides) {
  OPBENCH_TRY(const std::string unit, arguments.choice("--unit", {"fused", "node"}));
  OPBENCH_TRY(const std::string conversions,
              arguments.choice("--conversions", {"auto", "counted", "apart"}));
  const bool tell_conversions = std::ranges::all_of(
      sides, [](const VariantRequest& side) { return takes_packages(side.variant.engine); });
  const bool can_be_apart = tell_conversions && unit == "fused";
  if (conversions == "apart" && !can_be_apart) {
    return invalid_input(
               fmt::format("--conversions apart needs --unit fused and {} for every variant",
                           package_engine().name))
        .with("reason", "other engines do not tell their layout conversions from the rest");
  }
  if (unit == "node") return UnitKind::kNode;
  return can_be_apart && conversions != "counted" ? UnitKind::kOwn : UnitKind::kFused;
}

Result<std::vector<VariantRequest>> sides_of(const Invocation& invocation) {
  if (!has_two_sides(invocation.arguments)) return sides_of_lists(invocation);
  std::vector<VariantRequest> sides;
  for (const char* name : kSides) {
    OPBENCH_TRY(VariantRequest side, side_of(invocation, name));
    sides.push_back(std::move(side));
  }
  return sides;
}

/// --base and --new
std::vector<OptionDef> build_options() {
  return {
      {.name = "--base",
       .value_name = "BUILD",
       .help =
           "the base variant's build: another opbench, the folder that holds it, or a git revision",
       .file = FileUse::kRead},
      {.name = "--new",
       .value_name = "BUILD",
       .help = "the same for the new variant",
       .file = FileUse::kRead},
  };
}

}  // namespace

std::vector<OptionDef> compare_options() {
  std::vector<OptionDef> options = build_options();
  for (const SideOption& option : kSideOptions) {
    for (const char* side : kSides) {
      options.push_back({.name = option_of(side, option.name),
                         .value_name = option.value_name,
                         .help = std::string(side) == "base" ? option.help : "the same",
                         .kind = option.kind,
                         .is_hidden = option.is_hidden,
                         .file = option.file});
    }
  }
  const std::vector<OptionDef> more = {
      {.name = "--unit",
       .value_name = "WORD",
       .help = "what a row is: fused (a node with the elementwise ones after it) or node",
       .otherwise = "fused"},
      {.name = "--conversions",
       .value_name = "WORD",
       .help = "layout conversions: counted in each unit, apart, or auto: apart where possible",
       .otherwise = "auto"},
      {.name = "--margin",
       .value_name = "PERCENT",
       .help = "a smaller difference does not matter; twice the A/A floor where that is more",
       .otherwise = "2"},
      {.name = "--strict",
       .help = "exit 4 when something stays inconclusive, or nothing got a verdict",
       .kind = OptionKind::kSwitch},
      {.name = "--force",
       .help = "compare what is not comparable, and say so",
       .kind = OptionKind::kSwitch},
  };
  options.insert(options.end(), more.begin(), more.end());
  for (OptionDef& option : measuring_options()) {
    const bool is_of_records = option.name == "--label" || option.name == "--metric";
    if (is_of_records) continue;
    const bool is_of_samples =
        option.name == "--runs" || option.name == "--warm-up" || option.name == "--percentile";
    if (is_of_samples) {
      option.missing = "compare makes rounds until its verdicts are decided; see --budget";
      option.is_hidden = true;
    }
    if (option.name == "--budget") {
      option.help = "time to measure at most, for each variant beside the base";
      option.otherwise = fmt::format("{}", CompareRequest{}.budget_s);
    }
    if (option.name == "--precision") {
      option.help = "half-width of a ratio's interval at which it is good enough";
    }
    options.push_back(std::move(option));
  }
  const std::vector<OptionDef> model = model_options();
  options.insert(options.end(), model.begin(), model.end());
  return options;
}

bool has_two_sides(const Arguments& arguments) {
  return names_two_models(arguments) || std::ranges::any_of(kSides, [&](const char* side) {
           return arguments.has(fmt::format("--{}", side)) ||
                  std::ranges::any_of(kSideOptions, [&](const SideOption& option) {
                    return arguments.has(option_of(side, option.name));
                  });
         });
}

Result<CompareRequest> compare_request_of(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  CompareRequest request;
  request.argv = invocation.argv;
  OPBENCH_TRY(request.sides, sides_of(invocation));
  OPBENCH_TRY(request.units, units_of(arguments, request.sides));
  OPBENCH_TRY(request.margin, arguments.percent("--margin"));
  OPBENCH_TRY(request.is_forced, arguments.is_on("--force"));
  const VariantRequest& base = request.sides.front();
  request.precision = base.measure.precision;
  request.budget_s = base.measure.budget_s;
  request.seed = base.model.seed;
  return request;
}

}  // namespace opbench
