// Collaboration tuning: the choice for two units beside the better of both baselines.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/json/json.h"
#include "benchmarks/common/program_run.h"
#include "benchmarks/together/part.h"

namespace opbench {
namespace {

struct TunedPair {
  const char* kind;  ///< what is beside what
  const char* first;
  const char* second;
};

constexpr const char* kConvolution = "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1";
constexpr const char* kDeepConvolution = "conv2d 1x256x14x14 w:256x256x3x3 pads=1,1,1,1";
constexpr const char* kMatrix = "dense 1x2048 w:2048x2048";

/// Memory beside computing, of equal and of unequal lengths, and alike pairs.
constexpr TunedPair kPairs[] = {
    {"memory, computing", "relu 1x64x256x256", "matmul 512x512 w:512x512"},
    {"memory, computing", "relu 1x64x256x256", kConvolution},
    {"memory, computing", kMatrix, "matmul 512x512 w:512x512"},
    {"memory, computing", kMatrix, kDeepConvolution},
    {"memory, computing", "softmax 1024x1000", kConvolution},
    {"memory, computing", "add 1x64x128x128 1x64x128x128", "matmul 256x1024 w:1024x512"},
    {"memory, memory", "relu 1x64x128x128", "softmax 1024x1000"},
    {"memory, memory", kMatrix, kMatrix},
    {"computing, computing", kConvolution, kConvolution},
    {"computing, computing", kConvolution, kDeepConvolution},
    {"computing, computing", "matmul 512x512 w:512x512", kDeepConvolution},
    {"short", "matmul 64x256 w:256x256", "conv2d 1x32x14x14 w:32x32x3x3 pads=1,1,1,1"},
};

constexpr double kGain = 1.05, kWantedTuningShare = 0.2;

struct TogetherTuningTally {
  int pairs = 0, slower = 0, gained = 0, failed = 0;
};

std::string together_tuning_text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : "-";
}

/// `0.931 [0.912, 0.950]`
std::string ratio_text(const Json& ratio) {
  if (!ratio.is_object()) return "-";
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.at("median").get<double>(),
                     ratio.at("low").get<double>(), ratio.at("high").get<double>());
}

void note(const TunedPair& pair, const Json& result, TogetherTuningTally& tally, Report& report) {
  const Json& candidates = result.at("candidates");
  const Json& choice = result.at("choice");
  const size_t chosen = choice.at("candidate"), baseline = result.at("better_baseline");
  const double speedup = choice.at("speed_up");
  ++tally.pairs;
  tally.gained += speedup >= kGain ? 1 : 0;
  report.note(fmt::format("{}: {} | {}", pair.kind, pair.first, pair.second));
  for (const Json& one : candidates) {
    report.note(fmt::format(
        "  {}{}: over sequential {} {}", one.at("arrangement").get<std::string>(),
        one.at("baseline").is_null() ? "" : " (baseline)", ratio_text(one.at("over_sequential")),
        together_tuning_text_of(one.at("verdict"))));
  }
  const Json& judgement = result.at("judgement");
  if (judgement.is_object()) {
    const std::string verdict = together_tuning_text_of(judgement.at("verdict"));
    const bool is_published = chosen == judgement.at("candidate");
    tally.slower += is_published && verdict == "slower" ? 1 : 0;
    report.note(
        fmt::format("  measured again: {} over {}: {} {}",
                    together_tuning_text_of(
                        candidates.at(judgement.at("candidate").get<size_t>()).at("arrangement")),
                    together_tuning_text_of(candidates.at(baseline).at("baseline")),
                    ratio_text(judgement.at("over_baseline")), verdict));
  }
  report.note(fmt::format("  choice: {}, {:.3f} x the better baseline",
                          together_tuning_text_of(candidates.at(chosen).at("arrangement")),
                          speedup));
}

Result<void> run_together_tuning(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const double budget_s, arguments.positive("--budget"));
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  TogetherTuningTally tally;
  int number = 0;
  for (const TunedPair& pair : kPairs) {
    const std::string log = (folder.path() / fmt::format("pair-{}.log", number++)).string();
    const ProgramCommand command{
        .argv = {opbench_path(), "tune", "--together", pair.first, pair.second, "--budget",
                 fmt::format("{}", budget_s), "--log", log, "--format", "json", "-q"},
        .environment = {{"OPBENCH_STORE", (folder.path() / "store").string()}},
        .cpus = {}};
    OPBENCH_TRY(const ProgramRun run, run_to_end(command));
    if (run.exit_code != 0) {
      ++tally.failed;
      report.note(fmt::format("{} | {}: exit code {}: {}", pair.first, pair.second, run.exit_code,
                              run.err));
      continue;
    }
    OPBENCH_TRY(const Json result, parse_json(run.out, "the report of a pair"));
    note(pair, result, tally, report);
  }
  report.add(
      {"together tuning: choices with the verdict slower", static_cast<double>(tally.slower), 0});
  report.add({"together tuning: pairs without a report", static_cast<double>(tally.failed), 0});
  report.note(fmt::format("at least {:.2f} x on {} of {} pairs (aim: {:.0f} %)", kGain,
                          tally.gained, tally.pairs, kWantedTuningShare * 100));
  return {};
}

}  // namespace

TogetherPart tuning_part() {
  return {.name = "tuning",
          .summary = "configs and arrangements of two units, beside both baselines",
          .run = run_together_tuning};
}

}  // namespace opbench
