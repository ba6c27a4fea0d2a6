#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <ostream>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "base/json/json_text.h"
#include "base/numbers/number.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/plan/plan_session.h"
#include "experiments/serve/serve_session.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/unit_times/unit_times.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/serve/serve_report.h"

namespace opbench {
namespace {

constexpr int kServeIndent = 1;
constexpr int64_t kMostQueries = 1000000;
constexpr int64_t kMostSeeds = 10000;
constexpr int64_t kMostSegments = 1000;
constexpr int64_t kMostInFlight = 1024;

Result<std::vector<double>> loads_of(const Arguments& arguments) {
  constexpr double kMost = 10;
  std::vector<double> loads;
  for (const std::string& text : arguments.values("--load")) {
    const std::optional<double> load = parse_number(text);
    if (!load || *load <= 0 || *load > kMost) {
      return invalid_input(fmt::format("--load takes shares of the capacity, not \"{}\"", text))
          .with("valid", "above 0, at most 10: 0.6,0.8,1");
    }
    loads.push_back(*load);
  }
  return loads;
}

Result<double> declared_slow_down(const Arguments& arguments) {
  constexpr double kMost = 100;
  const std::string text = arguments.value("--slow-down");
  const std::optional<double> factor = parse_number(text);
  if (factor && *factor >= 1 && *factor <= kMost) return *factor;
  return invalid_input(fmt::format("--slow-down takes a factor of 1 to 100, not \"{}\"", text));
}

Result<double> noise_of(const Arguments& arguments) {
  const std::string text = arguments.value("--noise");
  const std::optional<double> percent = parse_number(text);
  if (percent && *percent >= 0 && *percent <= 100) return *percent / 100;
  return invalid_input(fmt::format("--noise takes 0 to 100 percent, not \"{}\"", text));
}

Result<std::vector<std::string>> policies_of(const Arguments& arguments) {
  const std::vector<std::string> names = arguments.values("--policy");
  if (names == std::vector<std::string>{"all"}) return std::vector<std::string>{};
  for (const std::string& name : names) OPBENCH_CHECK(policy_table().find(name));
  return names;
}

Result<StudyOptions> study_options(const Arguments& arguments) {
  StudyOptions options;
  OPBENCH_TRY(options.loads, loads_of(arguments));
  OPBENCH_TRY(options.policies, policies_of(arguments));
  OPBENCH_TRY(options.queries.deadline, parse_deadline(arguments.value("--deadline")));
  OPBENCH_TRY(const int64_t queries, arguments.integer("--queries", 1, kMostQueries));
  OPBENCH_TRY(const int64_t seeds, arguments.integer("--seeds", 1, kMostSeeds));
  OPBENCH_TRY(const int64_t first_seed, arguments.integer("--first-seed", 0));
  OPBENCH_TRY(options.queries.noise, noise_of(arguments));
  options.queries.count = static_cast<int>(queries);
  options.queries.seed = static_cast<uint64_t>(first_seed);
  options.seeds = static_cast<int>(seeds);
  return options;
}

Result<ServeRequest> serve_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  ServeRequest request;
  OPBENCH_TRY(ProfileRequest asked, request_of(invocation));
  if (asked.threads.size() != 1) {
    return invalid_input("queries are served by one number of threads")
        .with("usage", "--threads 2");
  }
  request.workers = asked.threads.front();
  request.run = run_of(std::move(asked));
  OPBENCH_TRY(const int64_t segments, arguments.integer("--segments", 1, kMostSegments));
  request.most_segments = static_cast<int>(segments);
  OPBENCH_TRY(request.slow_down, declared_slow_down(arguments));
  request.is_measured = arguments.has("--real");
  OPBENCH_TRY(const int64_t in_flight, arguments.integer("--in-flight", 1, kMostInFlight));
  request.in_flight = static_cast<size_t>(in_flight);
  if (arguments.is_typed("--in-flight") && !request.is_measured) {
    return invalid_input("--in-flight is for queries that an engine serves")
        .with("usage", "--real");
  }
  OPBENCH_TRY(request.study, study_options(arguments));
  for (const std::string& text : arguments.positionals()) {
    OPBENCH_TRY(const ModelArgument model, resolve_model(text));
    request.models.push_back({model.name, model.is_zoo});
  }
  for (const std::string& name : arguments.values("--from")) {
    OPBENCH_TRY(std::string text, read_text_file(name));
    request.profiles.push_back({name, std::move(text)});
  }
  if (request.pairs.name = arguments.value("--pairs"); !request.pairs.name.empty()) {
    if (arguments.is_typed("--slow-down")) {
      return invalid_input("--slow-down and --pairs both say what neighbours cost");
    }
    OPBENCH_TRY(request.pairs.text, read_text_file(request.pairs.name));
  }
  return request;
}

std::string serve_report_of(const ServeResult& result, const std::string& format,
                            const Arguments& arguments, const Terminal& terminal) {
  if (format == "json") return json_text(serve_json(result), kServeIndent) + "\n";
  if (format == "csv") return csv_text(serve_table(result));
  if (format == "md") return markdown_text(serve_table(result));
  const TableForm form = table_form(arguments, terminal);
  return serve_text(result, form.width, form.style);
}

/// Each model is timed with every size of team, unless its times are given; an engine that serves
/// prepares them once more.
std::optional<WaitNotice> serve_waits(const ServeRequest& request, ProgressLine& progress) {
  constexpr int kProcesses = 3;
  if (!request.profiles.empty()) return {};
  const std::vector<int> teams = team_sizes(request.workers);
  std::vector<ProfileRequest> models;
  for (const ServedName& model : request.models) {
    ProfileRequest& profile =
        models.emplace_back(profile_of(request.run, {package_engine().name}, teams));
    profile.model.name = model.name;
    profile.model.is_zoo = model.is_zoo;
  }
  const auto runs = static_cast<double>(models.size() * teams.size());
  return WaitNotice(progress,
                    estimate_preparation("serve", models, kProcesses, request.is_measured ? 2 : 1),
                    runs * request.run.measure.budget_s);
}

Result<void> serve_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(check_table_options(arguments));
  OPBENCH_TRY(const std::string format, format_of(arguments));
  OPBENCH_TRY(ServeRequest request, serve_request(invocation));
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.run.hooks.cancel = &interruption.flag();
  std::optional<WaitNotice> waits = serve_waits(request, progress);
  request.run.hooks.progress = [&](const Progress& state) {
    waits ? waits->show(state) : progress.show(state);
  };
  const Result<ServeResult> result = run_serve(request, time_units);
  progress.clear();
  if (waits) waits->keep();
  if (!result) return Error(result.error());
  OPBENCH_CHECK(
      write_text(serve_report_of(*result, format, arguments, terminal), arguments, terminal));
  if (interruption.flag()) return Error{ErrorCode::kInterrupted, "interrupted"};
  return {};
}

