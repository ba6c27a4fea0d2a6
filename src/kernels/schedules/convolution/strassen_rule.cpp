#include "kernels/schedules/convolution/strassen_rule.h"

#include <algorithm>
#include <numeric>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/strassen.h"
#include "kernels/schedules/knobs/own_parts.h"
#include "kernels/schedules/knobs/tile_rule.h"

namespace opbench {
namespace {

/// A second pixel that the last pair lacks does not lie there.
int plain_factors(const ConvolutionShape& s) {
  if (s.has_stride()) return 0;
  return s.out_height * s.out_width % 2 == 0 ? kPlainFactors : kPlainFactors - 1;
}

/// Tasks that some threads have use for.
constexpr int64_t kStrassenRuleTasks = 16;

/// As many parts as there should be tasks; more if only then what a part reads of the operand, and
/// its sums, stay in a core's own cache.
int64_t cached_parts(const StrassenHalves& h, const RegisterTile& tile, int64_t block) {
  constexpr int64_t kCached = 256 << 10;
  constexpr int64_t kValues = 8;  // of a pair of pixels and one of channels: right factors, operand
  const int64_t bytes = h.pairs * kValues * h.in_blocks * block * 4;
  const int64_t wanted =
      std::clamp(ceil_div(bytes, kCached), kStrassenRuleTasks, kMostStrassenPixelTasks);
  const int64_t tiles = ceil_div(h.pairs, tile.pixels);
  return std::min(ceil_div(tiles, tiles / std::min(wanted, tiles)), kMostStrassenPixelTasks);
}

/// As many parts as make enough tasks together with the panels.
int64_t shared_parts(const StrassenHalves& h, const RegisterTile& tile) {
  const int64_t panels = h.out_blocks / tile.vectors * h.batch;
  return std::min(ceil_div(kStrassenRuleTasks, panels), ceil_div(h.pairs, tile.pixels));
}

/// An image of few tiles leaves too few parts for threads.
bool is_small(const StrassenHalves& h, const RegisterTile& tile) {
  constexpr int64_t kFewest = 8;
  return ceil_div(h.pairs, tile.pixels) < kFewest;
}

/// Parts of the pixels each read all left factors, which is worth it as long as these take less
/// time than the sums of the pixels.
bool is_worth_pixel_parts(const ConvolutionShape& s, const StrassenHalves& h, int64_t block) {
  constexpr int64_t kTimes = 16;  // as long as a value from the cache of all cores
  const int64_t sums = h.pairs * (kStrassenProducts - h.plain) * h.in_blocks * block;
  return left_factor_values(s) <= kTimes * sums;
}

/// The factors are more than the weights: where they come from far and serve few pixels, reading
/// them takes longer than multiplying.
bool reads_mostly_weights(const ConvolutionShape& s) {
  constexpr int64_t kFar = (10 << 20) / 4;  // values
  constexpr int64_t kFewPixels = 128;
  return left_factor_values(s) > kFar && s.out_height * s.out_width < kFewPixels;
}

}  // namespace

StrassenHalves strassen_halves(const KernelSpec& spec) {
  const ConvolutionShape s = *convolution_shape(spec.workload);
  const int64_t block = float_lanes(spec.target);
  const int64_t pixels = s.out_height * s.out_width;
  return {.batch = s.batch,
          .in_blocks = s.channels / (2 * block),
          .out_blocks = ceil_div(s.out_channels, block) / 2,
          .pairs = ceil_div(pixels, 2),
          .pixels = pixels,
          .width = s.out_width,
          .plain = plain_factors(s)};
}

int64_t left_factor_values(const ConvolutionShape& s) {
  return s.channels * s.out_channels * kStrassenProducts / 4;
}

bool strassen_pays(const ConvolutionShape& s) {
  constexpr double kOfProducts = 8, kOfInputs = 6, kMost = 0.08;
  const double share = kOfProducts / static_cast<double>(s.channels) +
                       kOfInputs / static_cast<double>(s.out_channels);
  return share < kMost && !reads_mostly_weights(s);
}

StrassenKnobs default_strassen_knobs(const KernelSpec& spec) {
  const StrassenHalves h = strassen_halves(spec);
  const int64_t lanes = float_lanes(spec.target);
  const RegisterTile tile = best_tile(spec.target, h.pairs, h.out_blocks);
  StrassenKnobs knobs{.tile_x = tile.pixels, .tile_co = tile.vectors};
  const int64_t own = own_parts(spec.threads);
  if (!is_small(h, tile)) {
    knobs.pixel_tasks = cached_parts(h, tile, lanes);
  } else if (own == 0) {
    knobs.pixel_tasks = shared_parts(h, tile);
    knobs.is_shared = true;
  } else if (const int64_t parts = own / std::gcd(own, h.batch);  // of an image
             is_worth_pixel_parts(*convolution_shape(spec.workload), h, lanes)) {
    const RegisterTile part = best_tile(spec.target, ceil_div(h.pairs, parts), h.out_blocks);
    knobs.tile_x = part.pixels;
    knobs.tile_co = part.vectors;
    knobs.pixel_tasks = std::min(parts, ceil_div(h.pairs, part.pixels));
  } else {
    knobs.panel_tasks = std::min(parts, h.out_blocks / tile.vectors);
  }
  return knobs;
}

}  // namespace opbench
