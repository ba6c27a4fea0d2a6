#include "model/operators/attention/head_copy.h"

#include <algorithm>

namespace opbench {

HeadStrides strides_of(const HeadLayout& layout) {
  return {layout.offset(1, 0, 0), layout.offset(0, 1, 0), layout.offset(0, 0, 1)};
}

std::vector<float> copy_heads(const float* from, const HeadStrides& strides,
                              const HeadLayout& layout) {
  std::vector<float> heads(
      static_cast<size_t>(layout.batch * layout.heads * layout.steps * layout.size));
  float* to = heads.data();
  for (int64_t image = 0; image < layout.batch; ++image) {
    for (int64_t head = 0; head < layout.heads; ++head) {
      for (int64_t step = 0; step < layout.steps; ++step) {
        const int64_t at = image * strides.image + head * strides.head + step * strides.step;
        to = std::copy_n(from + at, layout.size, to);
      }
    }
  }
  return heads;
}

void add_bias(std::vector<float>& heads, const HeadLayout& layout, const float* bias) {
  const int64_t length = layout.steps * layout.size;
  for (int64_t i = 0; i < static_cast<int64_t>(heads.size()); ++i) {
    const int64_t head = i / length % layout.heads;
    heads[static_cast<size_t>(i)] += bias[head * layout.size + i % layout.size];
  }
}

std::vector<float> append_heads(const float* past, int64_t past_steps,
                                const std::vector<float>& now, const HeadLayout& layout) {
  if (past == nullptr) return now;
  const int64_t count = layout.batch * layout.heads;
  const int64_t before = past_steps * layout.size;
  const int64_t length = layout.steps * layout.size;
  std::vector<float> all(static_cast<size_t>(count * (before + length)));
  float* to = all.data();
  for (int64_t i = 0; i < count; ++i) {
    to = std::copy_n(past + i * before, before, to);
    to = std::copy_n(now.data() + i * length, length, to);
  }
  return all;
}

}  // namespace opbench
