#include <fmt/format.h>

#include "benchmarks/cliffs/draw.h"

namespace opbench {
namespace {

std::string after(Draw& draw) {
  return draw.any<std::string>({"", "", "; relu", "; sigmoid", "; hard_swish"});
}

std::string bias(Draw& draw, int64_t channels) {
  return draw.once_in(2) ? "" : fmt::format(" w:{}", channels);
}

/// Extents, strides, dilations and pads of the spatial axes.
struct Spatial {
  std::vector<int64_t> extents, kernels, strides, dilations, pads;
};

Spatial spatial(Draw& draw, size_t rank) {
  Spatial drawn;
  const int64_t longest = rank == 1 ? 2000 : (rank == 2 ? 60 : 16);
  for (size_t i = 0; i < rank; ++i) {
    drawn.extents.push_back(draw.between(longest / 8 + 1, longest));
    drawn.kernels.push_back(rank == 1 ? draw.one_of({1, 3, 5, 9, 64})
                                      : draw.one_of({1, 2, 3, 3, 5, 7}));
    drawn.strides.push_back(draw.one_of({1, 1, 2, 3}));
    drawn.dilations.push_back(draw.one_of({1, 1, 1, 2}));
    drawn.pads.push_back(draw.once_in(4) ? 0 : drawn.kernels.back() / 2);
  }
  if (rank == 1 && draw.once_in(6)) drawn.strides[0] = drawn.kernels[0];  // frames
  drawn.pads.insert(drawn.pads.end(), drawn.pads.begin(), drawn.pads.end());
  return drawn;
}

std::string drawn_products_convolution(Draw& draw, size_t rank) {
  const int64_t groups = draw.one_of({1, 1, 1, 2, 3, 4, 8});
  const int64_t in = draw.between(1, 40) * draw.one_of({1, 2, 3, 8});
  const int64_t out = draw.between(1, 40) * draw.one_of({1, 2, 3, 8});
  const bool is_depthwise = draw.once_in(6);
  const Spatial at = spatial(draw, rank);
  Shape data{draw.one_of({1, 1, 1, 2, 5}), is_depthwise ? in : in * groups};
  Shape weight{is_depthwise ? in * draw.one_of({1, 1, 2}) : out * groups, is_depthwise ? 1 : in};
  data.insert(data.end(), at.extents.begin(), at.extents.end());
  weight.insert(weight.end(), at.kernels.begin(), at.kernels.end());
  return fmt::format("conv2d {} w:{}{} strides={} dilations={} pads={} group={}", shape_text(data),
                     shape_text(weight), bias(draw, weight[0]), list_text(at.strides),
                     list_text(at.dilations), list_text(at.pads), is_depthwise ? in : groups) +
         after(draw);
}

std::string image(Draw& draw) { return drawn_products_convolution(draw, 2); }
std::string line(Draw& draw) { return drawn_products_convolution(draw, 1); }
std::string volume(Draw& draw) { return drawn_products_convolution(draw, 3); }

std::string transposed(Draw& draw) {
  const auto rank = static_cast<size_t>(draw.one_of({1, 2, 2, 2, 3}));
  const int64_t groups = draw.one_of({1, 1, 1, 1, 2, 4});
  const int64_t in = draw.between(4, 96) * groups;
  const int64_t out = draw.between(1, 96);
  Shape data{draw.one_of({1, 1, 2}), in};
  Shape weight{in, out};
  std::vector<int64_t> strides, pads;
  for (size_t i = 0; i < rank; ++i) {
    data.push_back(draw.between(4, rank == 1 ? 400 : (rank == 2 ? 32 : 10)));
    weight.push_back(draw.one_of({1, 2, 3, 4, 5}));
    strides.push_back(draw.one_of({1, 2, 2, 3}));
    pads.push_back(draw.once_in(2) ? 0 : (weight.back() - 1) / 2);
  }
  pads.insert(pads.end(), pads.begin(), pads.end());
  return fmt::format("conv_transpose {} w:{}{} strides={} pads={} group={}", shape_text(data),
                     shape_text(weight), bias(draw, out * groups), list_text(strides),
                     list_text(pads), groups) +
         after(draw);
}

/// Extents of m, n and k: thin, odd and plain ones.
int64_t rows(Draw& draw) {
  return draw.one_of({1, 2, 3, draw.between(4, 16), draw.between(17, 400)});
}
int64_t columns(Draw& draw) {
  return draw.one_of({1, 2, 3, draw.between(4, 64), draw.between(65, 800)});
}
int64_t depth(Draw& draw) {
  return draw.one_of({draw.between(1, 3), draw.between(8, 64), draw.between(65, 1000)});
}

/// Of two computed tensors, a batch of products.
std::string matmul(Draw& draw) {
  const Shape batch = draw.any<Shape>({{}, {1}, {8}, {12}, {24}, {2, 5}});
  const int64_t m = rows(draw), n = columns(draw), k = depth(draw);
  Shape left = batch, right = draw.once_in(5) ? Shape{} : batch;
  left.insert(left.end(), {m, k});
  right.insert(right.end(), {k, n});
  return fmt::format("matmul {} {}", shape_text(left), shape_text(right));
}

/// By a constant matrix, as MatMul and as Gemm.
std::string drawn_products_dense(Draw& draw) {
  const int64_t m = rows(draw);
  const int64_t n = draw.one_of({1, 2, 3, draw.between(4, 2048)});
  const int64_t k = draw.between(16, 2048);
  if (draw.once_in(3)) return fmt::format("matmul 1x{}x{} w:{}x{}", m, k, k, n) + after(draw);
  const std::string bias_text = bias(draw, n);
  if (draw.once_in(2))
    return fmt::format("dense {}x{} w:{}x{}{} transB=1", m, k, n, k, bias_text) + after(draw);
  return fmt::format("dense {}x{} w:{}x{}{}", m, k, k, n, bias_text) + after(draw);
}

/// Gemm of two computed matrices, either transposed.
std::string gemm(Draw& draw) {
  const int64_t m = rows(draw), n = columns(draw), k = depth(draw);
  const bool a = draw.once_in(2), b = draw.once_in(2);
  return fmt::format("dense {} {} transA={} transB={}", shape_text(a ? Shape{k, m} : Shape{m, k}),
                     shape_text(b ? Shape{n, k} : Shape{k, n}), a ? 1 : 0, b ? 1 : 0);
}

}  // namespace

std::vector<DrawnKind> product_kinds() {
  return {{6, image},      {2, line},   {2, volume},
          {3, transposed}, {4, matmul}, {3, drawn_products_dense},
          {2, gemm}};
}

}  // namespace opbench
