#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
class Func;
class RDom;
class Var;
}  // namespace Halide

namespace opbench {

/// The loops of a convolution that computes runs of whole rows: `run` holds the input in rows of
/// one pitch (element, …, channel, image), `sum` and `flat` the results in rows of that pitch
/// (element, channel of the group, group, …, image), `out` the results as they lie in the output.
struct RunLoops {
  Halide::Func &out, &flat, &sum, &run;
  const std::vector<Halide::Var>& space;  ///< dimensions of `out`, innermost first
  const Halide::Var &c, &g, &n;           ///< of `out`: channel of the group, group, image
  const Halide::Var &q, &co, &input;      ///< of the others: element, channel; of `run`: channel
  const Halide::RDom& taps;               ///< those of space, then channels
  int channels = 0;                       ///< of a group
  int tile_channels = 0;
  int tile_vectors = 0;
  int lanes = 0;
  int pitch = 0;  ///< of rows of which `run` reads whole vectors; 0: it reads single elements
};

/// Tasks of `tile_channels` channels of an image. Inside, tiles of vectors and channels stay in
/// registers over all taps.
void schedule(const RunLoops& loops);

/// Vectors along a row of `extent` elements, narrower ones where it is short; nothing outside it is
/// written.
void vectorize_row(Halide::Func& func, const Halide::Var& var, int extent, int lanes);

/// The numbers of channels of a group that a register tile may have. The last tile of a group
/// begins earlier where it does not fit.
std::vector<int64_t> tile_channels(int64_t of_group);
Result<void> check_tile_channels(const Config& config, const std::string& knob, int64_t of_group);

/// A register tile of vectors along the run by output channels.
struct RunTile {
  int64_t vectors = 1;
  int64_t channels = 1;
};

/// The tile for `of_group` channels of a group whose accumulators leave registers for the operands
/// and whose loops over a run of so many elements take the fewest cycles.
RunTile default_tile(const KernelSpec& spec, int64_t of_group, int64_t run);

}  // namespace opbench
