#pragma once

#include <cstdint>

#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

/// The extents of one of the seven products: half the channels in and out, and half the pixels.
struct StrassenHalves {
  int64_t batch = 0;
  int64_t in_blocks = 0;
  int64_t out_blocks = 0;
  int64_t pairs = 0;  ///< of neighbouring pixels; the last one may lack its second
  int64_t pixels = 0;
  int64_t width = 0;  ///< pixels in a row of the result
  int plain = 0;      ///< so many right factors are read where they lie in the operand
};

/// Of a 1x1 convolution whose channels are halved evenly.
StrassenHalves strassen_halves(const KernelSpec& spec);

struct StrassenKnobs {
  int64_t tile_x = 1;       ///< neighbouring pairs, and
  int64_t tile_co = 1;      ///< channel blocks whose products are summed in registers together
  int64_t pixel_tasks = 1;  ///< parts of the pixels, and
  int64_t panel_tasks = 1;  ///< of the panels of `tile_co`, that run in parallel
  bool is_shared = false;   ///< a task: one panel of a part of the pixels, of sums that all share
};

inline constexpr int64_t kMostStrassenPixelTasks = 64;

/// Values of all left factors.
int64_t left_factor_values(const ConvolutionShape& s);

/// True where the additions cost less than the eighth of the products that they save. Sums of
/// products are made once for all channels of the input, sums of inputs once for all channels of
/// the result. The cost of both was fitted to times on AVX-512 and AVX2.
bool strassen_pays(const ConvolutionShape& s);

/// The default knobs, but for `ahead`. A small image that few threads compute is cut into one part
/// a thread: parts of the pixels, with a tile that fits the part, or parts of the panels, where
/// each task sums all pixels. That costs less than reading what another thread has written.
StrassenKnobs default_strassen_knobs(const KernelSpec& spec);

}  // namespace opbench
