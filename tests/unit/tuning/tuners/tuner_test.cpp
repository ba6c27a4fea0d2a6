#include "tuning/tuners/tuner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/numbers/random.h"
#include "kernels/space/space_builder.h"
#include "kernels/tasks/task_arguments.h"

namespace opbench {
namespace {

ConfigSpace space_with(const std::vector<int64_t>& sizes) {
  SpaceBuilder builder;
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<int64_t> values;
    for (int64_t v = 0; v < sizes[i]; ++v) values.push_back(v);
    builder.define_option("k" + std::to_string(i), values);
  }
  return *std::move(builder).finish();
}

std::unique_ptr<Tuner> make_tuner(const std::string& name, const ConfigSpace& space,
                                  uint64_t seed) {
  return (*tuner_table().find(name))->make({space, *size_of(space), seed});
}

using Score = std::function<double(uint64_t)>;

/// The configs in the order in which they are given, `batch` at a time, until there are no more.
std::vector<uint64_t> all_configs(Tuner& tuner, size_t batch, const Score& score) {
  std::vector<uint64_t> configs;
  for (;;) {
    const std::vector<uint64_t> given = tuner.next(batch);
    if (given.empty()) return configs;
    for (const uint64_t config : given) tuner.tell(config, score(config));
    configs.insert(configs.end(), given.begin(), given.end());
  }
}

double flat(uint64_t) { return 1; }

/// A hill over the digits with its top inside, 1 there.
Score hill_of(const ConfigSpace& space, uint64_t seed) {
  Random numbers(seed, "hill");
  std::vector<double> top;
  for (const Knob& knob : space.knobs) {
    top.push_back(numbers.uniform() * static_cast<double>(knob.entities.size() - 1));
  }
  return [&space, top](uint64_t config) {
    const std::vector<size_t> digits = *digits_of(space, config);
    double away = 0;
    for (size_t i = 0; i < digits.size(); ++i) {
      const double width = static_cast<double>(space.knobs[i].entities.size());
      const double far = (static_cast<double>(digits[i]) - top[i]) / width;
      away += far * far;
    }
    return 1e9 / (1 + 20 * away);
  };
}

/// How many configs it takes to one whose score is within 3 % of the best.
size_t trials_to_top(const std::string& name, const ConfigSpace& space, uint64_t seed) {
  const Score hill = hill_of(space, seed);
  double best = 0;
  for (uint64_t i = 0; i < *size_of(space); ++i) best = std::max(best, hill(i));
  const auto tuner = make_tuner(name, space, seed);
  size_t trials = 0;
  for (;;) {
    const std::vector<uint64_t> given = tuner->next(8);
    if (given.empty()) return trials;
    for (const uint64_t config : given) {
      ++trials;
      const double score = hill(config);
      if (score >= 0.97 * best) return trials;
      tuner->tell(config, score);
    }
  }
}

/// A dense layer of [rows, depth] by [columns, depth], whose splits are the divisors of the three.
struct DenseTask {
  Task task;
  ConfigSpace space;
  uint64_t size = 0;

  DenseTask(int64_t rows, int64_t columns, int64_t depth)
      : task{"dense_nopack.x86",
             {tensor_argument({DataType::kFloat32, {rows, depth}}),
              tensor_argument({DataType::kFloat32, {columns, depth}}), Argument::null(),
              Argument::of_string("float32")},
             {}},
        space(*space_of(task)),
        size(*size_of(space)) {}

  std::unique_ptr<Tuner> tuner(const std::string& name, uint64_t seed) const {
    return (*tuner_table().find(name))->make({space, size, seed, &task});
  }
};

class EveryTuner : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Tuner> make(uint64_t seed) const { return dense_.tuner(GetParam(), seed); }

  const DenseTask dense_{8, 48, 16};  // 4 x 10 x 5 configs
  const Score hill_ = hill_of(dense_.space, 1);
};

TEST_P(EveryTuner, TakesEveryTaskThatHasASchedule) {
  const TunerDef& def = **tuner_table().find(GetParam());
  if (def.check == nullptr) return;
  for (const char* name : {"conv2d_NCHWc.x86", "depthwise_conv2d_NCHWc.x86", "dense_nopack.x86",
                           "dense_pack.x86", "batch_matmul.x86"}) {
    EXPECT_TRUE(def.check({name, {}, {}})) << name;
  }
}

TEST_P(EveryTuner, GivesEveryConfigOnce) {
  for (const auto& [rows, columns, depth] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {1, 1, 1}, {1, 64, 1}, {16, 27, 4}, {8, 48, 16}}) {
    const DenseTask dense(rows, columns, depth);
    const auto tuner = dense.tuner(GetParam(), 3);
    std::vector<uint64_t> configs = all_configs(*tuner, 7, hill_of(dense.space, 1));
    std::ranges::sort(configs);
    std::vector<uint64_t> expected(dense.size);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = i;
    EXPECT_EQ(configs, expected);
    EXPECT_TRUE(tuner->next(1).empty());
  }
}

TEST_P(EveryTuner, GivesTheSameConfigsForTheSameSeed) {
  EXPECT_EQ(all_configs(*make(11), 4, hill_), all_configs(*make(11), 4, hill_));
}

TEST_P(EveryTuner, DoesNotGiveWhatItWasTold) {
  const auto tuner = make(5);
  std::set<uint64_t> told;
  for (uint64_t config = 0; config < dense_.size; config += 3) {
    tuner->tell(config, hill_(config));
    told.insert(config);
  }
  for (const uint64_t config : all_configs(*tuner, 16, hill_)) {
    EXPECT_TRUE(told.insert(config).second) << config;
  }
  EXPECT_EQ(told.size(), dense_.size);
}

