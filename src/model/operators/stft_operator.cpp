#include <fmt/format.h>

#include "model/operators/elements/element_type.h"
#include "model/operators/fourier/fourier.h"

namespace opbench {
namespace {

enum StftInput : size_t { kSignal, kStep, kWindow, kStftLength };

/// The frames of a signal[batch, samples, parts]; the last extent may be missing for real numbers.
struct Frames {
  int64_t batch = 0;
  int64_t samples = 0;
  int64_t components = 1;
  int64_t step = 0;
  int64_t length = 0;
  int64_t count = 0;
  int64_t bins = 0;
};

/// That of the frame, which the window has too where both are there.
Result<int64_t> frame_length(const OperatorCall& call) {
  if (has_input(call, kWindow)) OPBENCH_CHECK(require_rank(call, kWindow, 1, 1));
  if (!has_input(call, kStftLength)) {
    if (has_input(call, kWindow)) return shape_of(call, kWindow)[0];
    return misfit(call, "has neither window nor frame_length");
  }
  OPBENCH_TRY(const int64_t length, known_length(call, kStftLength, "frame_length"));
  if (has_input(call, kWindow) && shape_of(call, kWindow)[0] != length) {
    return misfit(call, fmt::format("a window of {} does not fit frame_length {}",
                                    shape_of(call, kWindow)[0], length));
  }
  return length;
}

Result<Frames> frames_of(const OperatorCall& call) {
  const bool is_onesided = int_attribute(*call.node, "onesided", 1) != 0;
  const Shape& shape = shape_of(call, kSignal);
  Frames frames{.batch = shape[0], .samples = shape[1]};
  if (shape.size() == 3) {
    OPBENCH_TRY(frames.components, component_count(call, is_onesided));
  }
  OPBENCH_TRY(frames.step, known_length(call, kStep, "frame_step"));
  OPBENCH_TRY(frames.length, frame_length(call));
  if (frames.length < 1 || frames.length > frames.samples) {
    return misfit(call, fmt::format("a frame of {} does not fit into {} samples", frames.length,
                                    frames.samples));
  }
  frames.count = (frames.samples - frames.length) / frames.step + 1;
  frames.bins = kept_bins(frames.length, is_onesided);
  return frames;
}

Result<std::vector<TensorType>> infer_stft(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 4));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_CHECK(require_rank(call, kSignal, 2, 3));
  OPBENCH_TRY(const Frames frames, frames_of(call));
  const DataType type = call.inputs[kSignal]->data_type;
  if (has_input(call, kWindow) && call.inputs[kWindow]->data_type != type) {
    return misfit(call, fmt::format("its window is {}, its signal {}",
                                    name_of(call.inputs[kWindow]->data_type), name_of(type)));
  }
  return std::vector<TensorType>{{type, {frames.batch, frames.count, frames.bins, 2}}};
}

double stft_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto frames = frames_of(call);
  return frames ? static_cast<double>(frames->batch * frames->count) * fourier_flops(frames->length)
                : 0;
}

/// `window` is null for weights of 1.
template <class T>
void stft_transform(const Frames& frames, const T* signal, const T* window, T* y) {
  const FourierTransform fourier(frames.length, false);
  std::vector<std::complex<double>> from(static_cast<size_t>(frames.length));
  std::vector<std::complex<double>> to(static_cast<size_t>(frames.bins));
  for (int64_t frame = 0; frame < frames.batch * frames.count; ++frame) {
    const int64_t begin =
        frame / frames.count * frames.samples + frame % frames.count * frames.step;
    for (size_t i = 0; i < from.size(); ++i) {
      const int64_t sample = begin + static_cast<int64_t>(i);
      const double weight = window == nullptr ? 1.0 : static_cast<double>(window[i]);
      from[i] = weight * complex_at(signal + sample * frames.components, frames.components);
    }
    fourier(from, to);
    for (const std::complex<double>& value : to) {
      store_complex(value, y);
      y += 2;
    }
  }
}

Result<void> run_stft(const OperatorCall& call, std::span<const TensorView> inputs,
                      std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Frames frames, frames_of(call));
  return with_element(call, inputs[kSignal].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const void* window = has_input(call, kWindow) ? inputs[kWindow].data : nullptr;
    stft_transform(frames, static_cast<const T*>(inputs[kSignal].data),
                   static_cast<const T*>(window), static_cast<T*>(outputs[0].data));
  });
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__STFT.html
OperatorDef stft_operator() {
  return {
      .name = "stft",
      .summary = "Fourier transforms of overlapping pieces of a signal",
      .onnx_types = {"STFT"},
      .infer = infer_stft,
      .flops = stft_flops,
      .run = run_stft,
      .attributes = {{"onesided", int64_t{1}}},
      .parameters = {kStep, kStftLength},
  };
}

}  // namespace opbench
