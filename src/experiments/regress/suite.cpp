#include "experiments/regress/suite.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <set>

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "base/numbers/number.h"
#include "base/text/counted.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/sessions/request/cache_mode.h"
#include "model/download/url.h"
#include "model/operators/workloads/workload.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kSuiteKeys = {"name",    "budget",   "models",  "workloads",
                                             "engines", "controls", "threads", "cache",
                                             "check",   "freeze"};
constexpr int64_t kMostSuiteThreads = 4096;

std::optional<double> seconds_of(std::string text) {
  double unit = 1;
  if (text.ends_with("min")) text.resize(text.size() - 2);
  if (!text.empty() && std::string_view("smh").find(text.back()) != std::string_view::npos) {
    constexpr double kMinute = 60, kHour = 3600;
    if (text.back() != 's') unit = text.back() == 'm' ? kMinute : kHour;
    text.pop_back();
  }
  const auto number = parse_number(text);
  constexpr double kMost = 1e9;
  if (!number || *number <= 0 || *number * unit > kMost) return std::nullopt;
  return *number * unit;
}

bool runs_models(const std::string& engine) {
  const auto found = engine_table().find(engine);
  return !found || (*found)->runs_models;
}

/// Reads one file; an error names the line.
class SuiteReader {
 public:
  SuiteReader(fs::path file, const std::vector<std::string>& user_engines)
      : file_(std::move(file)), known_engines_(engine_table().names()) {
    known_engines_.insert(known_engines_.end(), user_engines.begin(), user_engines.end());
  }

  Result<Suite> read(const toml::table& table) {
    Suite suite{.name = file_.stem().string()};
    for (const auto& [key, node] : table)
      OPBENCH_CHECK(read_key(std::string(key.str()), node, suite));
    if (suite.models.empty() && suite.workloads.empty()) {
      return invalid_input(fmt::format("\"{}\" has neither models nor workloads", file_.string()))
          .with("for instance", "models = [\"resnet-18\"]");
    }
    for (const std::string& name : suite.engines) {
      if (runs_models(name) || !suite.workloads.empty()) continue;
      return placed(invalid_input(fmt::format("the engine \"{}\" runs single workloads, and the "
                                              "suite has models only",
                                              name)),
                    *table.get("engines"));
    }
    OPBENCH_CHECK(set_controls(table, suite));
    return suite;
  }

 private:
  Error placed(Error error, const toml::node& node) const {
    return std::move(error).with("in",
                                 fmt::format("{}:{}", file_.string(), node.source().begin.line));
  }

  Error refuse(const std::string& key, std::string_view wanted, const toml::node& node) const {
    return placed(invalid_input(fmt::format("\"{}\" must be {}", key, wanted)), node);
  }

  Result<void> read_key(const std::string& key, const toml::node& node, Suite& suite) {
    if (key == "name") {
      suite.name = node.value_or(std::string());
      const bool is_word =
          !suite.name.empty() && suite.name.find_first_of(" \t\n/") == std::string::npos;
      if (!node.is_string() || !is_word) return refuse(key, "a word without blanks", node);
    } else if (key == "budget") {
      OPBENCH_TRY(suite.budget_s, budget_of(node));
    } else if (key == "models") {
      OPBENCH_TRY(suite.models, models_of(node));
    } else if (key == "workloads") {
      OPBENCH_TRY(suite.workloads, workloads_of(node));
    } else if (key == "engines") {
      OPBENCH_TRY(suite.engines, engines_of(key, node, known_engines_));
    } else if (key == "controls") {
      OPBENCH_TRY(suite.controls, engines_of(key, node, known_engines_));
    } else if (key == "threads") {
      OPBENCH_TRY(suite.threads, threads_of_suite(node));
    } else if (key == "freeze") {
      if (!node.is_boolean()) return refuse(key, "true or false", node);
      suite.freezes = node.value_or(true);
    } else if (key == "check") {
      OPBENCH_TRY(suite.check, check_of(node));
    } else if (key == "cache") {
      suite.cache = node.value_or(std::string());
      if (!parse_cache_mode(suite.cache)) {
        return placed(unknown_name("cache mode", suite.cache, {"hot", "cold-weights", "cold-all"}),
                      node);
      }
    } else {
      return placed(unknown_name("key", key, kSuiteKeys), node);
    }
    return {};
  }

  Result<double> budget_of(const toml::node& node) const {
    std::string text = node.value_or(std::string());
    if (const auto number = node.value<double>(); number) text = fmt::format("{}", *number);
    const auto seconds = seconds_of(text);
    if (!seconds) return refuse("budget", "a time: 90, \"90s\", \"15m\", \"2h\"", node);
    return *seconds;
  }

  /// A list of texts; one text stands for a list of one.
  Result<std::vector<std::string>> texts_of(const std::string& key, const toml::node& node) const {
    std::vector<std::string> texts;
    if (node.is_string()) texts.push_back(node.value_or(std::string()));
    const toml::array* array = node.as_array();
    if (array == nullptr && texts.empty()) return refuse(key, "a list of texts", node);
    for (size_t i = 0; array != nullptr && i < array->size(); ++i) {
      if (!array->get(i)->is_string()) return refuse(key, "a list of texts", *array->get(i));
      texts.push_back(array->get(i)->value_or(std::string()));
    }
    if (texts.empty()) return refuse(key, "a list that is not empty", node);
    std::set<std::string> seen;
    for (const std::string& text : texts) {
      if (seen.insert(text).second) continue;
      return placed(invalid_input(fmt::format("\"{}\" names \"{}\" twice", key, text)), node);
    }
    return texts;
  }

