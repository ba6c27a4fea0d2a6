#include "engines/package/memory_plan.h"

#include <gmock/gmock.h>

#include <array>
#include <optional>

#include "machine/target/parse_target.h"
#include "model_maker.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

struct Planned {
  Model model;
  std::vector<PlannedStep> steps;
  MemoryPlan memory;

  const Slot& slot(const std::string& name, int block = 0) const {
    return memory.program.slots[static_cast<size_t>(index_of({name, block}))];
  }
  int index_of(const PlannedValue& value) const {
    const auto& slots = memory.program.slots;
    for (size_t i = 0; i < slots.size(); ++i) {
      const bool is_it = slots[i].name == value.name && slots[i].layout.block == value.block;
      if (is_it && slots[i].storage == Storage::kArena) return static_cast<int>(i);
    }
    ADD_FAILURE() << "no slot for " << value.name << "/" << value.block;
    return 0;
  }
};

Planned planned(Model model) {
  Planned result{std::move(model), {}, {}};
  const auto target = parse_target("llvm -mcpu=core-avx2");
  auto steps = plan_layouts(result.model, fuse(result.model), *target);
  EXPECT_TRUE(steps) << to_text(steps.error());
  if (steps) result.steps = std::move(*steps);
  result.memory = plan_memory(result.model, result.steps);
  return result;
}

/// Runs a program on memory whose every float notes which element of which value it is.
class Simulation {
 public:
  explicit Simulation(const Planned& planned)
      : planned_(planned),
        program_(planned.memory.program),
        memory_(static_cast<size_t>(program_.arena_bytes / 4), 0) {
    for (size_t i = 0; i < planned.steps.size(); ++i) {
      const auto& real = planned.memory.planned;
      if (std::ranges::count(real, i) == 0) skipped_[planned.steps[i].output] = i;
    }
  }

  void run() {
    for (const int input : program_.inputs) write(input);
    for (int round = 0; round < 2; ++round) {
      for (const Step& step : program_.steps) {
        for (const int argument : step.arguments) expect_intact(argument);
        write(step.result);
      }
      for (const int output : program_.outputs) expect_intact(output);
      for (const int input : program_.inputs) expect_intact(input);
    }
  }

 private:
  const Slot& slot(int index) const { return program_.slots[static_cast<size_t>(index)]; }

  void write(int index) {
    const Slot& target = slot(index);
    ASSERT_EQ(target.storage, Storage::kArena);
    ASSERT_EQ(target.offset % 64, 0) << target.name << ": kernels need whole cache lines";
    ASSERT_LE(target.offset + target.bytes, program_.arena_bytes) << target.name;
    const std::vector<int> content = own_content(index);
    std::ranges::copy(content, memory_.begin() + target.offset / 4);
  }

  void expect_intact(int index) {
    const Slot& target = slot(index);
    if (target.storage == Storage::kWeights) return;
    ASSERT_EQ(target.offset % 64, 0) << target.name << ": kernels need whole cache lines";
    const std::vector<int> wanted = content_of({target.name, target.layout.block});
    ASSERT_EQ(wanted.size(), static_cast<size_t>(target.bytes / 4));
    const auto begin = memory_.begin() + target.offset / 4;
    ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), begin))
        << target.name << "/" << target.layout.block << " was overwritten";
  }

  std::vector<int> own_content(int index) const {
    std::vector<int> content(static_cast<size_t>(slot(index).bytes / 4));
    for (size_t i = 0; i < content.size(); ++i) content[i] = index * 100000 + static_cast<int>(i);
    return content;
  }

  // A value that no step makes has the content of what it is made of.
  std::vector<int> content_of(const PlannedValue& value) const {
    const int index = planned_.index_of(value);
    std::vector<int> content;
    if (const auto skipped = skipped_.find(value); skipped != skipped_.end()) {
      for (const PlannedValue& part : planned_.steps[skipped->second].operands) {
        const std::vector<int> piece = content_of(part);
        content.insert(content.end(), piece.begin(), piece.end());
      }
    } else if (const auto viewed = viewed_by(value); viewed) {
      content = content_of({*viewed, 0});
    } else {
      return own_content(index);
    }
    content.resize(static_cast<size_t>(slot(index).bytes / 4));  // lanes may be cut off
    return content;
  }

  std::optional<std::string> viewed_by(const PlannedValue& value) const {
    for (const Node& node : planned_.model.graph.nodes) {
      const bool is_view = operator_of(node)->fusion == FusionRole::kView;
      if (is_view && value == PlannedValue{node.outputs[0], 0}) return node.inputs[0];
    }
    return std::nullopt;
  }

  const Planned& planned_;
  const Program& program_;
  std::vector<int> memory_;
  std::map<PlannedValue, size_t> skipped_;  ///< steps that are none of the program
};

