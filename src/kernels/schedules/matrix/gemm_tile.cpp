#include "kernels/schedules/matrix/gemm_tile.h"

#include <algorithm>
#include <string>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_rule.h"

namespace opbench {
namespace {

/// What a tuner may try: a few more sums than the rule allows, as the compiler may find room.
constexpr int64_t kSumsBeyondRule = 2;
constexpr int64_t kGemmTileMostVectors = 8;
constexpr int64_t kGemmTileMostRows = 14;
constexpr int64_t kGemmTileMostTasks = 32;

/// Time of all tiles, in multiply-adds of one vector that nothing holds up.
double cost(int64_t vectors, int64_t rows, int64_t m, int64_t columns) {
  const int64_t computed = ceil_div(m, rows) * rows * ceil_div(columns, vectors) * vectors;
  return static_cast<double>(computed) * tile_cost({rows, vectors});
}

int64_t row_tasks(int64_t m, int64_t k, const GemmTile& tile, int64_t panels, int lanes) {
  constexpr int64_t kTasks = 16;                    // enough for as many threads
  constexpr int64_t kLeastWork = int64_t{1} << 20;  // multiply-adds in a task
  const int64_t wanted = ceil_div(kTasks, panels);
  const int64_t work = m * tile.vectors * lanes * k;
  const int64_t most = std::min(ceil_div(m, tile.rows), work / kLeastWork);
  return std::max<int64_t>(1, std::min(wanted, most));
}

}  // namespace

GemmTile gemm_tile(const Target& target, int64_t m, int64_t n, int64_t k, int64_t outer) {
  const VectorIsa isa = vector_isa(target);
  const int lanes = float_lanes(target);
  const int64_t columns = ceil_div(n, lanes);
  const int64_t widest = m == 1 && lanes < 16 ? 8 : 4;
  GemmTile best;
  double least = 0;
  for (int64_t vectors = 1; vectors <= std::min(widest, columns); ++vectors)
    for (int64_t rows = 1; rows <= std::min(kGemmTileMostRows, m); ++rows) {
      if (!fits_registers(isa, {rows, vectors})) continue;
      const double time = cost(vectors, rows, m, columns);
      if (least > 0 && time >= least) continue;
      least = time;
      best.vectors = vectors;
      best.rows = rows;
    }
  const int64_t panels = ceil_div(columns, best.vectors) * outer;
  best.row_tasks = row_tasks(m, k, best, panels, lanes);
  return best;
}

Config config_of(const GemmTile& tile) {
  return {{"vectors", tile.vectors}, {"rows", tile.rows}, {"row_tasks", tile.row_tasks}};
}

GemmTile tile_of(const Config& config) {
  const auto knob = [&](const char* name) {
    const auto it = config.find(name);
    return it == config.end() ? int64_t{1} : std::max<int64_t>(1, it->second);
  };
  return {.vectors = knob("vectors"), .rows = knob("rows"), .row_tasks = knob("row_tasks")};
}

std::vector<KnobRange> gemm_knobs(const KernelSpec& spec, int64_t m, int64_t n, int64_t k,
                                  int64_t outer) {
  const int64_t columns = ceil_div(n, float_lanes(spec.target));
  const int64_t default_tasks = gemm_tile(spec.target, m, n, k, outer).row_tasks;
  return {{"vectors", numbers(1, std::min(kGemmTileMostVectors, columns))},
          {"rows", numbers(1, std::min(kGemmTileMostRows, m))},
          {"row_tasks", doublings(std::min(kGemmTileMostTasks, m), default_tasks)}};
}

Result<void> check_tile(const KernelSpec& spec, int64_t m) {
  const GemmTile tile = tile_of(spec.config);
  if (tile.rows > m) {
    return Error{ErrorCode::kInvalidInput,
                 "knob \"rows\" is " + std::to_string(tile.rows) + ", more than the matrix has"};
  }
  if (tile.row_tasks > ceil_div(m, tile.rows)) {
    return Error{ErrorCode::kInvalidInput, "knob \"row_tasks\" is " +
                                               std::to_string(tile.row_tasks) +
                                               ", more than the matrix has tiles of rows"};
  }
  return check_sums(tile.vectors * tile.rows, kSumsBeyondRule + most_sums(spec.target));
}

}  // namespace opbench
