#include "base/numbers/divisors.h"
#include "kernels/loops/config_reader.h"
#include "kernels/loops/nest.h"
#include "kernels/tasks/matrix_arguments.h"

namespace opbench {
namespace {

/// batch_matmul.x86 (docs/reference/config-spaces.md, "Loop nests"): of a tile first `tile_k`
/// partial sums for each result, then their sum, then its copy to the output. Where A is transposed
/// tiles need not divide the matrix: the knobs go by A as it stands.
Result<LoopNest> nest_of_batch_matmul_x86(const std::vector<Argument>& arguments,
                                          const KnobConfig& config) {
  OPBENCH_TRY(const MatrixArguments m, read_batch_matmul(arguments));
  ConfigReader reader(config);
  const int64_t rows = reader.last_size("tile_y");
  const int64_t columns = reader.last_size("tile_x");
  const int64_t lanes = reader.last_size("tile_k");
  OPBENCH_CHECK(reader.finish());
  const AxisPart row{"yi", rows}, column{"xi", columns}, lane{"v", lanes};
  const std::vector<AxisStride> parts = {{"v", rows * columns}, {"yi", columns}, {"xi", 1}};
  const std::vector<AxisStride> sums = {{"yi", columns}, {"xi", 1}};
  NestBuilder nest;
  nest.open(LoopKind::kParallel,
            {{"b", m.batch}, {"yo", ceil_div(m.rows, rows)}, {"xo", ceil_div(m.columns, columns)}});
  nest.open(LoopKind::kVectorized, {lane});
  nest.open(LoopKind::kSerial, {row, column});
  nest.open(LoopKind::kSerial, {{"ko", ceil_div(m.depth, lanes)}});
  nest.access("output.global.rf", parts);
  nest.access("output.global.rf", parts);
  nest.access(
      "a",
      {{"b", m.rows * m.depth}, {"yo", rows * m.depth}, {"yi", m.depth}, {"ko", lanes}, {"v", 1}});
  nest.access("b", {{"b", m.columns * m.depth},
                    {"xo", columns * m.depth},
                    {"xi", m.depth},
                    {"ko", lanes},
                    {"v", 1}});
  nest.compute(1, 1);
  nest.close(3);
  nest.open(LoopKind::kSerial, {row});
  nest.open(LoopKind::kSerial, {column});
  nest.open(LoopKind::kSerial, {lane});
  nest.access("output.global", sums);
  nest.access("output.global", sums);
  nest.access("output.global.rf", parts);
  nest.compute(1, 0);
  nest.close(3);
  nest.open(LoopKind::kSerial, {row});
  nest.open(LoopKind::kSerial, {column});
  nest.access("output", {{"b", m.rows * m.columns},
                         {"yo", rows * m.columns},
                         {"xo", columns},
                         {"yi", m.columns},
                         {"xi", 1}});
  nest.access("output.global", sums);
  return std::move(nest).finish();
}

}  // namespace

NestDef batch_matmul_x86_nest() {
  return {.name = "batch_matmul.x86", .nest = nest_of_batch_matmul_x86};
}

}  // namespace opbench
