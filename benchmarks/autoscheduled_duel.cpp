/// One kernel of ours against what an autoscheduler of Halide makes of the same anchor, both loaded
/// into this process and run by the same threads.
///
///     autoscheduled-duel AUTOSCHEDULER THREADS BUDGET_S SPEC
///
/// SPEC is text_of(KernelSpec). Prints a line of JSON: the ratio of times (theirs over ours) with
/// its interval and the verdict on ours, or the reason why there is none. It is a process of its
/// own since autoschedulers end the process when something goes wrong in them.
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <vector>

#include "autoscheduled_kernel.h"
#include "kernel_harness.h"
#include "opbench/analysis/verdict.h"
#include "opbench/base/json.h"
#include "opbench/base/number.h"
#include "opbench/measure/engine_runner.h"
#include "opbench/measure/paired.h"
#include "opbench/protocol/sampling.h"

namespace opbench {
namespace {

/// Two kernels of this process in turn.
class KernelRunner : public Runner {
 public:
  explicit KernelRunner(std::vector<LoadedKernel>& kernels) : kernels_(kernels) {}

  Outcome<std::vector<Sample>> measure(size_t item, int, int64_t number, int repeats,
                                       Seconds warm_up, int warm_up_calls) override {
    constexpr double kMilli = 1e3;
    LoadedKernel& kernel = kernels_.at(item);
    return parse_samples(
        take_samples({[&] { kernel.call(); }, {}}, {{"number", number},
                                                    {"repeats", repeats},
                                                    {"warm_up_ms", warm_up.count() * kMilli},
                                                    {"warm_up_calls", warm_up_calls}}));
  }
  Outcome<void> recover(size_t, int) override { return {}; }

 private:
  std::vector<LoadedKernel>& kernels_;
};

struct DuelRequest {
  std::string autoscheduler;
  int threads = 1;
  double budget_s = 1;
  KernelSpec spec;
};

Result<DuelRequest> request_of(const std::vector<std::string>& words) {
  constexpr size_t kWords = 4;
  const auto threads = words.size() == kWords ? parse_integer(words[1]) : std::nullopt;
  const auto budget_s = words.size() == kWords ? parse_number(words[2]) : std::nullopt;
  const bool is_valid = threads && *threads >= 1 && budget_s && *budget_s > 0;
  if (!is_valid) {
    return Error{ErrorCode::kInvalidInput,
                 "usage: autoscheduled-duel AUTOSCHEDULER THREADS BUDGET_S SPEC"};
  }
  OPBENCH_TRY(KernelSpec spec, parse_kernel_spec(words[3]));
  return DuelRequest{words[0], static_cast<int>(*threads), *budget_s, std::move(spec)};
}

/// The same anchor on row-major tensors. Its schedule says only that no operand is packed.
KernelSpec plain_spec(const KernelSpec& spec) {
  return {.workload = spec.workload,
          .layouts = std::vector<Layout>(spec.layouts.size()),
          .target = spec.target,
          .schedule = "identity",
          .config = {}};
}

Result<LoadedKernel> load(const DuelRequest& request, bool is_ours) {
  if (is_ours) return LoadedKernel::load(request.spec);
  const KernelSpec plain = plain_spec(request.spec);
  return LoadedKernel::load(plain, [&](const std::string& function,
                                       const std::filesystem::path& object) {
    return compile_autoscheduled(plain, request.autoscheduler, request.threads, function, object);
  });
}

/// Both must compute the same.
Result<void> check(std::vector<LoadedKernel>& kernels) {
  constexpr double kTolerance = 1e-4;  // of the largest value, as in tuning
  std::vector<Tensor> outputs;
  for (LoadedKernel& kernel : kernels) {
    if (const int code = kernel.call(); code != 0) {
      return Error{ErrorCode::kSystem, fmt::format("a kernel returned {}", code)};
    }
    OPBENCH_TRY(Tensor output, kernel.output());
    outputs.push_back(std::move(output));
  }
  const double error = max_relative_error(outputs[1], outputs[0]);
  if (error <= kTolerance) return {};
  return Error{ErrorCode::kSystem, fmt::format("its result differs by {:.1e}", error)};
}

Result<Json> duel(const DuelRequest& request) {
  const std::vector<Tensor> inputs = random_inputs(request.spec.workload, 1);
  std::vector<LoadedKernel> kernels;
  for (const bool is_ours : {true, false}) {
    OPBENCH_TRY(LoadedKernel kernel, load(request, is_ours));
    OPBENCH_CHECK(kernel.bind(inputs));
    kernels.push_back(std::move(kernel));
  }
  OPBENCH_CHECK(check(kernels));
  KernelRunner runner(kernels);
  SteadyClock clock;
  const PairedResult result = measure_pairs(
      {{.id = "duel", .sides = {0, 1}, .threads = {request.threads, request.threads}}}, runner,
      clock, {.budget = Seconds(request.budget_s), .processes = 1});
  const PairedItemResult& item = result.items.front();
  if (!item.times) return Error{ErrorCode::kSystem, to_text(*item.failure)};
  const Estimate& ratio = item.times->log_ratios.front();
  const Judgement judgement = judge_one({.log_ratio = ratio}, {});
  const Verdict theirs = judgement.verdict;
  const Verdict ours = theirs == Verdict::kSlower   ? Verdict::kFaster
                       : theirs == Verdict::kFaster ? Verdict::kSlower
                                                    : theirs;
  return Json{{"ratio", std::exp(ratio.value)},
              {"low", std::exp(ratio.interval.low)},
              {"high", std::exp(ratio.interval.high)},
              {"verdict", name_of(ours)},
              {"ours_ms", item.times->sides[0].median_ms},
              {"peer_ms", item.times->sides[1].median_ms},
              {"compile_s", kernels[1].compile_seconds()}};
}

Result<Json> run(const std::vector<std::string>& words) {
  OPBENCH_TRY(const DuelRequest request, request_of(words));
  set_kernel_threads(request.threads);
  auto result = duel(request);
  set_kernel_threads(1);
  if (result) return result;
  const std::string& reason = result.error().message;
  return Json{{"reason", reason.substr(0, reason.find('\n'))}};
}

}  // namespace
}  // namespace opbench

int main(int count, char** words) {
  const auto result = opbench::run({words + 1, words + count});
  if (result) {
    fmt::print("\n{}\n", result->dump());
    return 0;
  }
  fmt::print(stderr, "{}", opbench::to_text(result.error()));
  return static_cast<int>(result.error().code);
}
