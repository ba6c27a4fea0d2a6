#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "base/json/json.h"
#include "benchmarks/kernels/rows.h"

namespace opbench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string family(const std::string& workload) {
  const auto shape = kernel_shape(kModelsSet, workload);
  return shape ? shape->family : "none";
}

KernelRow row(const std::string& workload, const std::string& peer, double ratio) {
  return {.shape = kernel_shape(kModelsSet, workload).value(),
          .threads = 1,
          .peer = peer,
          .ratio = Ratio{ratio, ratio, ratio},
          .verdict = "faster",
          .schedule = "conv2d_direct"};
}

/// A convolution with filters of one point, different for every number of channels.
std::string pointwise(int channels) {
  return "conv2d 1x" + std::to_string(channels) + "x8x8 w:16x" + std::to_string(channels) + "x1x1";
}

/// The bar whose name has this text.
Bar bar_with(const std::vector<Bar>& bars, const std::string& text) {
  const auto found = std::ranges::find_if(
      bars, [&](const Bar& bar) { return bar.bar.find(text) != std::string::npos; });
  return found == bars.end() ? Bar{.bar = "none"} : *found;
}

TEST(KernelShape, HasAFamilyByItsFilters) {
  EXPECT_EQ(family("conv2d 1x16x8x8 w:16x16x3x3 pads=1,1,1,1"), "3x3");
  EXPECT_EQ(family("conv2d 1x16x8x8 w:16x16x3x3 pads=1,1,1,1 strides=2,2"), "3x3 strided");
  EXPECT_EQ(family("conv2d 1x16x9x9 w:16x16x3x3 dilations=2,2"), "3x3 strided");
  EXPECT_EQ(family("conv2d 1x16x8x8 w:16x16x5x5"), "5x5");
  EXPECT_EQ(family("conv2d 1x16x8x8 w:16x16x1x1 strides=2,2"), "1x1");
  EXPECT_EQ(family("conv2d 1x16x8x8 w:16x16x1x7"), "other");
  EXPECT_EQ(family("conv2d 1x16x8x8 w:16x1x3x3 group=16"), "depthwise");
  EXPECT_EQ(family("conv2d 1x16x8x8 w:16x8x3x3 group=2"), "other");
  EXPECT_EQ(family("dense 1x16 w:8x16 transB=1"), "dense M=1");
  EXPECT_EQ(family("dense 4x16 w:8x16 transB=1"), "dense");
  EXPECT_EQ(family("matmul 1x4x16 w:16x8"), "dense");
  EXPECT_EQ(family("matmul 4x16 16x8"), "none") << "no weights";
  EXPECT_EQ(family("relu 4x16"), "none");
}

TEST(KernelShape, ExtraOnesAreOfEverySet) {
  const auto shapes = extra_shapes();
  ASSERT_TRUE(shapes) << to_text(shapes.error());
  for (const std::string& set : extra_sets()) {
    EXPECT_THAT(*shapes, Contains(testing::Field(&KernelShape::set, set)));
  }
}

TEST(KernelRow, ComesBackFromItsText) {
  KernelRow timed = row(pointwise(16), kBestPeer, 1.25);
  timed.ours_ms = 0.5;
  const auto back = parse_row(row_text(timed));
  ASSERT_TRUE(back) << to_text(back.error());
  EXPECT_EQ(back->shape, timed.shape);
  EXPECT_EQ(back->ratio->median, 1.25);
  EXPECT_EQ(row_text(*back), row_text(timed));
  KernelRow absent = timed;
  absent.ratio.reset();
  absent.reason = "it crashed";
  EXPECT_EQ(row_text(parse_row(row_text(absent)).value()), row_text(absent));
  EXPECT_FALSE(parse_row("{}"));
}

TEST(KernelRow, IsOfTheSchedulesThatItWasMeasuredWith) {
  KernelRow now = row(pointwise(16), kBestPeer, 1);
  now.schedules = "b";
  KernelRow before = row(pointwise(32), kBestPeer, 1);
  before.schedules = "a";
  Json older = parse_json(row_text(before), "a row").value();
  older.erase("schedules");
  const auto oldest = parse_row(older.dump());
  ASSERT_TRUE(oldest) << to_text(oldest.error());
  EXPECT_EQ(count_of_others({now, before, *oldest}, "b"), 2);
  EXPECT_EQ(count_of_others({parse_row(row_text(now)).value()}, "b"), 0);
}

TEST(KernelBars, MeanIsThatOfLogarithms) {
  EXPECT_DOUBLE_EQ(geometric_mean({0.5, 2, 8}), 2);
  EXPECT_EQ(geometric_mean({}), 0);
}

TEST(KernelBars, GatesHoldOurTimeOverThePeers) {
  const std::vector<KernelRow> rows = {row(pointwise(16), kBestPeer, 1),
                                       row(pointwise(32), kBestPeer, 4)};
  const Bar bar = bar_with(kernel_bars(rows), "models, 1x1: our time / onednn, mean of 2 shapes");
  EXPECT_DOUBLE_EQ(bar.value, 0.5);
  EXPECT_DOUBLE_EQ(bar.limit, 1 / 0.97);
  EXPECT_EQ(bar_with(kernel_bars(rows), "depthwise").bar, "none") << "there are no such shapes";
}

TEST(KernelBars, CountShapesLeftBehind) {
  std::vector<KernelRow> rows;
  for (int i = 1; i <= 18; ++i) rows.push_back(row(pointwise(i), kBestPeer, 1.5));
  rows.push_back(row(pointwise(20), kBestPeer, 0.9));
  rows.push_back(row(pointwise(21), kBestPeer, 0.8));
  rows[0].ratio.reset();
  const std::vector<Bar> bars = kernel_bars(rows);
  EXPECT_DOUBLE_EQ(bar_with(bars, "over 5 %").value, 10);
  EXPECT_DOUBLE_EQ(bar_with(bars, "over 20 %").value, 1) << "0.8 is 25 % slower";
  EXPECT_DOUBLE_EQ(bar_with(bars, "without a time").value, 1);
  EXPECT_THAT(kernel_summary(rows), Contains(HasSubstr("0.80 [0.80, 0.80] 1 thread, models: " +
                                                       rows.back().shape.workload)));
}

TEST(KernelBars, AFamilyWithoutATimeMisses) {
  KernelRow absent = row(pointwise(16), kBestPeer, 1);
  absent.ratio.reset();
  absent.reason = "it crashed";
  const Bar bar = bar_with(kernel_bars({absent}), "models, 1x1");
  EXPECT_FALSE(bar.holds());
  EXPECT_EQ(bar.reason, "it crashed");
  EXPECT_THAT(kernel_bars({}), IsEmpty());
}

}  // namespace
}  // namespace opbench
