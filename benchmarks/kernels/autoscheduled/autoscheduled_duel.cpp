/// One kernel of ours against what an autoscheduler of Halide makes of the same anchor.
///
///     autoscheduled-duel compile AUTOSCHEDULER THREADS READS SPEC OBJECT
///     autoscheduled-duel time THREADS BUDGET_S SPEC OBJECT…
///
/// SPEC is text_of(KernelSpec). The first writes what the autoscheduler makes for so many threads.
/// The second loads our kernel and such objects into this process, where the same threads run them,
/// and prints the ratio of times (the fastest right one of theirs over ours) with its interval and
/// the verdict on ours. Both print a line of JSON, with `reason` when there is no result. They are
/// processes of their own since autoschedulers end the process when something goes wrong in them.
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/json/json.h"
#include "base/numbers/number.h"
#include "base/system/seconds.h"
#include "base/tensors/tensor_difference.h"
#include "benchmarks/kernels/autoscheduled/autoscheduled_kernel.h"
#include "engines/protocol/sampling.h"
#include "experiments/compare/verdict.h"
#include "kernel_harness.h"
#include "measuring/sampling/engine_runner.h"
#include "measuring/sampling/paired.h"

namespace opbench {
namespace {

/// Two kernels of this process in turn.
class KernelRunner : public Runner {
 public:
  explicit KernelRunner(std::vector<LoadedKernel>& kernels) : kernels_(kernels) {}

  Outcome<std::vector<Sample>> measure(size_t item, int, int64_t number, int repeats,
                                       Seconds warm_up, int warm_up_calls) override {
    LoadedKernel& kernel = kernels_.at(item);
    return parse_samples(
        take_samples({[&] { kernel.call(); }, {}}, {{"number", number},
                                                    {"repeats", repeats},
                                                    {"warm_up_ms", to_ms(warm_up)},
                                                    {"warm_up_calls", warm_up_calls}}));
  }
  Outcome<void> recover(size_t, int) override { return {}; }

