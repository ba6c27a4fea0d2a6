#pragma once

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
  const Halide::Var &x, &y, &c, &n, &q, &co;  ///< as the functions name them
  const Halide::RDom& taps;                   ///< x, y, channel
  bool has_rows = false;                      ///< two dimensions of space; `y` counts only then
  int channels = 0;                           ///< of the output
  int tile_channels = 0;
  int tile_vectors = 0;
  int lanes = 0;
  int pitch = 0;
};

/// Tasks of `tile_channels` channels of an image. Inside, tiles of vectors and channels stay in
/// registers over all taps.
void schedule(const RunLoops& loops);

}  // namespace opbench
