#include "kernels/loops/config_reader.h"
#include "kernels/loops/nest.h"
#include "kernels/tasks/matrix_arguments.h"

namespace opbench {
namespace {

/// dense_nopack.x86 (docs/reference/config-spaces.md, "Loop nests"): `tile_k` partial sums for each
/// result of a tile, then their sum.
Result<LoopNest> nest_of_dense_nopack_x86(const std::vector<Argument>& arguments,
                                          const KnobConfig& config) {
  OPBENCH_TRY(const MatrixArguments m, read_dense(arguments));
  ConfigReader reader(config);
  const int64_t rows = reader.last_size("tile_y");
  const int64_t columns = reader.last_size("tile_x");
  const int64_t lanes = reader.last_size("tile_k");
  OPBENCH_CHECK(reader.finish());
  const AxisPart row{"yi", rows}, column{"xi", columns};
  const std::vector<AxisStride> parts = {{"yi", columns * lanes}, {"xi", lanes}, {"v", 1}};
  const std::vector<AxisStride> output = {
      {"yo", rows * m.columns}, {"xo", columns}, {"yi", m.columns}, {"xi", 1}};
  NestBuilder nest;
  nest.open(LoopKind::kParallel, {{"yo", m.rows / rows}, {"xo", m.columns / columns}});
  nest.open(LoopKind::kSerial, {{"k", m.depth / lanes}});
  nest.open(LoopKind::kUnrolled, {row, column});
  nest.open(LoopKind::kVectorized, {{"v", lanes}});
  nest.access("output.part", parts);
  nest.access("output.part", parts);
  nest.access("data", {{"yo", rows * m.depth}, {"yi", m.depth}, {"k", lanes}, {"v", 1}});
  nest.access("weight", {{"xo", columns * m.depth}, {"xi", m.depth}, {"k", lanes}, {"v", 1}});
  nest.compute(1, 1);
  nest.close(3);
  nest.open(LoopKind::kSerial, {row});
  nest.open(LoopKind::kSerial, {column});
  nest.open(LoopKind::kUnrolled, {{"v", lanes}});
  nest.access("output", output);
  nest.access("output", output);
  nest.access("output.part", parts);
  nest.compute(1, 0);
  return std::move(nest).finish();
}

}  // namespace

NestDef dense_nopack_x86_nest() {
  return {.name = "dense_nopack.x86", .nest = nest_of_dense_nopack_x86};
}

}  // namespace opbench
