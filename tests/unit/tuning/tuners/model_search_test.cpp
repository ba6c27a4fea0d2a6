#include "tuning/tuners/model_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/tasks/task_arguments.h"

namespace opbench {
namespace {

Task convolution_task(int64_t channels, int64_t extent) {
  const AnchorCall call{.op = "nn.conv2d",
                        .data = {DataType::kFloat32, {1, channels, extent, extent}},
                        .weight = {DataType::kFloat32, {channels, channels, 3, 3}},
                        .strides = {1, 1},
                        .padding = {1, 1, 1, 1},
                        .dilation = {1, 1}};
  return {"conv2d_NCHWc.x86", blocked_convolution_arguments(call), {}};
}

/// The 3x3 convolution of resnet-18's first blocks: 980 configs.
Task resnet_task() { return convolution_task(64, 56); }

double last_of(const KnobConfig& config, size_t knob) {
  return static_cast<double>(config.knobs[knob].value.items.back().integer);
}

class ModelSearchTest : public testing::Test {
 protected:
  std::unique_ptr<Tuner> make(const std::string& name, uint64_t seed) const {
    return (*tuner_table().find(name))->make({space_, size_, seed, &task_});
  }

  /// As kernels behave: best with 16 channels in a vector and 24 registers of sums, slow when the
  /// sums do not fit into registers; and a few per cent that no knob explains.
  double score(uint64_t config, uint64_t seed) const { return score(space_, config, seed); }

  static double score(const ConfigSpace& space, uint64_t index, uint64_t seed) {
    const KnobConfig config = *config_at(space, index);
    const double lanes = std::log2(last_of(config, 1) / 16);
    const double sums = std::log2(last_of(config, 1) * last_of(config, 2) / (16 * 24));
    const double in = std::log2(last_of(config, 0) / 16);
    const double loops = config.knobs[3].value.flag ? 0 : 0.1;
    Random noise(seed * 10000 + index);
    const double slow = 1 + 0.4 * lanes * lanes + (sums > 0 ? 0.8 : 0.2) * sums * sums +
                        0.05 * in * in + loops + 0.04 * noise.uniform();
    return 1e11 / slow;
  }

  /// How many configs it takes to one within 3 % of the best.
  size_t trials(const std::string& name, uint64_t seed) const {
    return trials(*make(name, seed), seed);
  }

  size_t trials(Tuner& tuner, uint64_t seed) const {
    double best = 0;
    for (uint64_t i = 0; i < size_; ++i) best = std::max(best, score(i, seed));
    for (size_t made = 1;; ++made) {
      const uint64_t config = tuner.next(1).front();
      const double reached = score(config, seed);
      if (reached >= 0.97 * best) return made;
      tuner.tell(config, reached);
    }
  }

  double median_trials(const std::string& name) const {
    std::vector<size_t> all;
    for (uint64_t seed = 0; seed < 11; ++seed) all.push_back(trials(name, seed));
    std::ranges::sort(all);
    return static_cast<double>(all[all.size() / 2]);
  }

  /// `count` configs of another convolution, whose best is twice as fast.
  static void teach(Tuner& tuner, const Task& other, size_t count) {
    const ConfigSpace space = *space_of(other);
    const uint64_t size = *size_of(space);
    Random random(count, "taught");
    std::vector<ScoredConfig> configs;
    for (const size_t config : random.shuffled(size)) {
      if (configs.size() < count) configs.push_back({config, 2 * score(space, config, 99)});
    }
    tuner.learn_from({.space = space, .size = size, .task = &other}, configs);
  }