/// A value of a random model.
struct Made {
  std::string name;
  Shape shape;
};

class RandomModel {
 public:
  explicit RandomModel(uint64_t seed) : random_(seed) {}

  Model make() {
    batch_ = static_cast<int64_t>(1 + random_.below(2));
    side_ = static_cast<int64_t>(1 + random_.below(4));
    for (const int64_t channels : {3, 8, 16}) {
      add(maker_.input("in" + std::to_string(channels), {batch_, channels, side_, side_}),
          channels);
    }
    const uint64_t count = 4 + random_.below(14);
    for (uint64_t i = 0; i < count; ++i) add_node("v" + std::to_string(i));
    std::vector<std::string> outputs = {values_.back().name};
    for (const Made& value : values_) {
      if (random_.below(6) == 0 && value.name != outputs[0]) outputs.push_back(value.name);
    }
    return maker_.finish(outputs);
  }

 private:
  const Made& any() { return values_[random_.below(values_.size())]; }

  void add(const std::string& name, int64_t channels) {
    values_.push_back({name, {batch_, channels, side_, side_}});
  }

  void add_node(const std::string& name) {
    const Made x = any();
    const int64_t channels = x.shape[1];
    switch (random_.below(8)) {
      case 0:
        add(maker_.node("Relu", {x.name}, name), channels);
        return;
      case 1:
        add(maker_.node("Exp", {x.name}, name), channels);
        return;
      case 2:
        add_sum(x, name);
        return;
      case 3:
        add_view(x, name);
        return;
      case 4:
        add_pool(x, name);
        return;
      case 5:
      case 6:
        add_concat(x, name);
        return;
      default:
        add_conv(x, name);
        return;
    }
  }

  void add_conv(const Made& x, const std::string& name) {
    const std::array<int64_t, 5> sizes = {4, 8, 12, 16, 24};
    const int64_t channels = sizes[random_.below(sizes.size())];
    add(maker_.conv(x.name, x.shape[1], channels, 1, name), channels);
  }

  void add_sum(const Made& x, const std::string& name) {
    for (const Made& other : values_) {
      if (other.shape != x.shape || other.name == x.name) continue;
      add(maker_.node("Add", {x.name, other.name}, name), x.shape[1]);
      return;
    }
    add(maker_.node("Add", {x.name, x.name}, name), x.shape[1]);
  }

  // There and back again, so that later nodes find four dimensions.
  void add_view(const Made& x, const std::string& name) {
    const std::string flat = maker_.node("Flatten", {x.name}, name + "f");
    const std::string shape = maker_.integers(name + "s", x.shape);
    add(maker_.node("Reshape", {flat, shape}, name), x.shape[1]);
  }

  void add_pool(const Made& x, const std::string& name) {
    add(maker_.node("MaxPool", {x.name}, name, {{"kernel_shape", std::vector<int64_t>{1, 1}}}),
        x.shape[1]);
  }

  void add_concat(const Made& x, const std::string& name) {
    std::vector<std::string> parts = {x.name};
    int64_t channels = x.shape[1];
    for (uint64_t i = random_.below(3); i > 0; --i) {
      const Made& part = any();
      parts.push_back(part.name);
      channels += part.shape[1];
    }
    add(maker_.concat(parts, name), channels);
  }

  Random random_;
  ModelMaker maker_;
  std::vector<Made> values_;
  int64_t batch_ = 1;
  int64_t side_ = 1;
};

TEST(MemoryPlan, KeepsEveryValueOfRandomModelsAsLongAsItIsNeeded) {
  size_t in_place = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Planned plan = planned(RandomModel(seed).make());
    Simulation(plan).run();
    in_place += plan.steps.size() - plan.memory.program.steps.size();
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(in_place, 50) << "the random models have nothing to place";
}

Model chain(int length) {
  ModelMaker m;
  std::string x = m.input("x", {1, 16, 8, 8});
  for (int i = 0; i < length; ++i) {
    x = m.node("Softmax", {x}, "v" + std::to_string(i), {{"axis", int64_t{3}}});
  }
  return m.finish({x});
}

TEST(MemoryPlan, LetsAChainRunInThreePlaces) {
  const Planned plan = planned(chain(12));
  Simulation(plan).run();
  constexpr int64_t kValue = 16 * 8 * 8 * 4;
  EXPECT_EQ(plan.memory.program.arena_bytes, 3 * kValue) << "the input and two by turns";
}

