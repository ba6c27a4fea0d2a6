#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task_maker.h"

namespace opbench {
namespace {

using test::batch_matmul;
using test::Conv;
using test::conv_arguments;
using test::dense;
using test::Ints;
using test::ints;
using test::length;
using test::nchwc_conv;
using test::plain_conv;
using test::space_of_task;
using test::tensor;
using test::word;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const ConfigSpace& space) {
  std::vector<std::string> result;
  for (const Knob& knob : space.knobs) result.push_back(knob.name);
  return result;
}

std::vector<int64_t> products(const ConfigSpace& space) {
  std::vector<int64_t> result;
  for (const Knob& knob : space.knobs) {
    if (knob.kind == KnobKind::kSplit) result.push_back(knob.product);
  }
  return result;
}

std::vector<Argument> conv3d(const Ints& data, const Ints& kernel, int64_t padding) {
  return {tensor(data),           tensor(kernel),  ints({1, 1, 1}),
          ints(Ints(6, padding)), ints({1, 1, 1}), word("float32")};
}

/// Lengths of docs/reference/config-spaces.md, "Sizes of known spaces", for templates without
/// public records.
TEST(TemplateSpaces, HaveTheLengthsOfTheirSource) {
  const Conv square{64, 56, 64, 3, 1, 1};
  EXPECT_EQ(length("conv2d_NCHWc_int8.x86", nchwc_conv(square)), 240u);
  EXPECT_EQ(length("conv3d_ncdhw.x86", conv3d({1, 64, 8, 28, 28}, {64, 64, 3, 3, 3}, 1)), 392u);
  EXPECT_EQ(length("conv2d_NCHWc_int8.cuda", conv_arguments(square, {word("NCHW"), word("int32")}),
                   "cuda"),
            645120000u);
  EXPECT_EQ(length("group_conv2d_nchw.cuda",
                   conv_arguments({.in_channels = 128,
                                   .size = 28,
                                   .out_channels = 128,
                                   .taps = 3,
                                   .padding = 1,
                                   .groups = 32},
                                  {Argument::of_int(32), word("float32")}),
                   "cuda"),
            13824000u);
  EXPECT_EQ(length("conv3d_ncdhw.cuda", conv3d({1, 64, 8, 28, 28}, {64, 64, 3, 3, 3}, 1), "cuda"),
            903168000u);
  EXPECT_EQ(length("dense_tensorcore.cuda", dense(128, 768, 768, "float16"), "cuda"), 15552u);
  EXPECT_EQ(length("conv2d_transpose_nchw.cuda",
                   {tensor({1, 64, 16, 16}), tensor({64, 32, 4, 4}), ints({2, 2}),
                    ints({1, 1, 1, 1}), word("float32"), ints({0, 0})},
                   "cuda"),
            59006976u);
  EXPECT_EQ(length("depthwise_conv2d_nchw.arm_cpu",
                   {tensor({1, 64, 56, 56}), tensor({64, 1, 3, 3}), ints({1, 1}),
                    ints({1, 1, 1, 1}), ints({1, 1}), word("float32")}),
            8960u);
  EXPECT_EQ(length("conv2d_nchw_winograd.arm_cpu", plain_conv(square)), 2000u);
  EXPECT_EQ(length("conv2d_nchw_spatial_pack.mali", plain_conv(square), "opencl"), 4032000u);
  EXPECT_EQ(length("dense.mali", dense(1, 1000, 512), "opencl"), 700u);
  EXPECT_EQ(length("dense_packed.vta",
                   {tensor({1, 32, 1, 16}, "int8"), tensor({63, 32, 16, 16}, "int8"),
                    Argument::null(), word("int32")},
                   "ext_dev"),
            72u);
}

TEST(TemplateSpaces, HaveOneWayToUnrollWhereHintsAreNotRead) {
  const auto arguments = plain_conv({64, 56, 64, 3, 1, 1});
  const uint64_t on_cuda = length("conv2d_nchw.cuda", arguments, "cuda");
  EXPECT_EQ(length("conv2d_nchw.cuda", arguments, "rocm") * 2, on_cuda);
  EXPECT_EQ(length("conv2d_nchw.cuda", arguments, "nvptx") * 2, on_cuda);
  EXPECT_EQ(length("conv2d_nchw.cuda", arguments, "opencl"), on_cuda);
}

TEST(TemplateSpaces, TakePackedTensorsAsWhatWasPacked) {
  const auto plain = space_of_task("conv2d_NCHWc.x86", nchwc_conv({64, 56, 128, 3, 1, 1}));
  const auto packed =
      space_of_task("conv2d_NCHWc.x86", {tensor({1, 8, 56, 56, 8}), tensor({8, 8, 3, 3, 8, 16}),
                                         ints({1, 1}), ints({1, 1, 1, 1}), ints({1, 1}),
                                         word("NCHW8c"), word("NCHW16c"), word("float32")});
  EXPECT_EQ(printed(packed), printed(plain));
  const auto board = space_of_task("conv2d_nchw_spatial_pack.arm_cpu",
                                   {tensor({1, 64, 56, 56}), tensor({16, 64, 3, 3, 8}),
                                    ints({1, 1}), ints({1, 1}), ints({1, 1}), word("float32")});
  EXPECT_EQ(products(board), (Ints{128, 56, 56}));
}

/// The tile of the width is that of the kernel without dilation; the depthwise one knows it.
TEST(TemplateSpaces, OfBlockedChannelsForgetTheDilation) {
  const auto dilated = [](const Ints& kernel) -> std::vector<Argument> {
    return {tensor({1, 64, 56, 56}),
            tensor(kernel),
            ints({1, 1}),
            ints({1, 1, 1, 1}),
            ints({2, 2}),
            word("NCHW"),
            word("NCHW"),
            word("float32")};
  };
  EXPECT_EQ(products(space_of_task("conv2d_NCHWc.x86", dilated({64, 64, 3, 3}))),
            (Ints{64, 64, 56}));
  EXPECT_EQ(products(space_of_task("depthwise_conv2d_NCHWc.x86", dilated({64, 1, 3, 3}))),
            (Ints{64, 64, 54}));
}

TEST(TemplateSpaces, ReadPaddingInEveryForm) {
  const auto width = [](const Argument& padding) {
    auto arguments = plain_conv({64, 56, 64, 3});
    arguments[3] = padding;
    return products(space_of_task("conv2d_nchw.cuda", arguments, "cuda"))[2];
  };
  EXPECT_EQ(width(Argument::of_int(1)), 56);
  EXPECT_EQ(width(ints({0, 1})), 56);
  EXPECT_EQ(width(ints({0, 1, 0, 2})), 57);
}

TEST(TemplateSpaces, OfWinogradTakeTheLargeTileWhereEightDividesTheHeight) {
  const auto tiles = [](const Conv& conv) {
    return products(space_of_task("conv2d_nchw_winograd.cuda", plain_conv(conv), "cuda"));
  };
  EXPECT_EQ(tiles({64, 56, 128, 3, 1, 1}), (Ints{36, 128, 196, 64}));
  EXPECT_EQ(tiles({512, 7, 512, 3, 1, 1}), (Ints{16, 512, 16, 512}));
  EXPECT_EQ(tiles({64, 56, 128, 5, 1, 2})[0], 64);
  const auto transformed =
      space_of_task("conv2d_nchw_winograd_without_weight_transform.cuda",
                    {tensor({1, 64, 56, 56}), tensor({6, 6, 64, 128}), ints({1, 1}),
                     ints({1, 1, 1, 1}), ints({1, 1}), word("float32")},
                    "cuda");
  EXPECT_EQ(products(transformed), (Ints{36, 128, 196, 64}));
  const auto strided =
      space_of({"conv2d_nchw_winograd.cuda", plain_conv({64, 56, 64, 3, 2, 1}), Target{}});
  ASSERT_FALSE(strided);
  EXPECT_THAT(to_text(strided.error()), HasSubstr("strides 2x2"));
}

/// Blocks of 14 rows: a walk of 7 steps that ends with the width, then filled up.
TEST(TemplateSpaces, OfIntelGraphicsCutTheLongerSide) {
  const auto space =
      space_of_task("conv2d_NCHWc.intel_graphics",
                    {tensor({1, 64, 14, 7}), tensor({96, 64, 1, 1}), ints({1, 1}),
                     ints({0, 0, 0, 0}), ints({1, 1}), word("NCHW"), word("NCHW"), word("float32")},
                    "opencl");
  const auto values = [&](size_t i) {
    Ints result;
    for (const Argument& value : space.knobs[i].entities) result.push_back(value.integer);
    return result;
  };
  EXPECT_THAT(names(space), ElementsAre("tile_ic", "tile_oc", "block_oh", "block_ow"));
  EXPECT_EQ(values(0), (Ints{1, 2, 4, 8, 16, 32}));
  EXPECT_EQ(values(1), (Ints{8, 12, 16, 24, 32, 48}));
  EXPECT_EQ(values(2), (Ints{14, 2, 3, 4, 5}));
  EXPECT_EQ(values(3), (Ints{7, 1, 6, 5, 4}));
}

TEST(TemplateSpaces, OfAdrenoCountTexturesAndEnlargeTheOutput) {
  const auto arguments = plain_conv({130, 27, 64, 3, 1, 1});
  const auto direct = space_of_task("conv2d_nchwc.image2d", arguments, "opencl");
  EXPECT_EQ(products(direct), (Ints{16, 28, 28, 33, 3, 3}));
  for (const Argument& tile : direct.knobs[0].entities) {
    EXPECT_LE(tile.items[1].integer, 8);
    EXPECT_GE(tile.items[2].integer, 2);
  }
  const auto winograd = space_of_task("conv2d_nchw_winograd.image2d", arguments, "opencl");
  EXPECT_THAT(names(winograd), ElementsAre("auto_unroll_max_step", "tile_y", "tile_x", "tile_rc"));
  EXPECT_EQ(products(winograd), (Ints{16, 196, 33}));
  for (const Argument& tile : winograd.knobs[2].entities) EXPECT_GE(tile.items[1].integer, 4);
}

TEST(TemplateSpaces, OfBifrostAreThoseOfMaliBesideAnotherWinograd) {
  const auto arguments = plain_conv({64, 56, 64, 3, 1, 1});
  EXPECT_EQ(printed(space_of_task("conv2d_nchw_spatial_pack.bifrost", arguments, "opencl")),
            printed(space_of_task("conv2d_nchw_spatial_pack.mali", arguments, "opencl")));
  EXPECT_EQ(length("conv2d_nchw_winograd.bifrost", arguments, "opencl"),
            7u * 7 * 11 * 11 * 3 * 6 * 5);
}

TEST(TemplateSpaces, OfDeformableConvolutionsLookPastTheOffsets) {
  auto arguments = conv_arguments({64, 56, 64, 3, 1, 1},
                                  {Argument::of_int(1), Argument::of_int(1), word("float32")});
  arguments.insert(arguments.begin() + 1, tensor({1, 18, 56, 56}));
  const auto space = space_of_task("deformable_conv2d_nchw.cuda", arguments, "cuda");
  EXPECT_EQ(products(space), (Ints{64, 56, 56, 64, 3, 3}));
  EXPECT_EQ(names(space).back(), "reorder_inner");
}

TEST(TemplateSpaces, SayWhichArgumentIsWrong) {
  const auto error = [](const std::string& name, std::vector<Argument> arguments) {
    const auto space = space_of({name, std::move(arguments), Target{}});
    return space ? "" : to_text(space.error());
  };
  auto arguments = nchwc_conv({64, 56, 64, 3, 1, 1});
  arguments[2] = word("1");
  EXPECT_EQ(error("conv2d_NCHWc.x86", arguments),
            "error: task \"conv2d_NCHWc.x86\": argument 3 (strides) is not a list of 2 or 1 "
            "integers of 32 bits\n");
  arguments[2] = ints({0, 1});
  EXPECT_THAT(error("conv2d_NCHWc.x86", arguments), HasSubstr("(strides) is not at least 1"));
  arguments[2] = ints({1, 1});
  arguments[0] = tensor({1, 64, 0, 56});
  EXPECT_THAT(error("conv2d_NCHWc.x86", arguments),
              HasSubstr("argument 1 (data) is not a tensor of 4 or 5 known extents"));
  arguments = nchwc_conv({64, 2, 64, 3});
  EXPECT_THAT(error("conv2d_NCHWc.x86", arguments),
              HasSubstr("knob \"tile_ow\": an axis of length"));
  arguments = nchwc_conv({int64_t{1} << 40, 56, 64, 3});
  EXPECT_THAT(error("conv2d_NCHWc.x86", arguments), HasSubstr("(data) is not a tensor"));
  EXPECT_THAT(error("conv2d_NCHWc.x86", {}), HasSubstr("argument 1 (data) is missing"));
  arguments = plain_conv({64, 56, 64, 3, 1, 1});
  arguments.push_back(Argument::null());
  EXPECT_THAT(error("conv2d_nchw.cuda", arguments), HasSubstr("7 arguments, of which 6 are known"));
  EXPECT_THAT(error("conv2d_nchw.cud", plain_conv({64, 56, 64, 3})),
              HasSubstr("did you mean: conv2d_nchw.cuda?"));
}

/// No template crashes on arguments of another: it has a space or says why not.
TEST(TemplateSpaces, SurviveArgumentsOfOthers) {
  const std::vector<std::vector<Argument>> all = {
      {},
      plain_conv({64, 56, 64, 3, 1, 1}),
      plain_conv({3, 5, 2, 1, 7, 0}),
      nchwc_conv({16, 14, 16, 1}),
      dense(1, 7, 5),
      batch_matmul(2, 3, 5, 7),
      conv3d({1, 4, 4, 4, 4}, {4, 4, 3, 3, 3}, 1),
      {tensor({1, 1, 8, 8, 1, 16}), tensor({1, 1, 3, 3, 16, 16}), ints({1, 1}), ints({1, 1, 1, 1})},
      {Argument::null(), Argument::of_bool(true), word("x")},
      plain_conv({INT32_MAX, INT32_MAX, INT32_MAX, 3, 1, INT32_MAX}),
      dense(INT32_MAX, INT32_MAX, INT32_MAX),
      {tensor({1, INT32_MAX, 8, 8, INT32_MAX}), tensor({INT32_MAX, 8, 1, 1, 8, INT32_MAX}),
       ints({1, 1}), ints({0, 0}), ints({1, 1}), word("NCHW8c"), word("NCHW8c"), word("float32")},
  };
  int spaces = 0;
  for (const TemplateDef& def : template_table().all()) {
    for (const auto& arguments : all) {
      const auto space = def.space(arguments, Target{});
      const auto flops =
          def.flops != nullptr ? def.flops(arguments, Target{}) : Result<double>(1.0);
      if (space) {
        ++spaces;
        EXPECT_GT(size_of(*space).value(), 0u) << def.name;
      } else {
        EXPECT_FALSE(space.error().message.empty()) << def.name;
      }
      if (flops) {
        EXPECT_GE(*flops, 0) << def.name;
      }
    }
  }
  EXPECT_GT(spaces, 60);
}

TEST(TemplateFlops, CountWhatAutotvmCounts) {
  const auto flops = [](const std::string& name, const std::vector<Argument>& arguments) {
    return template_table().find(name).value()->flops(arguments, Target{}).value();
  };
  const double products = 2.0 * 64 * 56 * 56 * 64 * 9;
  const double padding = 7.0 * 64 * 58 * 58;
  const Conv square{64, 56, 64, 3, 1, 1};
  EXPECT_EQ(flops("conv2d_NCHWc.x86", nchwc_conv(square)), products + padding);
  EXPECT_EQ(flops("conv2d_NCHWc.x86", nchwc_conv({64, 56, 64, 1})), 2.0 * 64 * 56 * 56 * 64);
  EXPECT_EQ(flops("conv2d_nchw.cuda", plain_conv(square)), products);
  EXPECT_EQ(flops("conv2d_nchw_winograd.cuda", plain_conv(square)), products);
  EXPECT_EQ(flops("depthwise_conv2d_nchw.cuda",
                  {tensor({1, 64, 56, 56}), tensor({64, 1, 3, 3}), ints({1, 1}), ints({0, 1}),
                   ints({1, 1}), word("float32")}),
            2.0 * 64 * 54 * 56 * 9 + 3.0 * 64 * 56 * 58);
  EXPECT_EQ(flops("conv2d_nchwc.image2d", plain_conv({64, 56, 62, 3, 1, 1})), products);
  EXPECT_EQ(flops("conv1d_ncw.cuda", {tensor({1, 8, 100}), tensor({16, 8, 3}), ints({1}), ints({1}),
                                      ints({1}), word("float32")}),
            2.0 * 100 * 16 * 8 * 3);
  EXPECT_EQ(flops("dense_pack.x86", dense(2, 3, 5)), 60);
  EXPECT_EQ(flops("dense_nopack.x86", dense(2, 3, 5)), 66);
  EXPECT_EQ(flops("batch_matmul.x86", batch_matmul(2, 3, 5, 7)), 420);
}

}  // namespace
}  // namespace opbench
