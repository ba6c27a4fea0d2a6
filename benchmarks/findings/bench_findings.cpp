// `./dev bench findings`: findings of models in several configurations, each tried: the gain that
// was expected beside the one that was measured.
#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/common/benchmark.h"
#include "experiments/findings/findings_session.h"

namespace opbench {
namespace {

/// A way to run a model that leaves something to find.
struct FindingSetting {
  const char* name;
  void (*set)(ProfileRequest& request);
};

constexpr FindingSetting kSettings[] = {
    {"for AVX2", [](ProfileRequest& r) { r.settings.target = "llvm -mcpu=core-avx2"; }},
    {"for SSE4.2", [](ProfileRequest& r) { r.settings.target = "llvm -mcpu=nehalem"; }},
    {"not fused", [](ProfileRequest& r) { r.settings.is_fused = false; }},
    {"beside onnxruntime",
     [](ProfileRequest& r) {
       r.engines = {"halide", "onnxruntime"};
     }},
    {"onnxruntime",
     [](ProfileRequest& r) {
       r.engines = {"onnxruntime", "halide"};
     }},
};

ProfileRequest request_of_model(const std::string& model, double budget_s) {
  ProfileRequest request;
  request.model.name = model;
  request.model.is_zoo = true;
  request.measure.budget_s = budget_s;
  request.measure.check_engine = "none";
  request.notes.argv = {"opbench", "profile", model};
  return request;
}

struct Counts {
  int pairs = 0, large = 0, inside = 0, wide = 0;
};

void count_pair(const Finding& one, Counts& counts) {
  constexpr double kLarge = 3, kNarrow = 2;
  if (!one.measured_gain_pct) return;
  const double gain = *one.measured_gain_pct;
  ++counts.pairs;
  counts.large += gain > kLarge ? 1 : 0;
  counts.inside += gain >= one.gain_low_pct && gain <= one.gain_high_pct ? 1 : 0;
  const double width = one.gain_high_pct - one.gain_low_pct;
  constexpr double kRounding = 1e-9;
  counts.wide += width > std::max(one.expected_pct(), kNarrow) + kRounding ? 1 : 0;
}

Result<void> try_all(const std::string& model, const FindingSetting& setting, double budget_s,
                     Report& report, Counts& counts) {
  ProfileRequest request = request_of_model(model, budget_s);
  setting.set(request);
  OPBENCH_TRY(FoundProfile found, profile_with_findings(request, std::nullopt));
  for (Proposal& proposal : found.proposals) {
    // Branches side by side need a plan, which the command makes.
    if (has_streams(proposal.trial.settings)) continue;
    OPBENCH_CHECK(try_proposal(request, proposal));
    const Finding& one = proposal.finding;
    count_pair(one, counts);
    const std::string measured = one.measured_gain_pct
                                     ? fmt::format("{:.1f} %", *one.measured_gain_pct)
                                     : one.not_measured.value_or("no gain");
    report.note(fmt::format("{:18} {:18} {:34} expected {:5.1f} to {:5.1f} %, measured {}", model,
                            setting.name, one.finding, one.gain_low_pct, one.gain_high_pct,
                            measured));
  }
  return {};
}

Result<void> findings_run(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const double budget_s, arguments.seconds("--budget"));
  Counts counts;
  for (const std::string& model : arguments.values("--models")) {
    for (const FindingSetting& setting : kSettings) {
      Report::progress(fmt::format("{} {}", model, setting.name));
      const auto tried = try_all(model, setting, budget_s, report, counts);
      if (!tried) report.note(model + ": " + tried.error().message);
    }
  }
  report.note(fmt::format("{} pairs, {} of them with a gain above 3 %, {} inside", counts.pairs,
                          counts.large, counts.inside));
  report.add({.bar = "share of pairs outside the expected interval",
              .value = counts.pairs > 0 ? 1 - static_cast<double>(counts.inside) / counts.pairs : 1,
              .limit = 0.2});
  report.add({.bar = "intervals wider than the gain and two points",
              .value = static_cast<double>(counts.wide),
              .limit = 0});
  report.add({.bar = "pairs that 20 exceed", .value = 20.0 - counts.pairs, .limit = 0});
  report.add({.bar = "gains above 3 % that 10 exceed", .value = 10.0 - counts.large, .limit = 0});
  return {};
}

}  // namespace
}  // namespace opbench

int bench_findings_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "findings",
      .summary = "findings of models, the gain that was expected beside the one that trying gave",
      .options = {{.name = "--models",
                   .value_name = "NAME,NAME…",
                   .help = "of the zoo",
                   .otherwise = "squeezenet_v1.1,resnet-18,mobilenet_v2,alexnet,densenet-121",
                   .kind = opbench::OptionKind::kList},
                  {.name = "--budget",
                   .value_name = "TIME",
                   .help = "of each profile and each trial",
                   .otherwise = "4"}},
      .run = opbench::findings_run};
  return opbench::run_benchmark(benchmark, argc, argv);
}