  Result<std::vector<std::string>> models_of(const toml::node& node) const {
    OPBENCH_TRY(std::vector<std::string> names, texts_of("models", node));
    std::vector<std::string> zoo;
    for (const ZooEntry& entry : zoo_entries()) zoo.push_back(entry.name);
    for (std::string& name : names) {
      if (is_url(name) || std::ranges::find(zoo, name) != zoo.end()) continue;
      const fs::path path = file_.parent_path() / name;
      std::error_code ignored;
      if (fs::is_regular_file(path, ignored)) {
        name = path.lexically_normal().string();
      } else if (name.find('/') != std::string::npos || name.ends_with(".onnx")) {
        return placed(invalid_input(fmt::format("no file \"{}\"", path.string())), node);
      } else {
        return placed(unknown_name("model", name, zoo), node);
      }
    }
    return names;
  }

  Result<std::vector<std::string>> workloads_of(const toml::node& node) const {
    OPBENCH_TRY(std::vector<std::string> texts, texts_of("workloads", node));
    for (std::string& text : texts) {
      const Result<Workload> workload = parse_workload(text);
      if (!workload) return placed(workload.error(), node);
      text = text_of(*workload);
    }
    return texts;
  }

  Result<std::vector<std::string>> engines_of(const std::string& key, const toml::node& node,
                                              const std::vector<std::string>& known) const {
    if (const toml::array* array = node.as_array(); key == "controls" && array && array->empty()) {
      return std::vector<std::string>();
    }
    OPBENCH_TRY(std::vector<std::string> names, texts_of(key, node));
    for (const std::string& name : names) {
      if (std::ranges::find(known, name) == known.end()) {
        return placed(unknown_name("engine", name, known), node);
      }
    }
    return names;
  }

  Result<std::string> check_of(const toml::node& node) const {
    if (!node.is_string()) return refuse("check", "an engine or \"none\"", node);
    const std::string name = node.value_or(std::string());
    std::vector<std::string> known = known_engines_;
    known.emplace_back("none");
    if (std::ranges::find(known, name) == known.end()) {
      return placed(unknown_name("engine", name, known), node);
    }
    return name;
  }

  Result<std::vector<int>> threads_of_suite(const toml::node& node) const {
    std::vector<int> threads;
    const auto take = [&](const toml::node& number) {
      const auto value = number.value_exact<int64_t>();
      const bool fits = value && *value >= 1 && *value <= kMostSuiteThreads &&
                        std::ranges::find(threads, static_cast<int>(*value)) == threads.end();
      if (fits) threads.push_back(static_cast<int>(*value));
      return fits;
    };
    bool fits = true;
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& number : *array) fits = fits && take(number);
    } else {
      fits = take(node);
    }
    if (!fits || threads.empty())
      return refuse("threads", "different whole numbers from 1 on", node);
    return threads;
  }

  Result<void> set_controls(const toml::table& table, Suite& suite) const {
    if (const toml::node* given = table.get("controls"); given != nullptr) {
      for (const std::string& name : suite.controls) {
        if (std::ranges::find(suite.engines, name) != suite.engines.end()) continue;
        return placed(unknown_name("engine of the suite", name, suite.engines), *given);
      }
      return {};
    }
    for (const std::string& name : suite.engines) {
      if (is_control_by_default(name)) suite.controls.push_back(name);
    }
    return {};
  }

  fs::path file_;
  std::vector<std::string> known_engines_;
};

}  // namespace

Result<Suite> parse_suite(std::string_view text, const fs::path& file,
                          const std::vector<std::string>& user_engines) {
  try {
    return SuiteReader(file, user_engines).read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return invalid_input(fmt::format("\"{}\" is not TOML: {}", file.string(), error.description()))
        .with("line", std::to_string(error.source().begin.line));
  }
}

Result<Suite> read_suite(const fs::path& file, const std::vector<std::string>& user_engines) {
  OPBENCH_TRY(const std::string text, read_text_file(file));
  return parse_suite(text, file, user_engines);
}

std::string text_of(const SuiteCase& suite_case) {
  return fmt::format("{} · {} · {}", suite_case.subject, suite_case.engine,
                     counted(suite_case.threads, "thread"));
}

std::vector<SuiteCase> cases_of(const Suite& suite) {
  std::vector<SuiteCase> cases;
  const auto add = [&](const std::string& subject, bool is_workload) {
    for (const int threads : suite.threads) {
      for (const std::string& engine : suite.engines) {
        if (!is_workload && !runs_models(engine)) continue;
        cases.push_back({subject, is_workload, engine, threads});
      }
    }
  };
  for (const std::string& model : suite.models) add(model, false);
  for (const std::string& workload : suite.workloads) add(workload, true);
  return cases;
}

double case_budget_s(const Suite& suite) {
  return suite.budget_s / static_cast<double>(cases_of(suite).size());
}

Result<ProfileRequest> request_of_case(const Suite& suite, const SuiteCase& suite_case,
                                       double budget_s) {
  ProfileRequest request;
  if (suite_case.is_workload) {
    request.model.workload = suite_case.subject;
  } else {
    request.model.name = suite_case.subject;
    request.model.is_zoo = std::ranges::any_of(
        zoo_entries(), [&](const ZooEntry& entry) { return entry.name == suite_case.subject; });
  }
  const auto cache = parse_cache_mode(suite.cache);
  if (!cache) return unknown_name("cache mode", suite.cache, {"hot", "cold-weights", "cold-all"});
  request.engines = {suite_case.engine};
  request.threads = {suite_case.threads};
  request.measure.budget_s = budget_s;
  request.measure.cache = *cache;
  request.measure.check_engine = suite.check;
  return request;
}

bool is_control_by_default(const std::string& engine) {
  const auto found = engine_table().find(engine);
  return found && !(*found)->takes_packages;
}

}  // namespace opbench