TEST_P(EveryTuner, GoesOnWhenScoresComeLateAndInAnotherOrder) {
  const auto tuner = make(5);
  std::vector<uint64_t> waiting;
  std::set<uint64_t> seen;
  for (;;) {
    const std::vector<uint64_t> given = tuner->next(5);
    for (const uint64_t config : given) EXPECT_TRUE(seen.insert(config).second);
    waiting.insert(waiting.end(), given.begin(), given.end());
    if (waiting.empty()) break;
    if (given.empty() || waiting.size() > 12) {
      tuner->tell(waiting.back(), hill_(waiting.back()));
      waiting.pop_back();
    }
  }
  EXPECT_EQ(seen.size(), dense_.size);
}

TEST_P(EveryTuner, TakesFailures) {
  EXPECT_EQ(all_configs(*make(5), 9, [](uint64_t) { return 0.0; }).size(), dense_.size);
}

TEST_P(EveryTuner, TakesConfigsOfEqualScore) {
  EXPECT_EQ(all_configs(*make(5), 9, flat).size(), dense_.size);
}

INSTANTIATE_TEST_SUITE_P(Tuners, EveryTuner, testing::ValuesIn(tuner_table().names()),
                         [](const auto& named) {
                           std::string name = named.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(GridsearchTuner, MovesTheFirstKnobFirst) {
  const ConfigSpace space = space_with({3, 2});
  EXPECT_EQ(all_configs(*make_tuner("gridsearch", space, 0), 4, flat),
            (std::vector<uint64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(RandomTuner, GivesOtherConfigsForOtherSeeds) {
  const ConfigSpace space = space_with({20, 6, 7, 2});
  EXPECT_NE(make_tuner("random", space, 1)->next(20), make_tuner("random", space, 2)->next(20));
}

TEST(RandomTuner, GivesEachConfigFirstAboutAsOften) {
  const ConfigSpace space = space_with({10});
  std::map<uint64_t, int> first;
  for (uint64_t seed = 0; seed < 2000; ++seed)
    ++first[make_tuner("random", space, seed)->next(1)[0]];
  for (const auto& [config, count] : first) EXPECT_NEAR(count, 200, 60) << config;
}

TEST(RandomTuner, TakesSpacesOfAnySize) {
  const ConfigSpace space = space_with({1000, 1000, 1000, 1000, 1000});
  const auto tuner = make_tuner("random", space, 1);
  std::set<uint64_t> seen;
  for (const uint64_t config : tuner->next(5000)) EXPECT_TRUE(seen.insert(config).second);
  EXPECT_EQ(seen.size(), 5000);
}

TEST(GaTuner, WaitsForItsGeneration) {
  const ConfigSpace space = space_with({20, 6, 7, 2});
  const auto tuner = make_tuner("ga", space, 1);
  const std::vector<uint64_t> generation = tuner->next(1000);
  EXPECT_EQ(generation.size(), 20) << "half the root of 1680";
  EXPECT_TRUE(tuner->next(1).empty());
  for (const uint64_t config : generation) tuner->tell(config, 1);
  EXPECT_EQ(tuner->next(1000).size(), 20);
}

TEST(GaTuner, HasGenerationsOfAHundredInLargeSpacesAndOfEightInSmallOnes) {
  EXPECT_EQ(make_tuner("ga", space_with({100, 100, 100}), 1)->next(1000).size(), 100);
  EXPECT_EQ(make_tuner("ga", space_with({10, 10}), 1)->next(1000).size(), 8);
}

TEST(GaTuner, NeedsFewerTrialsThanRandomOnHills) {
  const ConfigSpace space = space_with({16, 14, 12, 10});
  std::vector<size_t> ga, random;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    ga.push_back(trials_to_top("ga", space, seed));
    random.push_back(trials_to_top("random", space, seed));
  }
  std::ranges::sort(ga);
  std::ranges::sort(random);
  EXPECT_LT(ga[4] + ga[5], random[4] + random[5]);
}

/// How many configs `opbench` takes to the best one with this estimate of them.
size_t trials_with(const DenseTask& dense, const Score& score, const Score& estimate) {
  const auto tuner =
      (*tuner_table().find("opbench"))->make({dense.space, dense.size, 7, &dense.task, estimate});
  double most = 0;
  for (uint64_t config = 0; config < dense.size; ++config) most = std::max(most, score(config));
  for (size_t trials = 1;; ++trials) {
    const uint64_t config = tuner->next(1).at(0);
    if (score(config) == most) return trials;
    tuner->tell(config, score(config));
  }
}

TEST(OpbenchTuner, BeginsWithWhatIsExpectedToBeFastest) {
  const DenseTask dense(8, 48, 16);
  const Score hill = hill_of(dense.space, 1);
  EXPECT_EQ(trials_with(dense, hill, [&](uint64_t config) { return 1 / hill(config); }), 1);
}

TEST(OpbenchTuner, FindsTheBestThoughTheWorstWasExpected) {
  const DenseTask dense(8, 48, 16);
  const Score hill = hill_of(dense.space, 1);
  EXPECT_LT(trials_with(dense, hill, hill), dense.size / 2);
}

TEST(OpbenchTuner, GivesEveryConfigThoughNoneSeemsPossible) {
  const DenseTask dense(8, 48, 16);
  const auto tuner =
      (*tuner_table().find("opbench"))
          ->make({dense.space, dense.size, 7, &dense.task, [](uint64_t) { return 0.0; }});
  EXPECT_EQ(all_configs(*tuner, 8, flat).size(), dense.size);
}

}  // namespace
}  // namespace opbench
