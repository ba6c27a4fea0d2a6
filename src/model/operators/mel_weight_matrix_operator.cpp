#include <fmt/format.h>

#include <cmath>

#include "model/operators/elements/element_number.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/fourier/fourier.h"

namespace opbench {
namespace {

enum MelWeightMatrixInput : size_t { kBands, kMelWeightMatrixLength, kRate, kLow, kHigh };

/// What the integer operands say.
struct MelWeightMatrixExtents {
  int64_t bands = 0;
  int64_t length = 0;  ///< of the Fourier transform
  int64_t rate = 0;    ///< samples a second

  int64_t bins() const { return length / 2 + 1; }
};

Result<MelWeightMatrixExtents> mel_weight_matrix_extents_of(const OperatorCall& call) {
  MelWeightMatrixExtents e;
  OPBENCH_TRY(e.bands, known_length(call, kBands, "num_mel_bins"));
  OPBENCH_TRY(e.length, known_length(call, kMelWeightMatrixLength, "dft_length"));
  OPBENCH_TRY(e.rate, known_length(call, kRate, "sample_rate"));
  return e;
}

Result<std::vector<TensorType>> infer_mel_weight_matrix(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 5, 5));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const MelWeightMatrixExtents e, mel_weight_matrix_extents_of(call));
  for (const MelWeightMatrixInput edge : {kLow, kHigh}) {
    if (call.inputs[edge]->size() == 1) continue;
    return misfit(call, fmt::format("edge {} is not one number", shape_text(shape_of(call, edge))));
  }
  OPBENCH_TRY(const DataType type, type_attribute(call, "output_datatype", 1));
  return std::vector<TensorType>{{type, {e.bins(), e.bands}}};
}

Result<double> number_in(const OperatorCall& call, const TensorView& view) {
  double value = 0;
  OPBENCH_CHECK(with_element(call, view.type.data_type, [&](auto zero) {
    value = static_cast<double>(view.as<decltype(zero)>()[0]);
  }));
  return value;
}

double mel_of_hertz(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double hertz_of_mel(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

/// The bins of the spectrum at which bands begin, peak and end: band i has edges i, i + 1, i + 2.
/// They are equally far apart on the mel scale; ONNX divides the range by bands + 2.
Result<Integers> edges_of(const OperatorCall& call, std::span<const TensorView> inputs,
                          const MelWeightMatrixExtents& e) {
  OPBENCH_TRY(const double low, number_in(call, inputs[kLow]));
  OPBENCH_TRY(const double high, number_in(call, inputs[kHigh]));
  const double step = (mel_of_hertz(high) - mel_of_hertz(low)) / static_cast<double>(e.bands + 2);
  Integers edges;
  for (int64_t i = 0; i < e.bands + 2; ++i) {
    const double hertz = hertz_of_mel(mel_of_hertz(low) + static_cast<double>(i) * step);
    const double bin =
        std::floor(static_cast<double>(e.length + 1) * hertz / static_cast<double>(e.rate));
    if (!(bin >= 0 && bin < static_cast<double>(e.bins()))) {
      return misfit(call,
                    fmt::format("{} Hz lies outside the spectrum of {} bins", hertz, e.bins()));
    }
    edges.push_back(static_cast<int64_t>(bin));
  }
  return edges;
}

/// A triangle: 0 at `first`, 1 at `peak`, 0 at `last`.
double weight(int64_t bin, int64_t first, int64_t peak, int64_t last) {
  if (bin == peak) return 1;
  if (bin <= first || bin >= last) return 0;
  return bin < peak ? static_cast<double>(bin - first) / static_cast<double>(peak - first)
                    : static_cast<double>(last - bin) / static_cast<double>(last - peak);
}

Result<void> run_mel_weight_matrix(const OperatorCall& call, std::span<const TensorView> inputs,
                                   std::span<const TensorView> outputs) {
  OPBENCH_TRY(const MelWeightMatrixExtents e, mel_weight_matrix_extents_of(call));
  OPBENCH_TRY(const Integers edges, edges_of(call, inputs, e));
  return with_element(call, outputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    T* y = static_cast<T*>(outputs[0].data);
    for (int64_t bin = 0; bin < e.bins(); ++bin) {
      for (size_t band = 0; band + 2 < edges.size(); ++band) {
        *y++ = static_cast<T>(weight(bin, edges[band], edges[band + 1], edges[band + 2]));
      }
    }
  });
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__MelWeightMatrix.html
OperatorDef mel_weight_matrix_operator() {
  return {
      .name = "mel_weight_matrix",
      .summary = "Weights of the bins of a spectrum in bands of equal width on the mel scale",
      .onnx_types = {"MelWeightMatrix"},
      .infer = infer_mel_weight_matrix,
      .flops = one_per_result,
      .run = run_mel_weight_matrix,
      .attributes = {{"output_datatype", int64_t{1}}},
      .parameters = {kBands, kMelWeightMatrixLength, kRate},
      .domains = {{"MelWeightMatrix", kLow, {0, 1}}, {"MelWeightMatrix", kHigh, {2, 4}}},
  };
}

}  // namespace opbench
