#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int64_t> bitwise_whole(const std::string& text) {
  const auto workload = parse_workload(text);
  EXPECT_TRUE(workload) << to_text(workload.error());
  return integers(run_reference(*workload, {}).value());
}

TEST(BitShift, ShiftsLeftAndRight) {
  EXPECT_THAT(bitwise_whole("bit_shift =1,2,255:uint8 =1,7,4:uint8 direction=LEFT"),
              ElementsAre(2, 0, 240));
  EXPECT_THAT(bitwise_whole("bit_shift =16,4,1:uint64 =1,2,3:uint64 direction=RIGHT"),
              ElementsAre(8, 1, 0));
}

TEST(BitShift, LeavesNothingOfAWholeWidth) {
  for (const char* direction : {"LEFT", "RIGHT"}) {
    const std::string end = std::string(" direction=") + direction;
    EXPECT_THAT(bitwise_whole("bit_shift =255:uint8 =8:uint8" + end), ElementsAre(0)) << direction;
    EXPECT_THAT(bitwise_whole("bit_shift =255:uint32 =32:uint32" + end), ElementsAre(0))
        << direction;
    EXPECT_THAT(bitwise_whole("bit_shift =255:uint64 =64:uint64" + end), ElementsAre(0))
        << direction;
  }
}

TEST(BitShift, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of("bit_shift 2:uint8 2:uint8"), HasSubstr("unknown direction \"\""));
  EXPECT_THAT(refusal_of("bit_shift 2:int8 2:int8 direction=LEFT"),
              HasSubstr("operand 0 is int8, not an unsigned integer type"));
  EXPECT_THAT(refusal_of("bit_shift 2:uint8 2:uint16 direction=LEFT"),
              HasSubstr("operand 1 is uint16, not uint8"));
}

TEST(Bitwise, CombinesBits) {
  EXPECT_THAT(bitwise_whole("bitwise_and =12,-1:int32 =10,7:int32"), ElementsAre(8, 7));
  EXPECT_THAT(bitwise_whole("bitwise_or =12,-8:int64 =10,7:int64"), ElementsAre(14, -1));
  EXPECT_THAT(bitwise_whole("bitwise_xor =12,255:uint8 =10,1:uint8"), ElementsAre(6, 254));
  EXPECT_THAT(bitwise_whole("bitwise_not =12,0:uint16"), ElementsAre(65523, 65535));
  EXPECT_THAT(bitwise_whole("bitwise_not =12,-1:int16"), ElementsAre(-13, 0));
}

TEST(Bitwise, BroadcastsOperands) {
  EXPECT_THAT(bitwise_whole("bitwise_and =12,3,5:int8 =6:int8"), ElementsAre(4, 2, 4));
  EXPECT_EQ(shape("bitwise_xor 2x1:int32 3:int32"), (Shape{2, 3}));
  EXPECT_EQ(shape("bitwise_or 0x3:int32 3:int32"), (Shape{0, 3}));
}

TEST(Bitwise, RefusesWhatHasNoBitsOfItsOwn) {
  EXPECT_THAT(refusal_of("bitwise_and 2 2"),
              HasSubstr("operand 0 is float32, not an integer type"));
  EXPECT_THAT(refusal_of("bitwise_not 2:bool"), HasSubstr("operand 0 is bool"));
  EXPECT_THAT(refusal_of("bitwise_or 2:int8 3:int8"), HasSubstr("do not go together"));
  EXPECT_THAT(refusal_of("bitwise_not 2:int8 2:int8"), HasSubstr("takes at most 1"));
}

TEST(Bitwise, NeedsALaterOpsetThanShifts) {
  EXPECT_EQ(parse_workload("bitwise_and 2:int8 2:int8").value().opset, 18);
  EXPECT_EQ(parse_workload("bit_shift 2:uint8 2:uint8 direction=LEFT").value().opset, 17);
  EXPECT_EQ(normal_text("bit_shift 2:uint8 2:uint8 direction=LEFT"),
            "bit_shift 2:uint8 2:uint8 direction=LEFT");
}

}  // namespace
}  // namespace opbench
