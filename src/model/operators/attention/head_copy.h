#pragma once

#include <cstdint>
#include <vector>

#include "model/operators/attention/head_layout.h"

namespace opbench {

/// Elements from one image, head and step of an operand to the next; the elements of a head are
/// neighbours.
struct HeadStrides {
  int64_t image = 0;
  int64_t head = 0;
  int64_t step = 0;
};

/// The strides of heads that lie as `layout` says.
HeadStrides strides_of(const HeadLayout& layout);

/// Copies heads to [batch, heads, steps, size].
std::vector<float> copy_heads(const float* from, const HeadStrides& strides,
                              const HeadLayout& layout);

/// Adds bias[heads, size] to heads that lie as [batch, heads, steps, size].
void add_bias(std::vector<float>& heads, const HeadLayout& layout, const float* bias);

/// Keys or values with those of the past, [batch, heads, past, size], before them. `past` may be
/// null where there are none.
std::vector<float> append_heads(const float* past, int64_t past_steps,
                                const std::vector<float>& now, const HeadLayout& layout);

}  // namespace opbench
