#include "prediction/features/nest_features.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace opbench {
namespace {

constexpr int kKinds = 11;  // of loops

/// An access as seen from one loop.
struct Touch {
  size_t access = 0;  ///< place in `accesses_by_name`
  int64_t stride = 0;
  int64_t count = 1;
  int64_t reuse = 1;
  int64_t thread_count = 0;  ///< of a parallel loop: how much more than in the loop inside it
  int64_t thread_reuse = 0;
};

/// Per loop: the accesses under it, by name, and the iterations down to it.
struct TouchedLoop {
  std::vector<Touch> touches;
  int64_t from_root = 1;
};

/// By the buffer's name; those of one buffer stay in their order.
std::vector<const NestAccess*> accesses_by_name(const LoopNest& nest) {
  std::vector<const NestAccess*> accesses;
  for (const NestAccess& access : nest.accesses) accesses.push_back(&access);
  std::ranges::stable_sort(accesses, {}, &NestAccess::buffer);
  return accesses;
}

/// The access as the loop sees it; `touch` is how the loop inside of it does.
void move_out(const LoopStride& around, const NestLoop& loop, bool is_innermost, Touch& touch) {
  const bool moves = around.stride != 0;
  (moves ? touch.count : touch.reuse) *= loop.extent;
  touch.stride = around.stride;
  const bool has_threads = loop.kind == LoopKind::kParallel && !is_innermost;
  touch.thread_count = !has_threads ? 0 : moves ? loop.extent : 1;
  touch.thread_reuse = !has_threads ? 0 : moves ? 1 : loop.extent;
}

std::vector<TouchedLoop> touched_loops(const LoopNest& nest,
                                       const std::vector<const NestAccess*>& accesses) {
  std::vector<TouchedLoop> loops(nest.loops.size());
  for (size_t i = 0; i < loops.size(); ++i) {
    const NestLoop& loop = nest.loops[i];
    const int64_t outside = loop.parent == kNoLoop ? 1 : loops[loop.parent].from_root;
    loops[i].from_root = outside * loop.extent;
    loops[i].touches.reserve(accesses.size());
  }
  for (size_t i = 0; i < accesses.size(); ++i) {
    const std::vector<LoopStride>& strides = accesses[i]->strides;
    Touch touch{.access = i};
    for (auto around = strides.rbegin(); around != strides.rend(); ++around) {
      move_out(*around, nest.loops[around->loop], around == strides.rbegin(), touch);
      loops[around->loop].touches.push_back(touch);
    }
  }
  return loops;
}

float logarithm(int64_t value) {
  const double size = std::log2(static_cast<double>(std::abs(value)) + 1);
  return static_cast<float>(value < 0 ? -size : size);
}

/// Whether a curve is made of an access: of each buffer the last one under a deepest loop; `output`
/// and `output.global` are one buffer.
std::vector<bool> innermost_accesses(const LoopNest& nest, const std::vector<TouchedLoop>& touched,
                                     const std::vector<const NestAccess*>& accesses) {
  int deepest = 0;
  for (const NestLoop& loop : nest.loops) deepest = std::max(deepest, loop.level);
  std::set<std::string_view> buffers;
  std::vector<bool> chosen(accesses.size(), false);
  for (size_t i = touched.size(); i-- > 0;) {
    if (nest.loops[i].level != deepest) continue;
    const std::vector<Touch>& touches = touched[i].touches;
    for (auto touch = touches.rbegin(); touch != touches.rend(); ++touch) {
      const std::string_view name = accesses[touch->access]->buffer;
      if (buffers.insert(name.substr(0, name.find('.'))).second) chosen[touch->access] = true;
    }
  }
  return chosen;
}

/// Doublings, ascending from 0.
struct Curves {
  std::vector<double> count = {0};
  std::vector<double> reuse = {0};
  std::vector<double> from_root = {0};
};

/// y where x was last at most 0, 1, … 19, and how much further that is.
void sample(const std::vector<double>& x, const std::vector<double>& y,
            std::vector<float>& features) {
  constexpr int kSamples = 20;
  constexpr double kSlack = 1e-6;
  for (int at = 0; at < kSamples; ++at) {
    const auto after = std::ranges::upper_bound(x, at + kSlack);
    const auto place = static_cast<size_t>(after - x.begin()) - 1;
    features.push_back(static_cast<float>(y[place]));
    features.push_back(static_cast<float>(at - x[place]));
  }
}

}  // namespace

std::vector<float> itervar_features(const LoopNest& nest) {
  const std::vector<TouchedLoop> touched = touched_loops(nest, accesses_by_name(nest));
  size_t size = 0;
  for (const TouchedLoop& loop : touched) size += 4 + kKinds + 3 + 6 * loop.touches.size();
  std::vector<float> features;
  features.reserve(size);
  for (size_t i = 0; i < touched.size(); ++i) {
    const NestLoop& loop = nest.loops[i];
    int64_t most = -1;
    for (const Touch& touch : touched[i].touches) most = std::max(most, touch.count * touch.reuse);
    features.insert(features.end(), {logarithm(loop.extent), static_cast<float>(loop.level),
                                     logarithm(touched[i].from_root), logarithm(most)});
    for (int kind = 0; kind < kKinds; ++kind) {
      features.push_back(kind == static_cast<int>(loop.kind) ? 1.0F : 0.0F);
    }
    features.insert(features.end(), {logarithm(loop.additions), logarithm(loop.multiplications),
                                     logarithm(loop.divisions)});
    for (const Touch& touch : touched[i].touches) {
      features.insert(
          features.end(),
          {logarithm(touch.stride), logarithm(-1), logarithm(touch.count), logarithm(touch.reuse),
           logarithm(touch.thread_count), logarithm(touch.thread_reuse)});
    }
  }
  return features;
}

std::vector<float> curve_features(const LoopNest& nest) {
  const std::vector<const NestAccess*> accesses = accesses_by_name(nest);
  const std::vector<TouchedLoop> touched = touched_loops(nest, accesses);
  const std::vector<bool> chosen = innermost_accesses(nest, touched, accesses);
  std::vector<float> features;
  for (size_t access = 0; access < accesses.size(); ++access) {
    if (!chosen[access]) continue;
    Curves curve;
    for (const TouchedLoop& loop : touched) {
      const auto touch = std::ranges::find(loop.touches, access, &Touch::access);
      if (touch == loop.touches.end()) continue;
      curve.count.push_back(std::log2(static_cast<double>(touch->count)));
      curve.reuse.push_back(std::log2(static_cast<double>(touch->reuse)));
      curve.from_root.push_back(std::log2(static_cast<double>(loop.from_root)));
    }
    std::ranges::sort(curve.count);
    std::ranges::sort(curve.reuse);
    std::ranges::sort(curve.from_root);
    sample(curve.count, curve.reuse, features);
    sample(curve.reuse, curve.count, features);
    sample(curve.count, curve.from_root, features);
    sample(curve.from_root, curve.count, features);
  }
  return features;
}

}  // namespace opbench
