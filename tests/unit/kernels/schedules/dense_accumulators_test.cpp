#include "kernels/schedules/codegen/dense_accumulators.h"

#include <gtest/gtest.h>
#include <halide14/Halide.h>

#include "device_text.h"
#include "kernels/schedules/codegen/halide_library.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::MemoryType;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

constexpr int kAccumulatorsRows = 32;    // of a block
constexpr int kAccumulatorsThreads = 8;  // along each axis
constexpr int kAccumulatorsDepth = 64;

enum class SumLoops { kUnrolled, kSerial };
enum class SumLevel { kBlock, kThread };

/// C[m,n] = sum over k of A[m,k] B[n,k]: 8 x 8 threads stage 4 steps of k in shared memory, and
/// each has 4 x 4 sums.
Func staged_dense(const Halide::ImageParam& a, const Halide::ImageParam& b, SumLoops loops,
                  SumLevel level) {
  const Var n("n"), m("m"), k("k"), nb("nb"), nt("nt"), ni("ni"), mb("mb"), mt("mt"), mi("mi");
  const RVar ko("ko"), ki("ki");
  Func left("left"), right("right"), sum("sum"), out("out");
  left(k, m) = a(k, m);
  right(k, n) = b(k, n);
  const Halide::RDom r(0, kAccumulatorsDepth, "r");
  sum(n, m) = 0.0f;
  sum(n, m) += left(r, m) * right(r, n);
  out(n, m) = sum(n, m);
  constexpr int kSums = kAccumulatorsRows / kAccumulatorsThreads;
  out.bound(n, 0, kAccumulatorsDepth).bound(m, 0, kAccumulatorsDepth);
  out.split(n, nb, ni, kAccumulatorsRows)
      .split(ni, nt, ni, kSums)
      .split(m, mb, mi, kAccumulatorsRows)
      .split(mi, mt, mi, kSums)
      .reorder(ni, mi, nt, mt, nb, mb)
      .gpu_blocks(nb, mb)
      .gpu_threads(nt, mt);
  if (level == SumLevel::kThread) {
    sum.compute_at(out, nt);
    return out;
  }
  sum.compute_at(out, nb).store_in(MemoryType::Register);
  sum.split(n, nt, ni, kSums).split(m, mt, mi, kSums).reorder(ni, mi, nt, mt).gpu_threads(nt, mt);
  sum.update()
      .split(n, nt, ni, kSums)
      .split(m, mt, mi, kSums)
      .split(r.x, ko, ki, 4)
      .reorder(ni, mi, ki, nt, mt, ko)
      .gpu_threads(nt, mt);
  if (loops == SumLoops::kUnrolled) {
    out.unroll(ni).unroll(mi);
    sum.unroll(ni).unroll(mi);
    sum.update().unroll(ni).unroll(mi);
  }
  for (Func staged : {left, right}) {
    const Var row = staged.args()[1];
    staged.compute_at(sum, ko).store_in(MemoryType::GPUShared);
    staged.split(row, mt, mi, kSums).reorder(mi, k, mt);
    staged.split(k, nt, k, 1, TailStrategy::GuardWithIf).reorder(mi, k, nt, mt).gpu_threads(nt, mt);
  }
  return out;
}

struct StagedDense {
  std::string text;
  AccumulatorArrays arrays;
};

Result<StagedDense> lowered(SumLoops loops, SumLevel level, bool numbers = true) {
  OPBENCH_CHECK(load_halide());
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::filesystem::path object = folder.path() / "kernel.o";
  const Halide::ImageParam a(Halide::Float(32), 2, "a"), b(Halide::Float(32), 2, "b");
  Halide::Pipeline pipeline(staged_dense(a, b, loops, level));
  std::shared_ptr<const AccumulatorArrays> arrays = std::make_shared<AccumulatorArrays>();
  if (numbers) arrays = number_accumulators(pipeline);
  const Halide::Target target("x86-64-linux-opencl-no_runtime");
  Halide::Module module = pipeline.compile_to_module({a, b}, "kernel", target);
  module.compile({{Halide::OutputFileType::object, object.string()}});
  OPBENCH_TRY(std::string text, device_text_of(object));
  return StagedDense{std::move(text), *arrays};
}

TEST(DenseAccumulators, KeepTheSumsOfOneThread) {
  const auto dense = lowered(SumLoops::kUnrolled, SumLevel::kBlock);
  ASSERT_TRUE(dense) << to_text(dense.error());
  EXPECT_EQ(dense->arrays.numbered, 1);
  EXPECT_EQ(dense->arrays.refused, 0);
  const auto arrays = private_arrays(dense->text);
  ASSERT_EQ(arrays.size(), 1U) << dense->text;
  EXPECT_EQ(arrays.begin()->second, 16);
  EXPECT_EQ(computed_index(dense->text), "");
}

/// What Halide does by itself, and that the test above would see it.
TEST(DenseAccumulators, AreThoseOfTheWholeBlockWithoutThePass) {
  const auto dense = lowered(SumLoops::kUnrolled, SumLevel::kBlock, false);
  ASSERT_TRUE(dense) << to_text(dense.error());
  const auto arrays = private_arrays(dense->text);
  ASSERT_EQ(arrays.size(), 1U) << dense->text;
  EXPECT_EQ(arrays.begin()->second, kAccumulatorsRows * kAccumulatorsRows);
  EXPECT_NE(computed_index(dense->text), "");
}

TEST(DenseAccumulators, StayAsTheyAreWhereALoopIndexesThem) {
  const auto dense = lowered(SumLoops::kSerial, SumLevel::kBlock);
  ASSERT_TRUE(dense) << to_text(dense.error());
  EXPECT_EQ(dense->arrays.numbered, 0);
  EXPECT_EQ(dense->arrays.refused, 1);
  const auto arrays = private_arrays(dense->text);
  ASSERT_EQ(arrays.size(), 1U) << dense->text;
  EXPECT_EQ(arrays.begin()->second, kAccumulatorsRows * kAccumulatorsRows);
}

TEST(DenseAccumulators, AreNotLookedForInsideThreads) {
  const auto dense = lowered(SumLoops::kUnrolled, SumLevel::kThread);
  ASSERT_TRUE(dense) << to_text(dense.error());
  EXPECT_EQ(dense->arrays.numbered + dense->arrays.refused, 0);
}

}  // namespace
}  // namespace opbench
