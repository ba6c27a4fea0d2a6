#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/schedules/convolution/conv_geometry.h"

namespace opbench {

// The padded input lies in rows of one pitch, split by stride into phases: element (row, column) of
// phase (py, px) is the input at (row * stride_y + py, column * stride_x + px), and so for planes;
// phases that no tap reads are left out.
// Then every tap reads all outputs of a channel as one run of elements, at an offset of its own,
// whatever the stride, the dilation, the padding and the width. The elements between two rows of
// outputs are computed and dropped.

/// One dimension of space.
struct RunAxis {
  int kernel = 1, stride = 1, dilation = 1, pad = 0, extent = 1, outputs = 1;

  /// Elements of one phase that taps read.
  int length() const { return outputs + (kernel - 1) * dilation / stride; }
  /// Where element `place` of the phase that tap `tap` reads lies in the input.
  int position(int place, int tap) const { return place * stride + tap * dilation % stride - pad; }
  /// Elements from one row of a phase to the next: zeros behind a row are those before the next.
  int pitch() const {
    for (int pitch = outputs; pitch < length(); ++pitch)
      if (shares_zeros(pitch)) return pitch;
    return length();
  }
  bool shares_zeros(int pitch) const {
    for (int tap = 0; tap < phases(); ++tap)
      for (int place = pitch; place < length(); ++place)
        if (position(place, tap) < extent || position(place - pitch, tap) >= 0) return false;
    return true;
  }
  /// Taps until one reads the phase of the first again.
  int period() const { return stride / std::gcd(stride, dilation); }
  /// Phases that taps read; number p is that of tap p.
  int phases() const { return std::min(kernel, period()); }
};

/// The dimensions of space of a convolution, and its channels.
struct RunShape {
  std::vector<RunAxis> axes;  ///< innermost first
  int groups = 1, group_in = 1, group_out = 1;

  int rank() const { return static_cast<int>(axes.size()); }
  /// True if vectors of a row are neighbours in the input too, or so near to each other that loads
  /// of whole vectors hold them.
  bool has_long_rows(int lanes) const {
    constexpr int kMostStride = 4;
    return axes[0].stride <= kMostStride && axes[0].pitch() >= lanes;
  }
  int phases() const {
    int count = 1;
    for (const RunAxis& axis : axes) count *= axis.phases();
    return count;
  }
  /// Elements of the run from one output along axis `d` to the next.
  int step(int d) const {
    int elements = 1;
    for (int i = 0; i < d; ++i) elements *= axes[static_cast<size_t>(i)].pitch();
    return elements;
  }
  /// Elements of the run of one channel, those between its rows included.
  int run() const {
    int last = 0;
    for (int d = 0; d < rank(); ++d) last += (axes[static_cast<size_t>(d)].outputs - 1) * step(d);
    return last + 1;
  }
};

/// The run that `conv_rows` computes for a convolution.
RunShape run_shape(const ConvGeometry& geometry);

}  // namespace opbench