 private:
  std::vector<LoadedKernel>& kernels_;
};

struct DuelRequest {
  int threads = 1;
  double budget_s = 1;
  KernelSpec spec;
  std::vector<std::string> objects;  ///< theirs
};

/// The same anchor on row-major tensors. Its schedule says only that no operand is packed.
KernelSpec plain_spec(const KernelSpec& spec) {
  return {.workload = spec.workload,
          .layouts = std::vector<Layout>(spec.layouts.size()),
          .target = spec.target,
          .schedule = "identity",
          .config = {}};
}

/// Ours, bound and called once.
Result<LoadedKernel> our_kernel(const DuelRequest& request, const std::vector<Tensor>& inputs) {
  OPBENCH_TRY(LoadedKernel kernel, LoadedKernel::load(request.spec));
  OPBENCH_CHECK(kernel.bind(inputs));
  if (const int code = kernel.call(); code != 0) {
    return Error{ErrorCode::kSystem, fmt::format("our kernel returned {}", code)};
  }
  return kernel;
}

/// Theirs, which must compute what ours has computed.
Result<LoadedKernel> their_kernel(const DuelRequest& request, const std::string& object,
                                  const std::vector<Tensor>& inputs, const Tensor& expected) {
  constexpr double kTolerance = 1e-4;  // of the largest value, as in tuning
  const auto copy = [&](const std::string&, const std::filesystem::path& to) -> Result<void> {
    std::error_code failure;
    std::filesystem::copy_file(object, to, failure);
    if (!failure) return {};
    return Error{ErrorCode::kSystem, "cannot read " + object + ": " + failure.message()};
  };
  OPBENCH_TRY(LoadedKernel kernel, LoadedKernel::load(plain_spec(request.spec), copy));
  OPBENCH_CHECK(kernel.bind(inputs));
  if (const int code = kernel.call(); code != 0) {
    return Error{ErrorCode::kSystem, fmt::format("its kernel returned {}", code)};
  }
  OPBENCH_TRY(const Tensor output, kernel.output());
  const double error = max_relative_error(output, expected);
  if (error <= kTolerance) return kernel;
  return Error{ErrorCode::kSystem, fmt::format("its result differs by {:.1e}", error)};
}

/// Ours, then every one of theirs that is right. `kSystem` with the first reason if none is.
Result<std::vector<LoadedKernel>> kernels_of(const DuelRequest& request) {
  const std::vector<Tensor> inputs = random_inputs(request.spec.workload, 1);
  std::vector<LoadedKernel> kernels;
  OPBENCH_TRY(LoadedKernel ours, our_kernel(request, inputs));
  OPBENCH_TRY(const Tensor expected, ours.output());
  kernels.push_back(std::move(ours));
  std::optional<Error> refusal;
  for (const std::string& object : request.objects) {
    auto theirs = their_kernel(request, object, inputs, expected);
    if (theirs) {
      kernels.push_back(std::move(*theirs));
    } else if (!refusal) {
      refusal = theirs.error();
    }
  }
  if (kernels.size() == 1) return *refusal;
  return kernels;
}

std::string_view autoscheduled_duel_verdict_on_ours(Verdict theirs) {
  if (theirs == Verdict::kSlower) return name_of(Verdict::kFaster);
  return name_of(theirs == Verdict::kFaster ? Verdict::kSlower : theirs);
}

/// The fastest of theirs counts.
Result<Json> duel(const DuelRequest& request) {
  OPBENCH_TRY(std::vector<LoadedKernel> kernels, kernels_of(request));
  PairedItem item{.id = "duel", .sides = {}, .threads = {}};
  for (size_t i = 0; i < kernels.size(); ++i) {
    item.sides.push_back(i);
    item.threads.push_back(request.threads);
  }
  KernelRunner runner(kernels);
  SteadyClock clock;
  const PairedResult result =
      measure_pairs({item}, runner, clock, {.budget = Seconds(request.budget_s), .processes = 1});
  const PairedItemResult& times = result.items.front();
  if (!times.times) return Error{ErrorCode::kSystem, to_text(*times.failure)};
  const std::vector<Estimate>& ratios = times.times->log_ratios;
  const auto fastest = std::ranges::min_element(ratios, {}, &Estimate::value);
  const auto theirs = static_cast<size_t>(fastest - ratios.begin()) + 1;
  return Json{{"ratio", std::exp(fastest->value)},
              {"low", std::exp(fastest->interval.low)},
              {"high", std::exp(fastest->interval.high)},
              {"verdict",
               autoscheduled_duel_verdict_on_ours(judge_one({.log_ratio = *fastest}, {}).verdict)},
              {"ours_ms", times.times->sides[0].median_ms},
              {"peer_ms", times.times->sides[theirs].median_ms}};
}

Error usage() {
  return Error{ErrorCode::kInvalidInput, "wrong arguments"}
      .with("usage", "autoscheduled-duel compile AUTOSCHEDULER THREADS READS SPEC OBJECT")
      .with("or", "autoscheduled-duel time THREADS BUDGET_S SPEC OBJECT…");
}

Result<Json> run_compile(const std::vector<std::string>& words) {
  constexpr size_t kWords = 6;
  const auto threads = words.size() == kWords ? parse_integer(words[2]) : std::nullopt;
  const auto reads = words.size() == kWords ? parse_operand_reads(words[3]) : std::nullopt;
  if (!threads || *threads < 1 || !reads) return usage();
  OPBENCH_TRY(const KernelSpec spec, parse_kernel_spec(words[4]));
  OPBENCH_CHECK(compile_autoscheduled(plain_spec(spec), words[1], static_cast<int>(*threads),
                                      *reads, "kernel", words[5]));
  return Json::object();
}

Result<Json> run_time(const std::vector<std::string>& words) {
  constexpr size_t kLeastWords = 5;
  const auto threads = words.size() >= kLeastWords ? parse_integer(words[1]) : std::nullopt;
  const auto budget_s = words.size() >= kLeastWords ? parse_number(words[2]) : std::nullopt;
  if (!threads || *threads < 1 || !budget_s || *budget_s <= 0) return usage();
  OPBENCH_TRY(KernelSpec spec, parse_kernel_spec(words[3]));
  const DuelRequest request{static_cast<int>(*threads),
                            *budget_s,
                            std::move(spec),
                            {words.begin() + kLeastWords - 1, words.end()}};
  set_kernel_threads(request.threads);
  auto result = duel(request);
  set_kernel_threads(1);
  return result;
}

Result<Json> run_autoscheduled_duel(const std::vector<std::string>& words) {
  const std::string verb = words.empty() ? "" : words.front();
  if (verb != "compile" && verb != "time") return usage();
  auto result = verb == "compile" ? run_compile(words) : run_time(words);
  if (result || result.error().code == ErrorCode::kInvalidInput) return result;
  const std::string& reason = result.error().message;
  return Json{{"reason", reason.substr(0, reason.find('\n'))}};
}

}  // namespace
}  // namespace opbench

int main(int count, char** words) {
  const auto result = opbench::run_autoscheduled_duel({words + 1, words + count});
  if (result) {
    fmt::print("\n{}\n", result->dump());
    return 0;
  }
  fmt::print(stderr, "{}", opbench::to_text(result.error()));
  return static_cast<int>(result.error().code);
}
