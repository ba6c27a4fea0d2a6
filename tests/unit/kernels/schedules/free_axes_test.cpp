#include "kernels/schedules/operands/free_axes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "base/tensors/tensor_difference.h"
#include "kernel_harness.h"

namespace opbench {
namespace {

/// A workload whose free extents are letters: `matmul 2xAx64 2x64xB`.
std::string with_extents(std::string text, int64_t a, int64_t b) {
  for (const auto& [letter, extent] : {std::pair{'A', a}, std::pair{'B', b}}) {
    for (size_t at = text.find(letter); at != std::string::npos; at = text.find(letter))
      text.replace(at, 1, std::to_string(extent));
  }
  return text;
}

Workload workload_of(const std::string& text, int64_t a, int64_t b) {
  Result<Workload> workload = parse_workload(with_extents(text, a, b));
  if (!workload) ADD_FAILURE() << to_text(workload.error());
  return *workload;
}

/// The spec of a kernel for all extents from `a` and `b` on.
Result<KernelSpec> free_spec(const std::string& text, int64_t a, int64_t b,
                             const std::string& target = "llvm -mcpu=skylake-avx512") {
  OPBENCH_TRY(KernelSpec spec, kernel_spec(with_extents(text, a, b), target, "", false));
  spec.free = differing_axes(spec.workload, workload_of(text, a + 3, b + 5)).value();
  if (!choose_schedule(spec)) return Error{ErrorCode::kInvalidInput, "no schedule takes " + text};
  return spec;
}

Result<double> error_at(LoadedKernel& kernel, const Workload& workload) {
  const std::vector<Tensor> inputs = random_inputs(workload, 7);
  kernel.take(workload);
  OPBENCH_CHECK(kernel.bind(inputs));
  OPBENCH_CHECK(kernel.guarded_call());
  OPBENCH_TRY(const Tensor result, kernel.output());
  OPBENCH_TRY(const Tensor reference, run_reference(workload, inputs));
  return max_relative_error(result, reference);
}

/// One kernel for this machine, called with extents from the least on.
void expect_computes_from(const std::string& text, int64_t a, int64_t b) {
  SCOPED_TRACE(with_extents(text, a, b));
  const Result<KernelSpec> spec = free_spec(text, a, b, "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  Result<LoadedKernel> kernel = LoadedKernel::load(*spec);
  ASSERT_TRUE(kernel) << to_text(kernel.error());
  for (const int64_t step : {0, 1, 2, 5, 17, 40}) {
    const Workload workload = workload_of(text, a + step, b + 2 * step);
    ASSERT_TRUE(fits_free_axes(*spec, workload)) << text_of(workload);
    const Result<double> error = error_at(*kernel, workload);
    ASSERT_TRUE(error) << to_text(error.error()) << text_of(workload);
    EXPECT_LT(*error, 2e-6) << spec->schedule << ": " << text_of(workload);
  }
}

TEST(FreeAxes, ChainsReadThemFromBuffers) {
  expect_computes_from("add 2xAx24 2xAx24; relu", 2, 1);
  expect_computes_from("add 3xAxB 3x1xB; mul 3xAx1", 4, 16);
  expect_computes_from("mul Ax5xB B; sigmoid", 2, 3);
  expect_computes_from("mul 2x3xAx4xB 2x3x1x1x1", 2, 16);
}

TEST(FreeAxes, SoftmaxTakesRowsLengthsAndInnerExtents) {
  expect_computes_from("softmax 1x2xAxA axis=3", 16, 1);
  expect_computes_from("softmax AxB axis=1", 2, 4);
  expect_computes_from("log_softmax Ax40 axis=1", 4, 1);
  expect_computes_from("softmax 2xAxB axis=1", 3, 17);
}

TEST(FreeAxes, ProductsTakeRowsColumnsAndTerms) {
  expect_computes_from("matmul 1xAx48 w:48x40 ; add w:40; relu", 4, 1);
  expect_computes_from("matmul 1x2xAx32 1x2x32xA", 16, 1);
  expect_computes_from("matmul 1x2xAxB 1x2xBx32", 16, 16);
  expect_computes_from("matmul 2xAx20 2x20xB", 2, 3);
  expect_computes_from("dense Ax24 w:24x30 w:30", 2, 1);
  expect_computes_from("matmul 1xAx24 24xB", 4, 64);
}

TEST(FreeAxes, NormalisationsTakeRows) {
  expect_computes_from("layer_norm 1xAx96 w:96 w:96", 2, 1);
  expect_computes_from("layer_norm AxBx33 w:33 w:33", 2, 3);
}

TEST(FreeAxes, TransposesMergeTheSameDimensions) {
  expect_computes_from("transpose 1xAx12x64 perm=0,2,1,3", 4, 1);
  expect_computes_from("transpose 1xAx4x32 perm=0,2,3,1", 16, 1);
  expect_computes_from("transpose AxBx20 perm=2,1,0", 16, 2);
  expect_computes_from("transpose 3x5xAx7 perm=2,3,0,1", 4, 1);
}

TEST(FreeAxes, ReductionsTakeEveryExtent) {
  expect_computes_from("reduce_mean 2xAx48 axes=1", 4, 1);
  expect_computes_from("reduce_sum AxB axes=1", 2, 17);
  expect_computes_from("reduce_max 3xAxB axes=2", 2, 20);
}

TEST(FreeAxes, ConcatenationsTakeOtherExtentsOfEachPart) {
  expect_computes_from("concat 1x2xAx16 1x2xBx16 axis=2", 4, 16);
  expect_computes_from("concat AxB Ax7 axis=1", 2, 16);
}

TEST(FreeAxes, PairsOfExtentsTellFreeOnes) {
  const Workload least = workload_of("matmul 2xAx32 2x32xB", 4, 16);
  const auto free = differing_axes(least, workload_of("matmul 2xAx32 2x32xB", 7, 21));
  ASSERT_TRUE(free);
  EXPECT_EQ(*free, (FreeAxes{{0, 1, 0}, {0, 0, 2}, {0, 1, 2}}));
  EXPECT_FALSE(differing_axes(least, workload_of("matmul AxB BxA", 4, 16)));
}

TEST(FreeAxes, KernelRefusesWhatItWasNotMadeFor) {
  const KernelSpec spec = free_spec("matmul 2xAx32 2x32xA", 16, 1).value();
  EXPECT_TRUE(fits_free_axes(spec, workload_of("matmul 2xAx32 2x32xA", 40, 1)));
  EXPECT_FALSE(fits_free_axes(spec, workload_of("matmul 2xAx32 2x32xA", 15, 1)));
  EXPECT_FALSE(fits_free_axes(spec, workload_of("matmul 2xAx32 2x32xB", 40, 41)));
  EXPECT_FALSE(fits_free_axes(spec, workload_of("matmul 2xAx33 2x33xA", 40, 1)));
  EXPECT_FALSE(fits_free_axes(spec, workload_of("matmul 2xAx32 2x32xA; relu", 40, 1)));
}

TEST(FreeAxes, SpecTextKeepsThem) {
  const KernelSpec spec = free_spec("matmul 2xAx32 2x32xB", 16, 17).value();
  const Result<KernelSpec> parsed = parse_kernel_spec(text_of(spec));
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_EQ(parsed->free, spec.free);
  EXPECT_EQ(text_of(*parsed), text_of(spec));
}

TEST(FreeAxes, BadFieldIsRefused) {
  const KernelSpec spec = free_spec("matmul 2xAx32 2x32xB", 16, 17).value();
  Json json = Json::parse(text_of(spec));
  for (const char* bad :
       {"[[0,1,0],[0,0,2]]", "[[0,1],[0,0,2],[0,1,2]]", "[[0,-1,0],[0,0,2],[0,1,2]]", "7"}) {
    json["free"] = Json::parse(bad);
    const auto parsed = parse_kernel_spec(json.dump());
    ASSERT_FALSE(parsed) << bad;
    EXPECT_NE(parsed.error().message.find("\"free\""), std::string::npos);
  }
}

}  // namespace
}  // namespace opbench
