#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/cliffs/draw.h"

namespace opbench {
namespace {

std::string pool(Draw& draw) {
  const std::string kind = draw.any<std::string>({"max_pool", "average_pool", "lp_pool"});
  const auto rank = static_cast<size_t>(draw.one_of({1, 2, 2, 2, 3}));
  Shape data{draw.one_of({1, 1, 2}), draw.between(1, rank == 3 ? 40 : 200)};
  std::vector<int64_t> kernels, strides, dilations, pads;
  for (size_t i = 0; i < rank; ++i) {
    data.push_back(draw.between(7, rank == 1 ? 800 : (rank == 2 ? 80 : 24)));
    kernels.push_back(draw.one_of({1, 2, 3, 3, 5}));
    strides.push_back(draw.one_of({1, 2, 3}));
    dilations.push_back(kind == "max_pool" ? draw.one_of({1, 1, 1, 2}) : 1);
    pads.push_back(draw.once_in(2) ? 0 : kernels.back() / 2);
  }
  pads.insert(pads.end(), pads.begin(), pads.end());
  std::string text = fmt::format("{} {} kernel_shape={} strides={} pads={}", kind, shape_text(data),
                                 list_text(kernels), list_text(strides), list_text(pads));
  if (kind == "max_pool") text += " dilations=" + list_text(dilations);
  if (kind != "lp_pool" && draw.once_in(4)) text += " ceil_mode=1";
  if (kind == "average_pool" && draw.once_in(3)) text += " count_include_pad=1";
  return text;
}

std::string global_pool(Draw& draw) {
  const auto rank = static_cast<size_t>(draw.one_of({1, 2, 2, 3}));
  Shape data = draw.shape(rank, 3000);
  data.insert(data.begin(), {draw.one_of({1, 1, 2}), draw.between(1, 600)});
  return fmt::format("{} {}", draw.any<std::string>({"global_average_pool", "global_max_pool"}),
                     shape_text(data));
}

/// One axis or several, beside each other or apart.
std::string reduction(Draw& draw) {
  static const std::vector<std::string> kKinds = {
      "reduce_sum",        "reduce_mean",        "reduce_mean",   "reduce_max",
      "reduce_min",        "reduce_l1",          "reduce_l2",     "reduce_prod",
      "reduce_sum_square", "reduce_log_sum_exp", "reduce_log_sum"};
  const auto rank = static_cast<size_t>(draw.between(1, 5));
  const Shape shape = draw.shape(rank, static_cast<double>(draw.between(10'000, 2'000'000)));
  std::vector<int64_t> axes = draw.order(rank);
  axes.resize(static_cast<size_t>(draw.between(1, std::min<int64_t>(3, std::ssize(axes)))));
  std::ranges::sort(axes);
  const std::string& kind = draw.any(kKinds);
  const std::string keeps = draw.once_in(2) ? " keepdims=0" : "";
  if (kind == "reduce_sum")
    return fmt::format("{} {} {}{}", kind, shape_text(shape), integers_text(axes), keeps);
  return fmt::format("{} {} axes={}{}", kind, shape_text(shape), list_text(axes), keeps);
}

std::string extreme(Draw& draw) {
  const auto rank = static_cast<size_t>(draw.between(1, 4));
  const Shape shape = draw.shape(rank, static_cast<double>(draw.between(10'000, 500'000)));
  return fmt::format("{} {} axis={}", draw.any<std::string>({"arg_max", "arg_min"}),
                     shape_text(shape), draw.between(0, std::ssize(shape) - 1));
}

std::string softmax(Draw& draw) {
  const auto rank = static_cast<size_t>(draw.between(2, 4));
  const Shape shape = draw.shape(rank, static_cast<double>(draw.between(10'000, 400'000)));
  return fmt::format("{} {} axis={}",
                     draw.any<std::string>({"softmax", "softmax", "log_softmax", "hardmax"}),
                     shape_text(shape), draw.between(0, std::ssize(shape) - 1));
}

std::string layer_norm(Draw& draw) {
  const Shape shape = draw.shape(static_cast<size_t>(draw.between(2, 4)),
                                 static_cast<double>(draw.between(10'000, 400'000)));
  const int64_t axis = draw.between(1, std::ssize(shape) - 1);
  const std::string weight = shape_text({shape.begin() + axis, shape.end()});
  return fmt::format("layer_norm {} w:{} w:{} axis={}", shape_text(shape), weight, weight, axis);
}

/// Over the channels of [n, channels, spatial].
std::string channel_norm(Draw& draw) {
  const int64_t groups = draw.one_of({1, 2, 4, 8});
  const int64_t channels = groups * draw.between(1, 40);
  Shape shape = draw.shape(static_cast<size_t>(draw.between(1, 3)), 2000);
  shape.insert(shape.begin(), {draw.one_of({1, 1, 2, 4}), channels});
  const std::string text = shape_text(shape);
  switch (draw.between(0, 4)) {
    case 0:
      return fmt::format("batch_norm {} w:{} w:{} w:{} w:{}", text, channels, channels, channels,
                         channels);
    case 1:
      return fmt::format("instance_norm {} w:{} w:{}", text, channels, channels);
    case 2:
      return fmt::format("group_norm {} w:{} w:{} num_groups={}", text, channels, channels, groups);
    case 3:
      return shape.size() == 4 ? fmt::format("lrn {} size={}", text, draw.one_of({3, 5})) : "";
    default:
      return shape.size() == 4 ? "mean_variance_norm " + text : "";
  }
}

std::string lp_norm(Draw& draw) {
  const Shape shape = draw.shape(static_cast<size_t>(draw.between(2, 3)), 60'000);
  return fmt::format("lp_norm {} axis={} p={}", shape_text(shape),
                     draw.between(0, std::ssize(shape) - 1), draw.between(1, 2));
}

std::string running_sum(Draw& draw) {
  const Shape shape = draw.shape(static_cast<size_t>(draw.between(1, 3)), 60'000);
  return fmt::format("cum_sum {} ={}:int64", shape_text(shape),
                     draw.between(0, std::ssize(shape) - 1));
}

std::string top_k(Draw& draw) {
  const Shape shape = draw.shape(static_cast<size_t>(draw.between(1, 3)), 40'000);
  const int64_t axis = draw.between(0, std::ssize(shape) - 1);
  const int64_t most = shape[static_cast<size_t>(axis)];
  return fmt::format("top_k {} {} axis={} outputs=0,1", shape_text(shape),
                     integers_text({std::min(most, draw.one_of({1, 5, 10, 100}))}), axis);
}

}  // namespace

std::vector<DrawnKind> axis_kinds() {
  return {{4, pool},       {1, global_pool},  {5, reduction}, {1, extreme},     {2, softmax},
          {2, layer_norm}, {2, channel_norm}, {1, lp_norm},   {1, running_sum}, {1, top_k}};
}

}  // namespace opbench
