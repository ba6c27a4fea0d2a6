#include <fmt/format.h>

#include <algorithm>

#include "model/operators/elements/element_type.h"
#include "model/operators/fourier/fourier.h"

namespace opbench {
namespace {

enum DftInput : size_t { kDftX, kDftLength, kAxis };

constexpr int64_t kOpsetOfAxisInput = 20;

bool is_set(const OperatorCall& call, const char* name) {
  return int_attribute(*call.node, name, 0) != 0;
}

/// An attribute until opset 19, an input with another default since.
Result<int64_t> dft_axis(const OperatorCall& call) {
  const bool is_new = call.opset >= kOpsetOfAxisInput && !call.node->attributes.contains("axis");
  int64_t wanted = is_new ? -2 : int_attribute(*call.node, "axis", 1);
  if (has_input(call, kAxis)) {
    OPBENCH_TRY(const Integers given, known_integers(call, kAxis, "axis"));
    if (given.size() != 1) return misfit(call, fmt::format("has {} axes, needs 1", given.size()));
    wanted = given[0];
  }
  OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, kDftX)));
  if (axis + 1 < rank_of(call, kDftX)) return axis;
  return misfit(call, fmt::format("axis {} is that of the parts of numbers", wanted));
}

/// One transform: its length, what it keeps, and where its numbers lie.
struct Lines {
  int64_t axis = 0;
  int64_t components = 0;
  int64_t length = 0;
  int64_t bins = 0;
  int64_t outer = 0;
  int64_t inner = 0;  ///< numbers to the next along the axis
  int64_t given = 0;  ///< numbers along the axis
};

Result<Lines> lines_of(const OperatorCall& call) {
  const Shape& shape = shape_of(call, kDftX);
  Lines lines;
  OPBENCH_TRY(lines.axis, dft_axis(call));
  OPBENCH_TRY(lines.components, component_count(call, is_set(call, "onesided")));
  lines.given = shape[static_cast<size_t>(lines.axis)];
  lines.length = lines.given;
  if (has_input(call, kDftLength)) {
    OPBENCH_TRY(lines.length, known_length(call, kDftLength, "dft_length"));
  }
  if (lines.length < 1) return misfit(call, "has nothing to transform in " + shape_text(shape));
  lines.bins = kept_bins(lines.length, is_set(call, "onesided"));
  lines.outer = element_count({shape.begin(), shape.begin() + lines.axis});
  lines.inner = element_count({shape.begin() + lines.axis + 1, shape.end() - 1});
  return lines;
}

Result<std::vector<TensorType>> infer_dft(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 3));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_CHECK(require_rank(call, kDftX, 2, 16));
  if (is_set(call, "inverse") && is_set(call, "onesided")) {
    return misfit(call, "inverse 1 with onesided 1 is not supported");
  }
  OPBENCH_TRY(const Lines lines, lines_of(call));
  Shape shape = shape_of(call, kDftX);
  shape[static_cast<size_t>(lines.axis)] = lines.bins;
  shape.back() = 2;
  return std::vector<TensorType>{{call.inputs[kDftX]->data_type, shape}};
}

double dft_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto lines = lines_of(call);
  return lines ? static_cast<double>(lines->outer * lines->inner) * fourier_flops(lines->length)
               : 0;
}

template <class T>
void dft_transform(const Lines& lines, const FourierTransform& fourier, const T* x, T* y) {
  std::vector<std::complex<double>> from(static_cast<size_t>(std::min(lines.given, lines.length)));
  std::vector<std::complex<double>> to(static_cast<size_t>(lines.bins));
  for (int64_t line = 0; line < lines.outer * lines.inner; ++line) {
    const int64_t o = line / lines.inner;
    const int64_t i = line % lines.inner;
    const T* in = x + (o * lines.given * lines.inner + i) * lines.components;
    T* out = y + (o * lines.bins * lines.inner + i) * 2;
    for (std::complex<double>& value : from) {
      value = complex_at(in, lines.components);
      in += lines.inner * lines.components;
    }
    fourier(from, to);
    for (const std::complex<double>& value : to) {
      store_complex(value, out);
      out += lines.inner * 2;
    }
  }
}

Result<void> run_dft(const OperatorCall& call, std::span<const TensorView> inputs,
                     std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Lines lines, lines_of(call));
  const FourierTransform fourier(lines.length, is_set(call, "inverse"));
  return with_element(call, inputs[kDftX].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    dft_transform(lines, fourier, static_cast<const T*>(inputs[kDftX].data),
                  static_cast<T*>(outputs[0].data));
  });
}

/// Opset 17 has the axis as an attribute.
Node dft_modern_form(const OperatorCall& call, std::map<std::string, Tensor>&) {
  Node node = *call.node;
  const auto along = dft_axis(call);
  if (!along) return node;
  node.attributes["axis"] = *along;
  node.inputs.resize(std::min<size_t>(node.inputs.size(), 2));
  return node;
}

Attributes dft_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto along = dft_axis(call);
  if (along && *along != 1) result["axis"] = *along;
  for (const char* name : {"inverse", "onesided"}) {
    if (is_set(call, name)) result[name] = int64_t{1};
  }
  return result;
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__DFT.html
OperatorDef dft_operator() {
  return {
      .name = "dft",
      .summary = "Discrete Fourier transform along an axis, forward or inverse",
      .onnx_types = {"DFT"},
      .infer = infer_dft,
      .flops = dft_flops,
      .run = run_dft,
      .normal_form = dft_normal_form,
      .attributes = {{"axis", int64_t{1}}, {"inverse", int64_t{0}}, {"onesided", int64_t{0}}},
      .parameters = {kDftLength, kAxis},
      .modern_form = dft_modern_form,
  };
}

}  // namespace opbench
