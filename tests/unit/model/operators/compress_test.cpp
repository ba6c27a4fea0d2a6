#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Compress, KeepsPartsWhereTheConditionHolds) {
  EXPECT_THAT(floats("compress 3x2 =0,1,1:bool axis=0", count_up(6)), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(floats("compress 3x2 =0,1:bool axis=-1", count_up(6)), ElementsAre(2, 4, 6));
}

TEST(Compress, FlattensWithoutAnAxis) {
  EXPECT_THAT(floats("compress 3x2 =0,1,0,0,1:bool", count_up(6)), ElementsAre(2, 5));
  EXPECT_EQ(shape("compress 3x2 =0,1,0,0,1:bool"), (Shape{2}));
}

TEST(Compress, DropsWhatIsBeyondAShortCondition) {
  EXPECT_THAT(floats("compress 3 =1,:bool", {1, 2, 3}), ElementsAre(1));
  EXPECT_THAT(floats("compress 3x0 =1,1:bool axis=0", {}), ElementsAre());
  EXPECT_EQ(shape("compress 3x4 =0,0:bool axis=1"), (Shape{3, 0}));
}

TEST(Compress, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of("compress 3x2 =1,1,1:bool axis=1"),
              HasSubstr("condition of 3 is longer than extent 2"));
  EXPECT_THAT(refusal_of("compress 3 3:bool"), HasSubstr("must be known before the run"));
  EXPECT_THAT(refusal_of("compress 3 =1:bool"), HasSubstr("has rank 0, not 1"));
  EXPECT_THAT(refusal_of("compress 3 =1,:bool axis=1"), HasSubstr("axis 1 is outside rank 1"));
}

TEST(Compress, TellsAnAxisOf0FromNone) {
  EXPECT_EQ(normal_text("compress 3x2 =1,0:bool axis=-2"), "compress 3x2 =1,0:bool axis=0");
  EXPECT_EQ(normal_text("compress 3x2 =1,0:bool"), "compress 3x2 =1,0:bool");
  EXPECT_EQ(normal_text("compress 3 =1,0:bool axis=0"), "compress 3 =1,0:bool");
}

}  // namespace
}  // namespace opbench
