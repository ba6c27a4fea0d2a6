#include "opbench/nests/nest_features.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace opbench {
namespace {

constexpr int kKinds = 11;  // of loops

/// An access as seen from one loop.
struct Touch {
  std::string name;    ///< of the buffer: data
  std::string access;  ///< with its number: data_0
  int64_t stride = 0;
  int64_t count = 1;
  int64_t reuse = 1;
  int64_t thread_count = 0;  ///< of a parallel loop: how much more than in the loop inside it
  int64_t thread_reuse = 0;
};

/// Per loop: the accesses under it, sorted by name, and the iterations down to it.
struct TouchedLoop {
  std::vector<Touch> touches;
  int64_t from_root = 1;
};

std::vector<TouchedLoop> touched_loops(const LoopNest& nest) {
  std::vector<TouchedLoop> loops(nest.loops.size());
  for (size_t i = 0; i < loops.size(); ++i) {
    const NestLoop& loop = nest.loops[i];
    const int64_t outside = loop.parent == kNoLoop ? 1 : loops[loop.parent].from_root;
    loops[i].from_root = outside * loop.extent;
  }
  std::map<std::string, int> numbers;
  for (const NestAccess& access : nest.accesses) {
    Touch touch{.name = access.buffer,
                .access = access.buffer + "_" + std::to_string(numbers[access.buffer]++)};
    for (auto around = access.strides.rbegin(); around != access.strides.rend(); ++around) {
      const NestLoop& loop = nest.loops[around->loop];
      const bool moves = around->stride != 0;
      (moves ? touch.count : touch.reuse) *= loop.extent;
      touch.stride = around->stride;
      const bool has_threads =
          loop.kind == LoopKind::kParallel && around != access.strides.rbegin();
      touch.thread_count = !has_threads ? 0 : moves ? loop.extent : 1;
      touch.thread_reuse = !has_threads ? 0 : moves ? 1 : loop.extent;
      loops[around->loop].touches.push_back(touch);
    }
  }
  for (TouchedLoop& loop : loops) std::ranges::sort(loop.touches, {}, &Touch::access);
  return loops;
}

float logarithm(int64_t value) {
  const double size = std::log2(static_cast<double>(std::abs(value)) + 1);
  return static_cast<float>(value < 0 ? -size : size);
}

/// The accesses that the curves are made of: of each buffer the last one under a deepest loop;
/// `output` and `output.global` are one buffer.
std::set<std::string> innermost_accesses(const LoopNest& nest,
                                         const std::vector<TouchedLoop>& touched) {
  int deepest = 0;
  for (const NestLoop& loop : nest.loops) deepest = std::max(deepest, loop.level);
  std::set<std::string> accesses, buffers;
  for (size_t i = touched.size(); i-- > 0;) {
    if (nest.loops[i].level != deepest) continue;
    const std::vector<Touch>& touches = touched[i].touches;
    for (auto touch = touches.rbegin(); touch != touches.rend(); ++touch) {
      const std::string buffer = touch->name.substr(0, touch->name.find('.'));
      if (buffers.insert(buffer).second) accesses.insert(touch->access);
    }
  }
  return accesses;
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
  const std::vector<TouchedLoop> touched = touched_loops(nest);
  std::vector<float> features;
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
  const std::vector<TouchedLoop> touched = touched_loops(nest);
  std::map<std::string, Curves> curves;
  for (const std::string& access : innermost_accesses(nest, touched)) curves[access] = {};
  for (const TouchedLoop& loop : touched) {
    for (const Touch& touch : loop.touches) {
      const auto found = curves.find(touch.access);
      if (found == curves.end()) continue;
      found->second.count.push_back(std::log2(static_cast<double>(touch.count)));
      found->second.reuse.push_back(std::log2(static_cast<double>(touch.reuse)));
      found->second.from_root.push_back(std::log2(static_cast<double>(loop.from_root)));
    }
  }
  std::vector<float> features;
  for (auto& [access, curve] : curves) {
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