/// y = concat(a, b) of two convolutions with these channels over n x 3 x side x side.
Model joined(int64_t n, int64_t first, int64_t second, int64_t side) {
  ModelMaker m;
  const std::string x = m.input("x", {n, 3, side, side});
  return m.finish({m.concat({m.conv(x, 3, first, 1, "a"), m.conv(x, 3, second, 1, "b")}, "y")});
}

TEST(MemoryPlan, MakesPartsWhereTheyBelong) {
  const Planned plan = planned(joined(1, 8, 16, 4));
  Simulation(plan).run();
  const Slot& whole = plan.slot("y", 8);
  EXPECT_EQ(plan.slot("a", 8).offset, whole.offset);
  EXPECT_EQ(plan.slot("b", 8).offset, whole.offset + 8 * 16 * 4);
  EXPECT_EQ(plan.memory.program.steps.size(), 3) << "two convolutions and the layout change";
}

TEST(MemoryPlan, CopiesPartsOfSeveralImages) {
  const Planned plan = planned(joined(2, 8, 16, 5));
  Simulation(plan).run();
  EXPECT_EQ(plan.memory.program.steps.size(), plan.steps.size());
}

TEST(MemoryPlan, CopiesPartsThatWouldLieAcrossCacheLines) {
  ModelMaker m;
  const std::string x = m.input("x", {1, 4, 3});
  const std::string a = m.node("Softmax", {x}, "a");
  const std::string b = m.node("Exp", {x}, "b");
  const Planned plan = planned(m.finish({m.concat({a, b}, "y")}));
  Simulation(plan).run();
  EXPECT_EQ(plan.memory.program.steps.size(), 3) << "12 floats are no whole number of lines";
}

TEST(MemoryPlan, MovesNothingToTurnOnePixelDense) {
  for (const int64_t n : {1, 2}) {
    for (const int64_t channels : {16, 20}) {
      ModelMaker m;
      const std::string a = m.conv(m.input("x", {n, 3, 6, 6}), 3, channels, 3, "a");
      const Planned plan = planned(m.finish({m.node("GlobalAveragePool", {a}, "y")}));
      Simulation(plan).run();
      const bool is_free = channels == 16 || n == 1;
      EXPECT_EQ(plan.memory.program.steps.size(), is_free ? 2 : 3) << n << " " << channels;
    }
  }
}

TEST(MemoryPlan, TakesConstantsAndTheirViewsAsWeights) {
  ModelMaker m;
  m.input("x", {1, 4});
  const std::string w = m.weight("w", {2, 6});
  const std::string f = m.node("Reshape", {w, m.integers("s", {3, 4})}, "f");
  const Planned plan = planned(m.finish({w, f, "x"}));
  EXPECT_TRUE(plan.memory.program.steps.empty());
  ASSERT_EQ(plan.memory.weights.size(), 2);
  for (const PlannedWeight& weight : plan.memory.weights) EXPECT_EQ(weight.constant, "w");
  const auto& outputs = plan.memory.program.outputs;
  ASSERT_EQ(outputs.size(), 3);
  EXPECT_EQ(plan.memory.program.slots[static_cast<size_t>(outputs[1])].type.shape, (Shape{3, 4}));
  EXPECT_EQ(outputs[2], plan.memory.program.inputs[0]);
}

TEST(MemoryPlan, KeepsInputsAndOutputsInGivenLayouts) {
  ModelMaker m;
  const Model model = m.finish({m.node("Relu", {m.input("x", {1, 20, 3, 3})}, "y")});
  const GivenLayouts given = {{"x", 8}, {"y", 8}};
  const auto steps =
      plan_layouts(model, fuse(model), *parse_target("llvm -mcpu=core-avx2"), {}, given);
  ASSERT_TRUE(steps) << to_text(steps.error());
  const Program program = plan_memory(model, *steps, given).program;
  ASSERT_EQ(program.steps.size(), 1);
  for (const int index : {program.inputs[0], program.outputs[0]}) {
    EXPECT_EQ(program.slots[static_cast<size_t>(index)].physical, (Shape{1, 3, 3, 3, 8}));
  }
}

TEST(MemoryPlan, NamesTheWeightsOfEveryStep) {
  const Planned plan = planned(joined(1, 8, 16, 5));
  std::vector<std::string> names;
  for (const PlannedWeight& weight : plan.memory.weights) names.push_back(weight.constant);
  EXPECT_THAT(names, ElementsAre("a_w", "a_b", "b_w", "b_b"));
  EXPECT_EQ(plan.memory.weights[2].operand, 1);
  EXPECT_EQ(plan.steps[plan.memory.weights[2].step].output.name, "b");
}

}  // namespace
}  // namespace opbench