  const Task task_ = resnet_task();
  const ConfigSpace space_ = *space_of(task_);
  const uint64_t size_ = *size_of(space_);
};

TEST_F(ModelSearchTest, NeedsFarFewerTrialsThanRandomOnATaskOfResnet) {
  ASSERT_EQ(size_, 980);
  const double random = median_trials("random");
  for (const char* name : {"xgb", "xgb-rank", "xgb_knob", "xgb_itervar", "xgb_curve"}) {
    const double needed = median_trials(name);
    RecordProperty(name, std::to_string(needed));
    EXPECT_LT(needed, 0.6 * random) << name;
  }
}

TEST_F(ModelSearchTest, PlansWithTheFirst64Samples) {
  const auto tuner = make("xgb_knob", 1);
  for (const uint64_t config : tuner->next(64)) tuner->tell(config, score(config, 1));
  double planned = 0, later = 0;
  for (const uint64_t config : tuner->next(61)) planned += score(config, 1) / 61;
  // The plan is used up: random ones until the next is made.
  for (const uint64_t config : tuner->next(61)) later += score(config, 1) / 61;
  EXPECT_GT(planned, 1.5 * later);
}

TEST_F(ModelSearchTest, BeginsWithTheConfigsOfTheRandomTuner) {
  EXPECT_EQ(make("xgb", 7)->next(64), make("random", 7)->next(64));
}

TEST_F(ModelSearchTest, LearnsFromALog) {
  double from_log = 0, at_random = 0;
  const auto tuner = make("xgb_knob", 1);
  for (uint64_t config = 0; config < size_; config += 10) tuner->tell(config, score(config, 1));
  for (const uint64_t config : tuner->next(50)) from_log += score(config, 1);
  for (const uint64_t config : make("random", 1)->next(50)) at_random += score(config, 1);
  EXPECT_GT(from_log, 1.5 * at_random);
}

TEST_F(ModelSearchTest, BeginsWithWhatAnotherTaskOfTheTemplateTaught) {
  const Task other = convolution_task(128, 28);
  for (const char* name : {"xgb", "xgb-rank", "xgb_knob"}) {
    std::vector<size_t> taught;
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const auto tuner = make(name, seed);
      teach(*tuner, other, 600);
      taught.push_back(trials(*tuner, seed));
    }
    std::ranges::sort(taught);
    // Alone it plans nothing before it knows 64 configs of its own.
    EXPECT_LT(taught[1], 40) << name;
  }
}

TEST_F(ModelSearchTest, OurOwnBeginsWithWhatAnotherTaskOfTheTemplateTaught) {
  double taught = 0, alone = 0, strange = 0;
  const auto tuner = make("opbench", 1), untaught = make("opbench", 1), other = make("opbench", 1);
  teach(*tuner, convolution_task(128, 28), 600);
  teach(*other, convolution_task(128, 28), 499);
  for (const uint64_t config : tuner->next(8)) taught += score(config, 1);
  for (const uint64_t config : untaught->next(8)) alone += score(config, 1);
  for (const uint64_t config : other->next(8)) strange += score(config, 1);
  EXPECT_GT(taught, 1.5 * alone);
  EXPECT_EQ(strange, alone) << "too few points";
}

TEST_F(ModelSearchTest, GoesOnFromWhatItWasTaught) {
  const Task task = convolution_task(32, 14);
  const ConfigSpace space = *space_of(task);
  const uint64_t size = *size_of(space);
  // The discount of what it was taught is below its least after 5 plans of 64 configs.
  ASSERT_GT(size, 6 * 64);
  for (const char* name : {"xgb", "opbench"}) {
    const auto tuner = (*tuner_table().find(name))->make({space, size, 3, &task});
    teach(*tuner, convolution_task(128, 28), 600);
    std::set<uint64_t> seen;
    for (size_t made = 0; made < size; ++made) {  // all discounts, and none
      const uint64_t config = tuner->next(1).front();
      EXPECT_TRUE(seen.insert(config).second);
      tuner->tell(config, score(space, config, 3));
    }
    EXPECT_TRUE(tuner->next(1).empty());
  }
}

TEST_F(ModelSearchTest, IsNotTaughtByFewConfigsOrByAnotherTemplate) {
  const auto alone = make("xgb_knob", 1), few = make("xgb_knob", 1), strange = make("xgb_knob", 1);
  teach(*few, convolution_task(128, 28), 499);
  Task other = convolution_task(128, 28);
  const ConfigSpace space = *space_of(other);
  std::vector<ScoredConfig> configs;
  for (uint64_t config = 0; config < 600; ++config)
    configs.push_back({config, static_cast<double>(config % 7)});
  other.name = "conv2d_NCHWc_int8.x86";
  strange->learn_from({.space = space, .size = 600, .task = &other}, configs);
  const std::vector<uint64_t> first = alone->next(20);
  EXPECT_EQ(strange->next(20), first);
  EXPECT_EQ(few->next(20), first);
}

TEST_F(ModelSearchTest, CountsAConfigToldTwiceOnce) {
  const auto tuner = make("xgb_knob", 1), once = make("xgb_knob", 1);
  for (uint64_t config = 0; config < 128; ++config) {
    tuner->tell(config, score(config, 1));
    tuner->tell(config, 0);
    once->tell(config, score(config, 1));
  }
  EXPECT_EQ(tuner->next(64), once->next(64));
}

TEST_F(ModelSearchTest, GoesByKnobsWhereTheLoopsAreNotKnown) {
  const Task cuda{"conv2d_nchw.cuda", {}, {}};
  EXPECT_EQ(features_for({space_, size_, 0, &cuda}), FeatureKind::kKnob);
  EXPECT_EQ(features_for({space_, size_, 0, &task_}), FeatureKind::kItervar);
  EXPECT_EQ(features_for({space_, size_, 0, nullptr}), FeatureKind::kKnob);
  EXPECT_TRUE(check_trees(cuda));
  const auto checked = check_loop_features(cuda);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "no loops of template \"conv2d_nchw.cuda\" here, which this tuner goes by");
}

TEST_F(ModelSearchTest, FeaturesHaveTheOptionsAtTheEnd) {
  ConfigFeatures knob(FeatureKind::kKnob, space_, &task_);
  ConfigFeatures itervar(FeatureKind::kItervar, space_, &task_);
  ConfigFeatures curve(FeatureKind::kCurve, space_, &task_);
  // Three splits in two, one option.
  EXPECT_EQ(knob.of(0).size(), 3 * 2 + 1);
  EXPECT_EQ(curve.of(0).size(), 3 * 160 + 1);  // data, kernel, output
  EXPECT_EQ(itervar.of(0).back(), 1);          // unroll_kw: True, then False
  EXPECT_EQ(itervar.of(size_ - 1).back(), 0);
}

}  // namespace
}  // namespace opbench
