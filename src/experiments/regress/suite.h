#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/sessions/request/run_hooks.h"

namespace opbench {

/// What is measured every night: each model and workload by each engine at each thread count.
struct Suite {
  std::string name;                    ///< of the file, where it does not say
  double budget_s = 600;               ///< for all of it
  std::vector<std::string> models;     ///< names of the zoo, URLs, files beside the suite
  std::vector<std::string> workloads;  ///< canonical texts
  std::vector<std::string> engines = {"halide"};
  std::vector<std::string> controls;  ///< of the engines those that nobody touches
  std::vector<int> threads = {1};
  std::string cache = "hot";
  bool freezes = true;     ///< without controls, a build is frozen as control
  std::string check = {};  ///< what results are checked against, as in MeasureOptions
  bool operator==(const Suite&) const = default;
};

/// A suite from the text of its TOML file. Files of models are named from `folder`. `user_engines`
/// are known beside the built-in ones. `kInvalidInput` with the line: what is no TOML, an unknown
/// key, model or engine (with a guess), a workload that cannot be read, a list that is empty or
/// names a thing twice, a suite without models and workloads, a control that is no engine of it.
Result<Suite> parse_suite(std::string_view text, const std::filesystem::path& file,
                          const std::vector<std::string>& user_engines);

/// The same from a file.
Result<Suite> read_suite(const std::filesystem::path& file,
                         const std::vector<std::string>& user_engines);

/// One thing that a suite measures.
struct SuiteCase {
  std::string subject;  ///< the model or the workload, as in the suite
  bool is_workload = false;
  std::string engine;
  int threads = 1;
  bool operator==(const SuiteCase&) const = default;
};

/// `resnet-18 · halide · 2 threads`
std::string text_of(const SuiteCase& suite_case);

/// In the order in which they are measured: engines of one subject side by side. Engines that run
/// single workloads have no case of a model.
std::vector<SuiteCase> cases_of(const Suite& suite);

/// Of one case, in seconds.
double case_budget_s(const Suite& suite);

/// The run that measures a case within `budget_s`.
Result<ProfileRequest> request_of_case(const Suite& suite, const SuiteCase& suite_case,
                                       double budget_s);

/// Engines that nobody touches by default: those that results are checked against, and others that
/// are built in and do not run our kernels.
bool is_control_by_default(const std::string& engine);

}  // namespace opbench
