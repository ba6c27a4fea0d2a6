#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/loops/config_reader.h"
#include "kernels/loops/nest.h"
#include "kernels/tasks/matrix_arguments.h"

namespace opbench {
namespace {

/// The tiles of a config: y is (yt * middle + yo) * inner + yi, likewise x.
struct Tiles {
  int64_t middle_y = 1, inner_y = 1;
  int64_t middle_x = 1, inner_x = 1;
  int64_t depth = 1;  ///< of the steps that are unrolled
  int64_t rows = 1;   ///< of the tile that are unrolled together
};

Result<Tiles> tiles_of(const KnobConfig& config) {
  ConfigReader reader(config);
  Tiles tiles{.middle_y = reader.size("tile_y", 1),
              .inner_y = reader.size("tile_y", 2),
              .middle_x = reader.size("tile_x", 1),
              .inner_x = reader.size("tile_x", 2),
              .depth = reader.last_size("tile_k"),
              .rows = reader.last_size("tile_inner")};
  OPBENCH_CHECK(reader.finish());
  tiles.rows = std::min(tiles.rows, tiles.inner_y);
  return tiles;
}

/// dense_pack.x86 (docs/reference/config-spaces.md, "Loop nests"). TVM leaves the loop over parts
/// of a tile's rows out when `tile_inner` is 1; here it is there with one row each, so that
/// features of all configs stand in the same places.
Result<LoopNest> nest_of_dense_pack_x86(const std::vector<Argument>& arguments,
                                        const KnobConfig& config) {
  OPBENCH_TRY(const MatrixArguments m, read_dense(arguments));
  OPBENCH_TRY(const Tiles t, tiles_of(config));
  const int64_t tile_y = t.middle_y * t.inner_y, tile_x = t.middle_x * t.inner_x;
  const int64_t panel = m.depth * t.inner_x;  // of the packed weight [N/b, K, b]
  const std::vector<AxisStride> sums = {
      {"yi", t.inner_x}, {"ys", t.rows * t.inner_x}, {"y", t.inner_x}, {"xi", 1}};
  NestBuilder nest;
  nest.open(LoopKind::kParallel, {{"xt", m.columns / tile_x}, {"yt", m.rows / tile_y}});
  nest.open(LoopKind::kSerial, {{"yo", t.middle_y}, {"xo", t.middle_x}});
  nest.open(LoopKind::kSerial, {{"ko", m.depth / t.depth}});
  nest.open(LoopKind::kUnrolled, {{"ys", ceil_div(t.inner_y, t.rows)}});
  nest.open(LoopKind::kUnrolled, {{"ki", t.depth}});
  nest.open(LoopKind::kUnrolled, {{"y", t.rows}});
  nest.open(LoopKind::kVectorized, {{"xi", t.inner_x}});
  nest.access("output.global", sums);
  nest.access("output.global", sums);
  nest.access("data", {{"yt", tile_y * m.depth},
                       {"yo", t.inner_y * m.depth},
                       {"ys", t.rows * m.depth},
                       {"y", m.depth},
                       {"ko", t.depth},
                       {"ki", 1}});
  nest.access("weight", {{"xt", t.middle_x * panel},
                         {"xo", panel},
                         {"ko", t.depth * t.inner_x},
                         {"ki", t.inner_x},
                         {"xi", 1}});
  nest.compute(1, 1);
  nest.close(5);
  nest.open(LoopKind::kUnrolled, {{"yi", t.inner_y}});
  nest.open(LoopKind::kVectorized, {{"xi", t.inner_x}});
  nest.access("output", {{"xt", tile_x},
                         {"yt", tile_y * m.columns},
                         {"yo", t.inner_y * m.columns},
                         {"xo", t.inner_x},
                         {"yi", m.columns},
                         {"xi", 1}});
  nest.access("output.global", sums);
  return std::move(nest).finish();
}

}  // namespace

NestDef dense_pack_x86_nest() { return {.name = "dense_pack.x86", .nest = nest_of_dense_pack_x86}; }

}  // namespace opbench
