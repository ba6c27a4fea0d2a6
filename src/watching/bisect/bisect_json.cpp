#include "watching/bisect/bisect_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace opbench {
namespace {

constexpr int kFormat = 1;

Error bad_bisect_member(std::string_view name, std::string_view valid) {
  return invalid_input(fmt::format("bad \"{}\" in the state of a bisection", name))
      .with("valid", std::string(valid));
}

Json rule_json(const BisectRule& rule) {
  return {{"end_pairs", rule.end_pairs},       {"first_pairs", rule.first_pairs},
          {"step_pairs", rule.step_pairs},     {"most_pairs", rule.most_pairs},
          {"direct_pairs", rule.direct_pairs}, {"error", rule.error},
          {"layout_sd", rule.layout_sd}};
}

Result<int> whole_of(const Json& json, const char* name, int least) {
  const auto found = json.find(name);
  constexpr int kMost = 1'000'000;
  if (found == json.end() || !found->is_number_integer() || *found < least || *found > kMost) {
    return bad_bisect_member(name, fmt::format("a whole number from {} on", least));
  }
  return found->get<int>();
}

Result<double> number_of(const Json& json, const char* name, double above, double below) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number() || !(*found > above) || !(*found < below)) {
    return bad_bisect_member(name, fmt::format("a number between {} and {}", above, below));
  }
  return found->get<double>();
}

Result<std::string> needed_text(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) return bad_bisect_member(name, "a text");
  return found->get<std::string>();
}

Result<std::vector<double>> ratios_of(const Json& json) {
  const auto found = json.find("log_ratios");
  if (found == json.end() || !found->is_array()) {
    return bad_bisect_member("log_ratios", "a list of numbers");
  }
  std::vector<double> ratios;
  for (const Json& ratio : *found) {
    if (!ratio.is_number()) return bad_bisect_member("log_ratios", "a list of numbers");
    ratios.push_back(ratio.get<double>());
  }
  return ratios;
}

Result<BisectRule> read_rule(const Json& json) {
  BisectRule rule;
  OPBENCH_TRY(rule.end_pairs, whole_of(json, "end_pairs", 1));
  OPBENCH_TRY(rule.first_pairs, whole_of(json, "first_pairs", 1));
  OPBENCH_TRY(rule.step_pairs, whole_of(json, "step_pairs", 1));
  OPBENCH_TRY(rule.most_pairs, whole_of(json, "most_pairs", 1));
  OPBENCH_TRY(rule.direct_pairs, whole_of(json, "direct_pairs", 0));
  OPBENCH_TRY(rule.error, number_of(json, "error", 0, 0.5));
  OPBENCH_TRY(rule.layout_sd, number_of(json, "layout_sd", -1e-9, 1));
  return rule;
}

Result<BisectCommit> read_commit(const Json& json) {
  if (!json.is_object()) return bad_bisect_member("commits", "a list of objects");
  BisectCommit commit;
  OPBENCH_TRY(commit.id, needed_text(json, "id"));
  OPBENCH_TRY(commit.subject, needed_text(json, "subject"));
  OPBENCH_TRY(commit.skipped, needed_text(json, "skipped"));
  OPBENCH_TRY(commit.log_ratios, ratios_of(json));
  return commit;
}

}  // namespace

Json bisect_json(const BisectState& state) {
  Json commits = Json::array();
  for (const BisectCommit& commit : state.commits) {
    commits.push_back({{"id", commit.id},
                       {"subject", commit.subject},
                       {"log_ratios", commit.log_ratios},
                       {"skipped", commit.skipped}});
  }
  return {{"record", "bisect"},
          {"format", kFormat},
          {"rule", rule_json(state.rule)},
          {"commits", std::move(commits)},
          {"direct",
           {{"before", state.direct.before},
            {"after", state.direct.after},
            {"log_ratios", state.direct.log_ratios}}}};
}

Result<BisectState> read_bisect(std::string_view text) {
  OPBENCH_TRY(const Json json, parse_json(text, "the state of a bisection"));
  if (!json.is_object() || json.value("record", Json()) != "bisect") {
    return bad_bisect_member("record", "\"bisect\"");
  }
  if (json.value("format", Json()) != kFormat) {
    return bad_bisect_member("format", std::to_string(kFormat));
  }
  BisectState state;
  OPBENCH_TRY(state.rule, read_rule(json.value("rule", Json::object())));
  const Json commits = json.value("commits", Json());
  if (!commits.is_array() || commits.size() < 2) {
    return bad_bisect_member("commits", "a list of two commits or more");
  }
  for (const Json& commit : commits) {
    OPBENCH_TRY(BisectCommit read, read_commit(commit));
    state.commits.push_back(std::move(read));
  }
  const Json direct = json.value("direct", Json::object());
  OPBENCH_TRY(const int before, whole_of(direct, "before", 0));
  OPBENCH_TRY(const int after, whole_of(direct, "after", 0));
  OPBENCH_TRY(state.direct.log_ratios, ratios_of(direct));
  if (std::max(before, after) >= std::ssize(state.commits)) {
    return bad_bisect_member("direct", "positions among the commits");
  }
  state.direct.before = static_cast<size_t>(before);
  state.direct.after = static_cast<size_t>(after);
  return state;
}

}  // namespace opbench
