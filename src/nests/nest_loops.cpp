#include "opbench/nests/nest_loops.h"

#include <algorithm>
#include <cassert>

namespace opbench {

int64_t literal_stride(const std::vector<AxisPart>& parts, const std::vector<AxisStride>& strides) {
  std::vector<std::pair<int64_t, int64_t>> merged;  // extent and stride, innermost first
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->extent == 1) continue;
    const auto found = std::ranges::find(strides, part->axis, &AxisStride::axis);
    const int64_t stride = found == strides.end() ? 0 : found->stride;
    if (!merged.empty() && stride == merged.back().first * merged.back().second) {
      merged.back().first *= part->extent;
    } else {
      merged.emplace_back(part->extent, stride);
    }
  }
  if (merged.empty()) return 0;
  return merged.size() == 1 ? merged.front().second : 1;
}

void NestBuilder::open(LoopKind kind, const std::vector<AxisPart>& parts) {
  NestLoop loop{.kind = kind,
                .parent = open_.empty() ? kNoLoop : open_.back().loop,
                .level = static_cast<int>(open_.size()) + 1};
  for (const AxisPart& part : parts) loop.extent *= part.extent;
  open_.push_back({nest_.loops.size(), parts});
  nest_.loops.push_back(loop);
}

void NestBuilder::close(int count) {
  assert(static_cast<size_t>(count) <= open_.size());
  open_.resize(open_.size() - static_cast<size_t>(count));
}

void NestBuilder::access(const std::string& buffer, const std::vector<AxisStride>& strides) {
  assert(!open_.empty());
  NestAccess access{.buffer = buffer};
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
