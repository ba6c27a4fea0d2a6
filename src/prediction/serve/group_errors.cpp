#include "prediction/serve/group_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

double measured_ms(const GroupSample& group) { return std::ranges::max(group.ends_ms); }

double error_of(const GroupMethod& method, const GroupSample& group) {
  return std::abs(method.predict(group.parts) / measured_ms(group) - 1);
}

Result<void> check_groups(const std::vector<GroupSample>& groups) {
  for (size_t i = 0; i < groups.size(); ++i) {
    const GroupSample& one = groups[i];
    const auto is_time = [](double ms) { return std::isfinite(ms) && ms > 0; };
    const bool is_right =
        one.parts.size() >= 2 && one.ends_ms.size() == one.parts.size() &&
        std::ranges::all_of(one.ends_ms, is_time) &&
        std::ranges::all_of(one.parts, [&](const auto& part) { return is_time(part.solo_ms); });
    if (!is_right) {
      return invalid_input(fmt::format("group {} needs two parts at least, with times above 0", i));
    }
  }
  return {};
}

/// Errors of one method, group by group.
struct MethodErrors {
  std::string method;
  std::vector<double> all, slowed;
};

void judge(const std::vector<GroupMethod>& methods, const std::vector<GroupSample>& groups,
           std::vector<MethodErrors>& errors) {
  constexpr double kTimesNoise = 2;
  if (errors.empty()) {
    for (const GroupMethod& method : methods) errors.push_back({method.name, {}, {}});
  }
  for (const GroupSample& group : groups) {
    const bool is_slowed = error_of(methods.front(), group) > kTimesNoise * group.error;
    for (size_t i = 0; i < methods.size(); ++i) {
      const double error = error_of(methods[i], group);
      errors[i].all.push_back(error);
      if (is_slowed) errors[i].slowed.push_back(error);
    }
  }
}

GroupJudgement summary_of(const std::vector<MethodErrors>& errors,
                          const std::vector<GroupSample>& groups) {
  GroupJudgement judgement{.errors = {}, .noise_floor = noise_floor_of(groups)};
  for (const MethodErrors& one : errors) {
    judgement.errors.push_back({.method = one.method,
                                .groups = one.all.size(),
                                .mean_error = mean(one.all),
                                .median_error = median(one.all),
                                .worst_error = std::ranges::max(one.all),
                                .slowed_groups = one.slowed.size(),
                                .slowed_error = mean(one.slowed)});
  }
  return judgement;
}

Result<std::vector<GroupMethod>> methods_from(const std::vector<GroupSample>& known,
                                              double bytes_per_ms) {
  std::vector<GroupMethod> methods = plain_group_methods(bytes_per_ms);
  OPBENCH_TRY(const std::vector<GroupMethod> learnt, fit_group_methods(known));
  methods.insert(methods.end(), learnt.begin(), learnt.end());
  return methods;
}

}  // namespace

double noise_floor_of(const std::vector<GroupSample>& groups) {
  std::vector<double> errors;
  for (const GroupSample& group : groups) errors.push_back(group.error);
  return mean(errors);
}

Result<GroupJudgement> judge_group_methods(const std::vector<GroupSample>& groups,
                                           double bytes_per_ms, int folds, uint64_t seed) {
  if (folds < 2 || groups.size() < static_cast<size_t>(folds)) {
    return invalid_input(
        fmt::format("{} groups cannot be cut into {} folds", groups.size(), folds));
  }
  OPBENCH_CHECK(check_groups(groups));
  const std::vector<size_t> order = Random(seed, "folds").shuffled(groups.size());
  std::vector<MethodErrors> errors;
  for (int fold = 0; fold < folds; ++fold) {
    std::vector<GroupSample> known, unseen;
    for (size_t i = 0; i < order.size(); ++i) {
      const bool is_unseen = i % static_cast<size_t>(folds) == static_cast<size_t>(fold);
      (is_unseen ? unseen : known).push_back(groups[order[i]]);
    }
    OPBENCH_TRY(const std::vector<GroupMethod> methods, methods_from(known, bytes_per_ms));
    judge(methods, unseen, errors);
  }
  return summary_of(errors, groups);
}

Result<GroupJudgement> judge_on_unseen_segments(const std::vector<GroupSample>& groups,
                                                double bytes_per_ms) {
  OPBENCH_CHECK(check_groups(groups));
  const auto is_numbered = [](const auto& one) { return one.segments.size() == one.parts.size(); };
  if (!std::ranges::all_of(groups, is_numbered)) return invalid_input("segments are not numbered");
  std::vector<MethodErrors> errors;
  std::vector<GroupSample> judged;
  for (const GroupSample& group : groups) {
    std::vector<GroupSample> known;
    for (const GroupSample& other : groups) {
      const bool shares = std::ranges::any_of(other.segments, [&](size_t segment) {
        return std::ranges::count(group.segments, segment) > 0;
      });
      if (!shares) known.push_back(other);
    }
    if (known.empty()) continue;
    OPBENCH_TRY(const std::vector<GroupMethod> methods, methods_from(known, bytes_per_ms));
    judge(methods, {group}, errors);
    judged.push_back(group);
  }
  if (judged.empty()) return invalid_input("every group shares a segment with every other");
  return summary_of(errors, judged);
}

Result<GroupJudgement> judge_on_unseen(const std::vector<GroupSample>& known,
                                       const std::vector<GroupSample>& unseen,
                                       double bytes_per_ms) {
  if (unseen.empty()) return invalid_input("there is no group to judge on");
  OPBENCH_CHECK(check_groups(known));
  OPBENCH_CHECK(check_groups(unseen));
  OPBENCH_TRY(const std::vector<GroupMethod> methods, methods_from(known, bytes_per_ms));
  std::vector<MethodErrors> errors;
  judge(methods, unseen, errors);
  return summary_of(errors, unseen);
}

}  // namespace opbench
