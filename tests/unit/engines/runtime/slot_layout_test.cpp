#include "engines/runtime/slot_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace opbench {
namespace {

Tensor counted(const Shape& shape) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  std::iota(tensor.as<float>().begin(), tensor.as<float>().end(), 1.0F);
  return tensor;
}

Slot slot_for(const Shape& shape, int block) {
  Slot slot;
  slot.type = {DataType::kFloat32, shape};
  slot.physical = shape;
  slot.layout = {block};
  if (block > 0) {
    slot.physical[1] = (shape[1] + block - 1) / block;
    slot.physical.push_back(block);
  }
  slot.bytes = element_count(slot.physical) * 4;
  return slot;
}

/// The bytes of a slot, full of something that no tensor holds.
std::vector<float> dirty_memory(const Slot& slot) {
  return std::vector<float>(static_cast<size_t>(slot.bytes / 4) + 8, -77.0F);
}

std::byte* bytes_of(std::vector<float>& memory) {
  return reinterpret_cast<std::byte*>(memory.data());
}

struct Case {
  Shape shape;
  int block;
};

class SlotLayout : public ::testing::TestWithParam<Case> {};

TEST_P(SlotLayout, GivesBackWhatItWasGiven) {
  const Slot slot = slot_for(GetParam().shape, GetParam().block);
  const Tensor tensor = counted(GetParam().shape);
  std::vector<float> memory = dirty_memory(slot);
  store_in_slot(slot, tensor, bytes_of(memory));
  EXPECT_EQ(load_from_slot(slot, bytes_of(memory)), tensor);
  for (size_t i = memory.size() - 8; i < memory.size(); ++i) {
    EXPECT_EQ(memory[i], -77.0F) << "behind the slot";
  }
}

TEST_P(SlotLayout, FillsLanesPastTheLastChannelWithZero) {
  const auto [shape, block] = GetParam();
  const Slot slot = slot_for(shape, block);
  std::vector<float> memory = dirty_memory(slot);
  store_in_slot(slot, counted(shape), bytes_of(memory));
  const auto padded = std::count(memory.begin(), memory.end() - 8, 0.0F);
  EXPECT_EQ(padded, element_count(slot.physical) - element_count(shape));
}

INSTANTIATE_TEST_SUITE_P(Shapes, SlotLayout,
                         ::testing::Values(Case{{1, 3, 4, 5}, 0}, Case{{}, 0}, Case{{0, 4}, 0},
                                           Case{{1, 16, 3, 3}, 16}, Case{{1, 17, 3, 5}, 16},
                                           Case{{2, 5, 7, 1}, 8}, Case{{3, 8, 1, 1}, 4},
                                           Case{{2, 1, 2, 2}, 16}, Case{{2, 9}, 4},
                                           Case{{1, 0, 3, 3}, 8}));

TEST(SlotLayout, PutsChannelsOfABlockSideBySide) {
  const Slot slot = slot_for({1, 3, 1, 2}, 2);
  std::vector<float> memory = dirty_memory(slot);
  store_in_slot(slot, counted({1, 3, 1, 2}), bytes_of(memory));
  memory.resize(8);
  // Channel c of pixel p is 2 c + p + 1; blocks of two channels, pixel after pixel.
  EXPECT_EQ(memory, (std::vector<float>{1, 3, 2, 4, 5, 0, 6, 0}));
}

TEST(SlotLayout, SwapsTheFirstTwoChannelsOfEveryImage) {
  const Slot slot = slot_for({2, 3, 1, 2}, 2);
  std::vector<float> memory = dirty_memory(slot);
  store_in_slot(slot, counted({2, 3, 1, 2}), bytes_of(memory));
  swap_channels(slot, bytes_of(memory));
  const auto swapped = load_from_slot(slot, bytes_of(memory));
  const std::vector<float> expected = {3, 4, 1, 2, 5, 6, 9, 10, 7, 8, 11, 12};
  EXPECT_EQ(swapped, Tensor::of<float>(DataType::kFloat32, {2, 3, 1, 2}, expected));
}

TEST(SlotLayout, HasNothingToSwapWithOneChannel) {
  for (const Shape& shape : {Shape{}, Shape{6}, Shape{4, 1, 2, 3}, Shape{0, 2}}) {
    const Slot slot = slot_for(shape, 0);
    std::vector<float> memory = dirty_memory(slot);
    store_in_slot(slot, counted(shape), bytes_of(memory));
    const std::vector<float> before = memory;
    swap_channels(slot, bytes_of(memory));
    EXPECT_EQ(memory, before);
  }
}

TEST(SlotLayout, CopiesIntegersAsTheyStand) {
  Slot slot;
  slot.type = {DataType::kInt64, {3}};
  slot.physical = {3};
  slot.bytes = 24;
  const std::vector<int64_t> values = {-1, 1LL << 40, 7};
  const Tensor tensor = Tensor::of<int64_t>(DataType::kInt64, {3}, values);
  std::vector<float> memory(6);
  store_in_slot(slot, tensor, bytes_of(memory));
  EXPECT_EQ(load_from_slot(slot, bytes_of(memory)), tensor);
}

}  // namespace
}  // namespace opbench
