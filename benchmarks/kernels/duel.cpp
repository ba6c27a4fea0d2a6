#include "benchmarks/kernels/duel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <thread>

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/numbers/hash.h"
#include "benchmarks/common/program_run.h"
#include "benchmarks/kernels/operand_reads.h"
#include "machine/ceilings/ceilings.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

std::string program() { return (executable_folder() / "autoscheduled-duel").string(); }

/// One kernel of an autoscheduler.
struct Compilation {
  std::string autoscheduler;
  OperandReads reads = OperandReads::kDirect;
  std::string spec;
  fs::path object;

  /// Where the reason stands when there is no object.
  fs::path refusal() const { return object.string() + ".reason"; }

  bool is_kept() const {
    std::error_code ignored;
    return fs::exists(object, ignored);
  }
};

std::vector<Compilation> compilations_of(const KernelContender& contender,
                                         const std::string& autoscheduler,
                                         const AutoschedulerOptions& options) {
  std::vector<Compilation> list;
  for (const OperandReads reads : operand_reads(contender.spec.workload)) {
    const std::string key =
        fmt::format("{}|{}|{}|{}|{}|{}", contender.shape.workload, contender.shape.target,
                    autoscheduler, options.threads, options.beam, name_of(reads));
    list.push_back(
        {autoscheduler, reads, text_of(contender.spec), options.objects / (sha256(key) + ".o")});
  }
  return list;
}

/// What the program printed; its own words for a reason when it did not end well.
Json answer_of(const Result<ProgramRun>& run) {
  const auto refused = [](const std::string& reason) { return Json{{"reason", reason}}; };
  if (!run) return refused(run.error().message);
  constexpr int kSignals = 128;
  if (run->exit_code > kSignals) {
    return refused(fmt::format("it was killed by signal {}", run->exit_code - kSignals));
  }
  const size_t begin = run->out.rfind("\n{");
  if (run->exit_code == 0 && begin != std::string::npos) {
    const auto json = parse_json(run->out.substr(begin + 1), "what autoscheduled-duel printed");
    return json ? *json : refused(json.error().message);
  }
  const std::string reason = run->err.substr(0, run->err.find('\n'));
  return refused(reason.empty() ? fmt::format("it ended with code {}", run->exit_code) : reason);
}

Result<void> compile(const Compilation& compilation, const AutoschedulerOptions& options, int cpu) {
  constexpr double kMostSeconds = 300;
  const fs::path unfinished = compilation.object.string() + ".unfinished";
  const Json answer = answer_of(run_to_end(
      {.argv = {program(), "compile", compilation.autoscheduler, std::to_string(options.threads),
                name_of(compilation.reads), compilation.spec, unfinished.string()},
       .environment = {{"HL_BEAM_SIZE", std::to_string(options.beam)}},
       .cpus = {cpu},
       .limit_s = kMostSeconds}));
  std::error_code failure;
  if (!answer.contains("reason")) fs::rename(unfinished, compilation.object, failure);
  if (!answer.contains("reason") && !failure) return {};
  return write_file(compilation.refusal(), answer.value("reason", failure.message()));
}

/// The kept objects, or the first reason why there is none.
Result<std::vector<std::string>> objects_of(const std::vector<Compilation>& compilations) {
  std::vector<std::string> objects;
  std::error_code ignored;
  for (const Compilation& one : compilations) {
    if (fs::exists(one.object, ignored)) objects.push_back(one.object.string());
  }
  if (!objects.empty()) return objects;
  OPBENCH_TRY(std::string reason, read_file(compilations.front().refusal()));
  return Error{ErrorCode::kSystem, std::move(reason)};
}

Json timed_duel(const std::string& autoscheduler, const KernelContender& contender,
                const ContestOptions& options, const AutoschedulerOptions& theirs,
                const std::vector<int>& cpus) {
  constexpr double kMostSeconds = 60;
  const auto objects = objects_of(compilations_of(contender, autoscheduler, theirs));
  if (!objects) return {{"reason", objects.error().message}};
  std::vector<std::string> words = {program(), "time", std::to_string(options.threads),
                                    fmt::format("{}", options.budget_s), text_of(contender.spec)};
  words.insert(words.end(), objects->begin(), objects->end());
  return answer_of(run_to_end({.argv = words, .cpus = cpus, .limit_s = kMostSeconds}));
}

}  // namespace

Result<void> compile_ahead(std::span<const KernelContender> contenders,
                           const std::vector<std::string>& autoschedulers,
                           const AutoschedulerOptions& options) {
  OPBENCH_CHECK(make_writable_folder(options.objects));
  std::vector<Compilation> missing;
  for (const KernelContender& contender : contenders) {
    for (const std::string& autoscheduler : autoschedulers) {
      for (Compilation& one : compilations_of(contender, autoscheduler, options)) {
        if (!one.is_kept()) missing.push_back(std::move(one));
      }
    }
  }
  if (!missing.empty()) {
    Report::progress(fmt::format("autoschedulers compile {} kernels", missing.size()));
  }
  std::atomic<size_t> next = 0;
  std::atomic<bool> is_written = true;
  {
    std::vector<std::jthread> workers;
    for (const int cpu : current_affinity()) {
      workers.emplace_back([&, cpu] {
        for (size_t i = next++; i < missing.size(); i = next++) {
          if (!compile(missing[i], options, cpu)) is_written = false;
        }
      });
    }
  }
  if (is_written) return {};
  return Error{ErrorCode::kSystem, "cannot write into " + options.objects.string()};
}

KernelRow duel_with(const std::string& autoscheduler, const KernelContender& contender,
                    const ContestOptions& options, const AutoschedulerOptions& theirs) {
  KernelRow row = begun_row(contender, autoscheduler, options.threads);
  const auto cpus = contest_cpus(options.threads);
  if (!cpus) {
    row.reason = cpus.error().message;
    return row;
  }
  row.peak_gflops = remeasure_peak(*cpus).value_or(0);
  const Json answer = timed_duel(autoscheduler, contender, options, theirs, *cpus);
  row.reason = answer.value("reason", "");
  if (!row.reason.empty()) return row;
  row.ratio =
      Ratio{answer.value("ratio", 1.0), answer.value("low", 1.0), answer.value("high", 1.0)};
  row.verdict = answer.value("verdict", "");
  row.peer_ms = answer.value("peer_ms", 0.0);
  set_our_time(row, answer.value("ours_ms", 0.0), contender.spec.workload);
  return row;
}

}  // namespace opbench
