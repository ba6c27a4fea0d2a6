#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(EyeLike, PutsOnesOnADiagonal) {
  EXPECT_THAT(floats("eye_like 2x3", {}), ElementsAre(1, 0, 0, 0, 1, 0));
  EXPECT_THAT(floats("eye_like 2x3 k=1", {}), ElementsAre(0, 1, 0, 0, 0, 1));
  EXPECT_THAT(floats("eye_like 2x2 k=-1", {}), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(floats("eye_like 2x2 k=5", {}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(floats("eye_like 0x2", {}), ElementsAre());
}

TEST(EyeLike, HasTheTypeOfItsAttributeOrOfItsInput) {
  const Tensor x = float_tensor({1, 2}, {7, 7});
  const NodeOnTensors wide(make_node("EyeLike", {{"dtype", int64_t{7}}}), {x});
  EXPECT_EQ(wide.types().value()[0].data_type, DataType::kInt64);
  EXPECT_THAT(wide.integers(), ElementsAre(1, 0));
  const NodeOnTensors same(make_node("EyeLike"), {bool_tensor({1, 1}, {0})});
  EXPECT_EQ(same.types().value()[0].data_type, DataType::kBool);
}

TEST(EyeLike, RefusesWhatItCannotMake) {
  EXPECT_THAT(refusal_of("eye_like 2x2 dtype=8"), HasSubstr("does not make ONNX type 8"));
  EXPECT_THAT(refusal_of("eye_like 2"), HasSubstr("has rank 1, not 2"));
}

TEST(EyeLike, LeavesTheTypeOfItsInputOutOfItsText) {
  EXPECT_EQ(normal_text("eye_like 2x2 dtype=1 k=0"), "eye_like 2x2");
  EXPECT_EQ(normal_text("eye_like 2x2 dtype=6 k=-1"), "eye_like 2x2 dtype=6 k=-1");
}

}  // namespace
}  // namespace opbench
