#include "benchmarks/engines/plain_loops.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "engines/onnxruntime/runtime.h"

namespace opbench {
namespace {

Tensor ones(const Shape& shape) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  std::ranges::fill(tensor.as<float>(), 1.0F);
  return tensor;
}

/// A session with its operands and names.
struct OnnxRuntimeLoop {
  OnnxRuntimeLoop(const std::string& library, const std::filesystem::path& model,
                  const Shape& shape)
      : runtime(library), tensors{ones(shape), ones(shape), ones(shape)} {
    const ort::RuntimeApi& api = runtime.api();
    ort::Options* options = nullptr;
    runtime.check(api.create_options(&options));
    runtime.check(api.set_intra_threads(options, 1));
    runtime.check(api.create_session(runtime.env(), model.c_str(), options, &session));
    api.release_options(options);
    for (size_t i = 0; i < 3; ++i) {
      char* name = nullptr;
      runtime.check(i < 2 ? api.input_name(session, i, runtime.allocator(), &name)
                          : api.output_name(session, 0, runtime.allocator(), &name));
      names.push_back(runtime.take_text(name));
      values.push_back(runtime.value_in(tensors[i]));
    }
    inputs = {names[0].c_str(), names[1].c_str()};
    output = names[2].c_str();
    input_values = {values[0].get(), values[1].get()};
    output_value = values[2].get();
  }

  void call() {
    ort::Status* const status = runtime.api().run(
        session, nullptr, inputs.data(), input_values.data(), 2, &output, 1, &output_value);
    if (status != nullptr) runtime.check(status);
  }

  ort::Runtime runtime;
  ort::LoadedSession* session = nullptr;  // lives as long as the benchmark
  std::array<Tensor, 3> tensors;
  std::vector<std::string> names;
  std::vector<ort::Owned<ort::Value>> values;
  std::array<const char*, 2> inputs{};
  const char* output = nullptr;
  std::array<const ort::Value*, 2> input_values{};
  ort::Value* output_value = nullptr;
};

}  // namespace

std::function<void()> onnxruntime_call(const std::string& library,
                                       const std::filesystem::path& model, const Shape& shape) {
  const auto loop = std::make_shared<OnnxRuntimeLoop>(library, model, shape);
  return [loop] { loop->call(); };
}

}  // namespace opbench
