#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NodeOnTensors gather_nd(const Tensor& indices, int64_t batch_dims = 0) {
  return {make_node("GatherND", {{"batch_dims", batch_dims}}),
          {float_tensor({2, 2, 2}, count_up(8)), indices}};
}

TEST(GatherNd, PicksElementsAndParts) {
  EXPECT_THAT(gather_nd(int_tensor({2, 3}, {0, 1, 0, -1, -1, -1})).floats(), ElementsAre(3, 8));
  EXPECT_THAT(gather_nd(int_tensor({2, 2}, {0, 1, 1, 0})).floats(), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(gather_nd(int_tensor({1}, {1})).floats(), ElementsAre(5, 6, 7, 8));
}

TEST(GatherNd, StaysWithinTheBatch) {
  EXPECT_THAT(gather_nd(int_tensor({2, 1}, {1, 0}), 1).floats(), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(gather_nd(int_tensor({2, 2, 1}, {1, 0, 0, 1}), 2).floats(), ElementsAre(2, 3, 5, 8));
}

TEST(GatherNd, HasTheRestOfBothShapes) {
  EXPECT_EQ(shape("gather_nd 4x5x6x7 9x8x2:int64"), (Shape{9, 8, 6, 7}));
  EXPECT_EQ(shape("gather_nd 4x5x6x7 4x8x2:int64 batch_dims=1"), (Shape{4, 8, 7}));
  EXPECT_EQ(shape("gather_nd 4x5 0x2:int64"), (Shape{0}));
}

TEST(GatherNd, RefusesWhatDoesNotFit) {
  EXPECT_THAT(gather_nd(int_tensor({1, 1}, {2})).refusal(), HasSubstr("index 2 is outside extent"));
  EXPECT_THAT(refusal_of("gather_nd 4x5 3x3:int64"),
              HasSubstr("tuples of 3 indices, needs 1 to 2"));
  EXPECT_THAT(refusal_of("gather_nd 4x5 3x0:int64"), HasSubstr("tuples of 0 indices"));
  EXPECT_THAT(refusal_of("gather_nd 4x5 4x1:int64 batch_dims=2"),
              HasSubstr("batch_dims 2 does not fit 4x5 and 4x1"));
  EXPECT_THAT(refusal_of("gather_nd 4x5 3x1:int64 batch_dims=1"),
              HasSubstr("differ in the first 1 dimensions"));
}

}  // namespace
}  // namespace opbench
