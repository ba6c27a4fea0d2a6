#include "experiments/verify/verify_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/code_folder.h"
#include "engines/catalog/engine.h"
#include "experiments/sessions/check/check.h"
#include "experiments/verify/verify_errors.h"
#include "experiments/verify/verify_model.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
#include "machine/target/parse_target.h"
#include "model/judging/judgement.h"

namespace opbench {
namespace {

constexpr const char* kReference = "reference";

std::string one_line(const Error& error) {
  std::string text = error.message;
  for (const Fact& fact : error.facts) text += fmt::format("; {}: {}", fact.label, fact.text);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

class VerifyRun {
 public:
  explicit VerifyRun(const VerifyRequest& request) : request_(request) {}

  Result<VerifyResult> run() {
    OPBENCH_CHECK(find_engines());
    OPBENCH_TRY(options_.target, parse_target(request_.target));
    OPBENCH_TRY(const Topology topology, this_topology());
    OPBENCH_TRY(options_.cpus, choose_cpus(topology, request_.threads, current_affinity()));
    options_.threads = request_.threads;
    OPBENCH_TRY(cache_, choose_cache());
    options_.cache = cache_.folder;
    options_.cancel = request_.cancel;
    options_.inject_fault = request_.inject_fault;
    for (const VerifyCase& wanted : request_.cases) {
      auto model = load_case(wanted);
      for (const std::string& engine : request_.engines) {
        if (request_.cancel != nullptr && *request_.cancel) return std::move(result_);
        OPBENCH_TRY(CaseResult result, run_case(wanted, model, engine));
        result_.cases.push_back(std::move(result));
        if (request_.progress) {
          request_.progress(result_.cases.size(), request_.cases.size() * request_.engines.size(),
                            result_.cases.back());
        }
      }
    }
    return std::move(result_);
  }

 private:
  Result<void> find_engines() {
    for (const std::string& name : request_.engines) {
      if (name == kReference) continue;
      OPBENCH_TRY(const EngineDef* const engine, engine_table().find(name));
      if (!engine->runs_models) {
        return Error{ErrorCode::kInvalidInput,
                     fmt::format("engine \"{}\" runs single workloads, not models", name)};
      }
      if (const auto reason = engine->unavailable(); reason) {
        return Error{ErrorCode::kEnvironment,
                     fmt::format("engine \"{}\" cannot be used here: {}", name, *reason)};
      }
    }
    return {};
  }

  Result<CaseResult> run_case(const VerifyCase& wanted, const Result<VerifyModel>& model,
                              const std::string& engine) {
    CaseResult result{.name = wanted.name, .engine = engine};
    const auto refuse = [&](const Error& error, CaseOutcome outcome) {
      result.outcome = outcome;
      result.reason = one_line(error);
      return result;
    };
    if (!model) return refuse(model.error(), CaseOutcome::kUnsupported);
    const bool finds_types =
        engine != kReference && (*engine_table().find(engine))->prepare_model == nullptr;
    if (!model->has_types && !finds_types) {
      return refuse(model->types_error, CaseOutcome::kUnsupported);
    }
    OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
    options_.folder = folder.path();
    const auto values = compute(*model, engine);
    if (!values) {
      const bool is_refused = values.error().code == ErrorCode::kInvalidInput;
      return refuse(values.error(), is_refused ? CaseOutcome::kUnsupported : CaseOutcome::kWrong);
    }
    compare(*model, *values, result);
    if (request_.wants_errors) find_verify_errors(*model, engine, options_, result);
    return result;
  }

  Result<ValueFiles> compute(const VerifyModel& model, const std::string& engine) const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : model.expected) names.push_back(name);
    if (engine == kReference) {
      return compute_references(model.model, model.inputs, names, options_);
    }
    return compute_values(**engine_table().find(engine), model.model, model.inputs, names,
                          options_);
  }

  void compare(const VerifyModel& model, const ValueFiles& values, CaseResult& result) const {
    const NamedValues inputs = [&] {
      return std::map<std::string, Tensor>(model.inputs.begin(), model.inputs.end());
    };
    const auto is_input = [&](const std::string& name) {
      return std::ranges::count(model.inputs, name, &NamedTensors::value_type::first) > 0;
    };
    const JudgedModel judged{.model = model.model,
                             .is_known = is_input,
                             .known = inputs,
                             .nearby = inputs,
                             .tolerances = request_.tolerances,
                             .cancel = request_.cancel};
    for (const auto& [name, expected] : model.expected) {
      const auto got = values.contains(name)
                           ? values.tensor(name)
                           : Result<Tensor>(Error{ErrorCode::kSystem, "it gave no such output"});
      const Judgement found =
          got ? judge(*got, expected, name, judged) : Judgement{{1, got.error().message}};
      const double error = found.difference.relative_error;
      result.max_relative_error = std::max(result.max_relative_error.value_or(0), error);
      if (found.agrees || result.outcome == CaseOutcome::kWrong) continue;
      result.outcome = CaseOutcome::kWrong;
      result.reason =
          found.difference.reason.empty()
              ? fmt::format("\"{}\" differs by {:.2g} of its largest value", name, error)
              : fmt::format("\"{}\": {}", name, found.difference.reason);
      if (got && result.engine != kReference) {
        result.reason += doubt_of(*got, expected, name, judged);
      }
    }
  }

  /// Where the operators' references agree with a result and the expected value does not: how far
  /// off that is. The files still decide.
  static std::string doubt_of(const Tensor& got, const Tensor& expected, const std::string& name,
                              JudgedModel judged) {
    judged.is_by_engine = true;
    const Judgement found = judge(got, expected, name, judged);
    if (!found.is_settled || !found.wrong_expectation) return "";
    return "; the exact reference agrees with it, and the expected value is " +
           found.wrong_expectation->text;
  }

  const VerifyRequest& request_;
  CacheChoice cache_;
  EngineOptions options_;
  VerifyResult result_;
};

}  // namespace

Result<VerifyResult> run_verify(const VerifyRequest& request) { return VerifyRun(request).run(); }

}  // namespace opbench
