#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/operators/operand.h"
#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(OneHot, PutsOneValueAtTheIndexAndAnotherElsewhere) {
  const NodeOnTensors node(make_node("OneHot"), {int_tensor({3}, {0, 2, -1}), float_scalar(3),
                                                 float_tensor({2}, {5, 9})});
  EXPECT_THAT(node.floats(), ElementsAre(9, 5, 5, 5, 5, 9, 5, 5, 9));
}

TEST(OneHot, LeavesIndicesOutsideOff) {
  const NodeOnTensors node(make_node("OneHot"), {int_tensor({3}, {2, -3, 1}), int_tensor({}, {2}),
                                                 bool_tensor({2}, {0, 1})});
  EXPECT_THAT(node.integers(), ElementsAre(0, 0, 0, 0, 0, 1));
}

TEST(OneHot, PutsTheNewAxisAnywhere) {
  EXPECT_THAT(floats("one_hot 2 =3,:int64 =0,1 axis=0", {0, 2}), ElementsAre(1, 0, 0, 0, 0, 1));
  EXPECT_EQ(shape("one_hot 4x5:int32 =3:int32 =0,1 axis=1"), (Shape{4, 3, 5}));
  EXPECT_EQ(shape("one_hot 4x0 =3 =0,1"), (Shape{4, 0, 3}));
  EXPECT_EQ(shape("one_hot scalar:int64 =3:int64 =0,1"), (Shape{3}));
}

TEST(OneHot, LeavesTheLastAxisOutOfItsText) {
  EXPECT_EQ(normal_text("one_hot 2x3 =4 =0,1 axis=2"), "one_hot 2x3 =4 =0,1");
  EXPECT_EQ(normal_text("one_hot 2x3 =4 =0,1 axis=-3"), "one_hot 2x3 =4 =0,1 axis=0");
}

TEST(OneHot, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of("one_hot 2 =0 =0,1"), HasSubstr("depth 0 is not a number of classes"));
  EXPECT_THAT(refusal_of("one_hot 2 1 =0,1"),
              HasSubstr("its depth (operand 1) must be one number known before the run"));
  EXPECT_THAT(refusal_of("one_hot 2 =3 =0,1,2"), HasSubstr("values 3 are not the two"));
  EXPECT_THAT(refusal_of("one_hot 2 =3 =0,1 axis=2"), HasSubstr("axis 2 is outside rank 2"));
}

}  // namespace
}  // namespace opbench
