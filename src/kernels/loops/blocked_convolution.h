#pragma once

#include <string>
#include <vector>

#include "kernels/loops/config_reader.h"
#include "kernels/loops/nest_loops.h"
#include "kernels/tasks/convolution_arguments.h"

namespace opbench {

/// A convolution on blocked channels: data [n, C, y, x, c], kernel [O, I, kh, kw, i, o], output
/// [n, O, y, x, o].
struct BlockedConvolution {
  ConvolutionArguments shape;
  int64_t in_block = 1;    ///< tile_ic
  int64_t out_block = 1;   ///< tile_oc
  int64_t pixels = 1;      ///< tile_ow
  int64_t in_chunks = 1;   ///< C
  int64_t out_chunks = 1;  ///< O
  int64_t height = 1;      ///< of the output, so the width
  int64_t width = 1;
  int64_t columns = 1;  ///< tiles of `pixels` in a row
  bool is_padded = false;

  int64_t padded_row() const { return shape.padded(1) * in_block; }
  int64_t padded_plane() const { return shape.padded(0) * padded_row(); }
};

/// Reads the task and the blocks that a config chooses; `channels` of the output.
Result<BlockedConvolution> blocked_convolution(const std::vector<Argument>& arguments,
                                               ConfigReader& reader, bool is_depthwise);

/// The loops that write the padded input; none when there is no padding.
void add_padding_stage(const BlockedConvolution& conv, NestBuilder& nest);

/// What the sums read: `data_pad` or `data`.
std::string_view data_buffer(const BlockedConvolution& conv);

/// Of the output, with axes n, oc, y, xo (tiles), xi and o; `y` in rows.
std::vector<AxisStride> output_strides(const BlockedConvolution& conv);

}  // namespace opbench
