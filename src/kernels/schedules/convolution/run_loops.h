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
/// (element, channel, …, image), `out` the results as they lie in the output.
struct RunLoops {
  Halide::Func &out, &flat, &sum, &run;
  const std::vector<Halide::Var>& space;  ///< dimensions of `out`, innermost first
  const Halide::Var &c, &n, &q, &co;      ///< as the functions name them
  const Halide::RDom& taps;               ///< those of space, then channels
  int channels = 0;                       ///< of the output
  int tile_channels = 0;
  int tile_vectors = 0;
  int lanes = 0;
  int pitch = 0;
};

/// Tasks of `tile_channels` channels of an image. Inside, tiles of vectors and channels stay in
/// registers over all taps.
void schedule(const RunLoops& loops);

/// The channels of a group among which a register tile is chosen. The last tile of a single group
/// begins earlier where it does not fit; tiles of several groups must fit.
struct TileChannels {
  int64_t groups = 1;
  int64_t of_group = 1;

  /// At most `most`, in even tiles.
  int64_t by_rule(int64_t most) const;
  std::vector<int64_t> values() const;
  Result<void> check(const Config& config, const std::string& knob) const;
};

}  // namespace opbench
