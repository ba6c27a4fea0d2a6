#include "kernels/loops/nest_loops.h"

#include <algorithm>
#include <cassert>

namespace opbench {

int64_t literal_stride(const std::vector<AxisPart>& parts, const std::vector<AxisStride>& strides) {
  int64_t extent = 0,
          stride = 0;  // of the parts from the innermost on that lie one behind the other
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->extent == 1) continue;
    const auto found = std::ranges::find(strides, part->axis, &AxisStride::axis);
    const int64_t own = found == strides.end() ? 0 : found->stride;
    if (extent == 0) {
      extent = part->extent;
      stride = own;
    } else if (own == extent * stride) {
      extent *= part->extent;
    } else {
      return 1;
    }
  }
  return stride;
}

void NestBuilder::open(LoopKind kind, std::vector<AxisPart> parts) {
  NestLoop loop{.kind = kind,
                .parent = open_.empty() ? kNoLoop : open_.back().loop,
                .level = static_cast<int>(open_.size()) + 1};
  for (const AxisPart& part : parts) loop.extent *= part.extent;
  open_.push_back({nest_.loops.size(), std::move(parts)});
  nest_.loops.push_back(loop);
}

void NestBuilder::close(int count) {
  assert(static_cast<size_t>(count) <= open_.size());
  open_.resize(open_.size() - static_cast<size_t>(count));
}

void NestBuilder::access(std::string_view buffer, const std::vector<AxisStride>& strides) {
  assert(!open_.empty());
  NestAccess access{.buffer = buffer};
  access.strides.reserve(open_.size());
  for (const OpenLoop& open : open_) {
    access.strides.push_back({open.loop, literal_stride(open.parts, strides)});
  }
  nest_.accesses.push_back(std::move(access));
}

void NestBuilder::compute(int additions, int multiplications) {
  NestLoop& loop = nest_.loops[open_.back().loop];
  loop.additions += additions;
  loop.multiplications += multiplications;
}

}  // namespace opbench
