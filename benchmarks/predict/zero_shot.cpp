// `./dev bench predict --zero-shot FOLDER`: of every shape in the tuning logs of the folder, trials
// of the other shapes choose among its measured configs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "benchmarks/common/program_run.h"
#include "benchmarks/predict/part.h"
#include "benchmarks/predict/shapes.h"
#include "kernels/tasks/template.h"
#include "measuring/results/statistics.h"
#include "prediction/analysis/ranks.h"
#include "prediction/zero_shot/config_encoder.h"
#include "prediction/zero_shot/schedule_ranker.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {
namespace {

constexpr size_t kSearch = 64;  // trials of the search that it is compared with
constexpr uint64_t kMostRanked = 20'000;

/// The expected regret of the best of `count` random configs: of n sorted times the i-th is the
/// best with probability C(n - i, count - 1) / C(n, count).
double random_regret(const MeasuredShape& shape, size_t count) {
  std::vector<double> times;
  for (const auto& [index, time] : shape.times_s) times.push_back(time);
  std::ranges::sort(times);
  const auto n = static_cast<double>(times.size());
  double none_better = 1, expected = 0;  // none of the earlier ones was drawn
  for (size_t i = 0; i < times.size(); ++i) {
    const auto left = n - static_cast<double>(i);
    const double drawn = std::min(1.0, static_cast<double>(count) / left);
    if (times[i] == kInfinity) return none_better > 1e-9 ? kInfinity : expected;
    expected += none_better * drawn * (times[i] / shape.best_s - 1);
    none_better *= 1 - drawn;
  }
  return expected;
}

/// How far two configs are apart: the sum over knobs of |log2| of sizes, 1 for other values that
/// differ.
double distance(const KnobConfig& a, const KnobConfig& b) {
  double sum = 0;
  for (const KnobValue& knob : a.knobs) {
    const auto other = std::ranges::find(b.knobs, knob.name, &KnobValue::name);
    if (other == b.knobs.end()) continue;
    if (knob.kind != "sp") {
      sum += knob.value == other->value ? 0 : 1;
      continue;
    }
    const auto &sizes = knob.value.items, &others = other->value.items;
    for (size_t i = 1; i < std::min(sizes.size(), others.size()); ++i) {
      sum += std::abs(std::log2(static_cast<double>(sizes[i].integer)) -
                      std::log2(static_cast<double>(others[i].integer)));
    }
  }
  return sum;
}

/// The measured config that is nearest to another one.
uint64_t nearest_measured(const MeasuredShape& shape, const KnobConfig& config) {
  uint64_t nearest = shape.times_s.begin()->first;
  double least = kInfinity;
  for (const auto& [index, time] : shape.times_s) {
    const double apart = distance(config_at(shape.space, index).value(), config);
    if (apart >= least) continue;
    least = apart;
    nearest = index;
  }
  return nearest;
}

/// The best config of the nearest other shape.
KnobConfig best_of_nearest(const MeasuredShape& shape, const std::vector<MeasuredShape>& others) {
  const std::vector<float> numbers = ConfigEncoder(shape.task, shape.space).shape();
  const MeasuredShape* nearest = nullptr;
  double least = kInfinity;
  for (const MeasuredShape& other : others) {
    if (&other == &shape) continue;
    const std::vector<float> theirs = ConfigEncoder(other.task, other.space).shape();
    double apart = 0;
    for (size_t i = 0; i < std::min(numbers.size(), theirs.size()); ++i)
      apart += std::abs(static_cast<double>(numbers[i] - theirs[i]));
    if (apart >= least) continue;
    least = apart;
    nearest = &other;
  }
  const auto best =
      std::ranges::min_element(nearest->times_s, {}, [](auto& e) { return e.second; });
  return config_at(nearest->space, best->first).value();
}

struct Choice {
  const MeasuredShape* shape = nullptr;
  size_t configs = 0;
  double first = 0, five = 0;  ///< regrets
  double random_five = 0, random_search = 0;
  double nearest = 0;
  std::optional<double> by_default;
  double spearman = 0;
  double seconds = 0;  ///< to learn and to rank the whole space
  double search_s = 0;
};

Result<Choice> choose(const MeasuredShape& shape, const std::vector<MeasuredShape>& shapes,
                      uint64_t seed) {
  const auto begin = std::chrono::steady_clock::now();
  ScheduleRanker ranker;
  for (const MeasuredShape& other : shapes) {
    if (&other == &shape) continue;
    std::vector<RankedTrial> trials;
    for (const auto& [index, time] : other.times_s)
      trials.push_back({index, time == kInfinity ? 0 : time});
    ranker.add(other.task, other.space, trials);
  }
  OPBENCH_CHECK(ranker.fit());
  OPBENCH_TRY(const uint64_t size, size_of(shape.space));
  OPBENCH_CHECK(ranker.scores(shape.task, shape.space, ranked_configs(size, kMostRanked, seed)));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;

  std::vector<uint64_t> configs;
  for (const auto& [index, time] : shape.times_s) configs.push_back(index);
  OPBENCH_TRY(const std::vector<float> scores, ranker.scores(shape.task, shape.space, configs));
  const std::vector<uint64_t> order = by_score(configs, scores);
  Choice choice{.shape = &shape, .configs = configs.size(), .first = shape.regret(order.front())};
  choice.five = kInfinity;
  for (size_t i = 0; i < std::min<size_t>(5, order.size()); ++i)
    choice.five = std::min(choice.five, shape.regret(order[i]));
  std::vector<double> predicted, speeds;
  for (size_t i = 0; i < configs.size(); ++i) {
    predicted.push_back(scores[i]);
    speeds.push_back(1 / shape.times_s.at(configs[i]));
  }
  choice.spearman = spearman(predicted, speeds);
  choice.random_five = random_regret(shape, 5);
  choice.random_search = random_regret(shape, kSearch);
  choice.nearest = shape.regret(nearest_measured(shape, best_of_nearest(shape, shapes)));
  if (const auto config = fallback_of(shape.task))
    choice.by_default = shape.regret(nearest_measured(shape, *config));
  choice.seconds = spent.count();
  choice.search_s = shape.trial_s * static_cast<double>(kSearch);
  return choice;
}

std::string predict_zero_shot_percent(double regret) {
  return regret == kInfinity ? "fails" : fmt::format("{:.1f}", 100 * regret);
}

void print_predict_zero_shot(const std::string& group, const std::vector<Choice>& choices,
                             Report& report) {
  TextTable table{.columns = {{"shape"},
                              {"configs", true},
                              {"first", true},
                              {"best of 5", true},
                              {"random 5", true},
                              {"random 64", true},
                              {"nearest", true},
                              {"default", true},
                              {"Spearman", true},
                              {"s", true},
                              {"64 trials, s", true}},
                  .rows = {}};
  for (const Choice& choice : choices) {
    table.rows.push_back(
        {.cells = {choice.shape->name, std::to_string(choice.configs),
                   predict_zero_shot_percent(choice.first), predict_zero_shot_percent(choice.five),
                   predict_zero_shot_percent(choice.random_five),
                   predict_zero_shot_percent(choice.random_search),
                   predict_zero_shot_percent(choice.nearest),
                   choice.by_default ? predict_zero_shot_percent(*choice.by_default) : "-",
                   fmt::format("{:.3f}", choice.spearman), fmt::format("{:.2f}", choice.seconds),
                   fmt::format("{:.1f}", choice.search_s)}});
  }
  report.note(fmt::format("{}: regret in % of the best config that was measured", group));
  report.note(aligned_text(table, 0, TextStyle(false)));
}

double predict_zero_shot_median_of(const std::vector<Choice>& choices, double Choice::*value) {
  std::vector<double> values;
  for (const Choice& choice : choices) values.push_back(choice.*value);
  return median(values);
}

/// Part of the shapes for which the first choice is over 2 % slower than another choice.
double part_behind(const std::vector<Choice>& choices,
                   const std::function<std::optional<double>(const Choice&)>& other) {
  double behind = 0, count = 0;
  for (const Choice& choice : choices) {
    const auto regret = other(choice);
    if (!regret) continue;
    count += 1;
    behind += 1 + choice.first > 1.02 * (1 + *regret) ? 1 : 0;
  }
  return count > 0 ? behind / count : 0;
}

void add_predict_zero_shot_bars(const std::vector<Choice>& choices, Report& report) {
  const auto name = [&](const char* what) {
    return fmt::format("zero-shot: {}, {} convolutions", what, choices.size());
  };
  const double five = predict_zero_shot_median_of(choices, &Choice::five);
  report.add({name("regret of the first, median"),
              predict_zero_shot_median_of(choices, &Choice::first), 0.05});
  report.add({name("regret of the best of 5, median"), five, 0.02});
  report.add({name("regret of the best of 5 / of 5 random ones"),
              five / predict_zero_shot_median_of(choices, &Choice::random_five), 0.5});
  report.add({name("part behind the nearest shape's best"),
              part_behind(choices, [](const Choice& choice) { return choice.nearest; }), 0.3});
  report.add({name("part behind the default"),
              part_behind(choices, [](const Choice& choice) { return choice.by_default; }), 0.3});
  report.add({name("time / time of 64 trials, median"),
              predict_zero_shot_median_of(choices, &Choice::seconds) /
                  predict_zero_shot_median_of(choices, &Choice::search_s),
              0.1});
}

/// Measures random configs of a model's tasks, goes on where it was interrupted.
Result<void> measure_predict_zero_shot(const std::string& folder, const Arguments& arguments) {
  for (const std::string& model : arguments.values("--measure")) {
    const std::string log =
        (std::filesystem::path(folder) / (std::filesystem::path(model).stem().string() + ".log"))
            .string();
    Report::progress("measuring " + model + " into " + log);
    OPBENCH_TRY(const ProgramRun run,
                run_to_end({.argv = {opbench_path(), "tune", model, "--templates", "tvm", "--tuner",
                                     "random", "--trials", arguments.value("--configs"), "--log",
                                     log, "--continue", "--quiet", "--format", "json"},
                            .environment = {{"OPBENCH_STORE", "none"}},
                            .limit_s = 86400}));
    if (run.exit_code != 0) {
      return Error{ErrorCode::kSystem, "tune did not end well"}.with("stderr", run.err);
    }
  }
  return {};
}

Result<void> run_predict_zero_shot(const std::string& folder, const Arguments& arguments,
                                   Report& report) {
  OPBENCH_CHECK(measure_predict_zero_shot(folder, arguments));
  OPBENCH_TRY(const int64_t least, arguments.integer("--least", 6));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  OPBENCH_TRY(const Groups groups, read_shapes(folder, static_cast<size_t>(least), report));
  std::vector<Choice> convolutions;
  for (const auto& [group, shapes] : groups) {
    std::vector<Choice> choices;
    for (const MeasuredShape& shape : shapes) {
      OPBENCH_TRY(Choice choice, choose(shape, shapes, static_cast<uint64_t>(seed)));
      choices.push_back(choice);
      Report::progress(fmt::format("{} of {} shapes", choices.size(), shapes.size()));
    }
    print_predict_zero_shot(group, choices, report);
    if (group.starts_with("conv2d_"))
      convolutions.insert(convolutions.end(), choices.begin(), choices.end());
  }
  if (!convolutions.empty()) add_predict_zero_shot_bars(convolutions, report);
  return {};
}

}  // namespace

PredictPart predict_zero_shot() {
  return {.option = {.name = "--zero-shot",
                     .value_name = "FOLDER",
                     .help = "tuning logs; each of their shapes is held out once"},
          .options = {{.name = "--measure",
                       .value_name = "MODEL,…",
                       .help = "of --zero-shot: first measure random configs of these models'\n"
                               "tasks into logs in FOLDER; takes 22 s a shape with 500 configs",
                       .kind = OptionKind::kList},
                      {.name = "--configs",
                       .value_name = "N",
                       .help = "of --measure: configs of each task",
                       .otherwise = "500"},
                      {.name = "--least",
                       .value_name = "N",
                       .help = "of --zero-shot: configs that a shape must have",
                       .otherwise = "50"}},
          .run = run_predict_zero_shot};
}

}  // namespace opbench