std::vector<OptionDef> own_options() {
  return {
      {.name = "--load",
       .value_name = "L,L…",
       .help = "arrivals as a share of the capacity: what workers could serve that never wait",
       .otherwise = "0.8",
       .kind = OptionKind::kList},
      {.name = "--deadline",
       .value_name = "D",
       .help = "of a query after its arrival: 3x, times the time of its model alone, or 20ms",
       .otherwise = "3x"},
      {.name = "--policy",
       .value_name = "NAME,NAME…",
       .help = "all, or some of " + join(policy_table().names()),
       .otherwise = "all",
       .kind = OptionKind::kList},
      {.name = "--queries",
       .value_name = "N",
       .help = "of each simulation, drawn evenly from the models",
       .otherwise = "1000"},
      {.name = "--seeds",
       .value_name = "N",
       .help = "simulations with other arrivals; all policies get the same ones",
       .otherwise = "20"},
      {.name = "--first-seed",
       .value_name = "N",
       .help = "of the first simulation; the others count on",
       .otherwise = "0"},
      {.name = "--segments",
       .value_name = "N",
       .help = "of each model, or as many as it has units",
       .otherwise = "16"},
      {.name = "--noise",
       .value_name = "P",
       .help = "how much the times of a segment vary, in percent: declared, relative standard\n"
               "deviation",
       .otherwise = "5"},
      {.name = "--slow-down",
       .value_name = "X",
       .help = "by what factor a segment takes longer beside others: declared",
       .otherwise = "1"},
      {.name = "--pairs",
       .value_name = "FILE",
       .help = "learn that factor from a report of `opbench interference … --format json`",
       .is_settable = false,
       .file = FileUse::kRead},
      {.name = "--from",
       .value_name = "FILE,FILE…",
       .help = "times from a report of `opbench profile MODEL --threads 1,2 --format json` for "
               "each\nmodel, in their order; default: they are measured now",
       .kind = OptionKind::kList,
       .is_settable = false,
       .file = FileUse::kRead},
  };
}

std::vector<OptionDef> engine_options() {
  return {
      {.name = "--real",
       .help = "serve the same queries on an engine too, by the best variant of each policy: "
               "measured\nfigures beside the simulated ones; lasts as long as the arrivals",
       .kind = OptionKind::kSwitch},
      {.name = "--in-flight",
       .value_name = "N",
       .help = "queries of a model that have begun and not ended, at most: each keeps its values\n"
               "in memory; with --real",
       .otherwise = "16"},
  };
}

std::vector<OptionDef> serve_options() {
  std::vector<OptionDef> result = own_options();
  for (const auto& some : {engine_options(), worker_options({"--sha256"}), table_options()}) {
    result.insert(result.end(), some.begin(), some.end());
  }
  return result;
}

}  // namespace

CommandDef serve_command() {
  return {
      .name = "serve",
      .summary = "Serve several models under load: which policy answers most queries in time",
      .positionals = {{.name = "MODEL",
                       .help = "ONNX files or URLs, or names from `opbench list models`",
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = serve_options(),
      .examples = {{"opbench serve resnet-18 squeezenet_v1.1 --load 0.8 --deadline 3x --policy all",
                    "measure both models, simulate all policies"},
                   {"opbench serve resnet-18 squeezenet_v1.1 --from r.json,s.json --load 0.6,0.8,1",
                    "the same with times from reports, at three loads"},
                   {"opbench serve resnet-18 squeezenet_v1.1 --real --queries 200 --seeds 10",
                    "simulate, then serve the same queries on an engine"}},
      .notes =
          "Times are measured in the running models; arrivals, queues and all figures are\n"
          "simulated. With --real an engine with a worker on each CPU serves the same queries: "
          "the\n"
          "segments run, and a query's time is from its arrival to the end of its last segment.\n"
          "fcfs, sjf and edf serve whole queries, on all workers (wide) or one on each\n"
          "(side); `drop` gives up queries that cannot be in time any more. slack packs segments\n"
          "into the slack of the most urgent query; segments is edf asked after each segment. A\n"
          "violation is a query that is answered late or dropped.",
      .help_rank = 5,
      .run = serve_run};
}

}  // namespace opbench
