#include "model/zoo/zoo.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "model/graph/onnx_export.h"
#include "model/zoo/zoo_models.h"

namespace opbench {
namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T> more) {
  std::ranges::move(more, std::back_inserter(all));
}

std::vector<ZooModel> all_models() {
  std::vector<ZooModel> models;
  for (const auto family : {resnet_models,       resnet_v1_models, resnet_quantized_models,
                            squeezenet_models,   mobilenet_models, mobilenet_v3_models,
                            efficientnet_models, vgg_models,       inception_models,
                            densenet_models,     dpn_models,       nasnet_models,
                            randwire_models,     convnext_models,  vit_models,
                            unet_models,         yolo_models,      yolov5_models,
                            transformer_models,  gpt2_models,      llama_models,
                            t5_models,           recurrent_models, deepspeech_models,
                            simple_models}) {
    append(models, family());
  }
  return models;
}

std::vector<ZooEntry> all_entries() {
  std::vector<ZooEntry> entries;
  for (const ZooModel& model : zoo_models()) entries.push_back(model.entry);
  return entries;
}

Result<Model> built(const std::string& name, int64_t batch_size, uint64_t seed,
                    ZooWeights weights) {
  const auto& models = zoo_models();
  const auto model = std::ranges::find_if(
      models, [&](const ZooModel& candidate) { return candidate.entry.name == name; });
  if (model == models.end()) {
    std::vector<std::string> known;
    for (const ZooEntry& entry : zoo_entries()) known.push_back(entry.name);
    return unknown_name("model", name, known);
  }
  if (batch_size < 1) {
    return Error{ErrorCode::kInvalidInput, fmt::format("the batch size {} is below 1", batch_size)};
  }
  ZooBuilder builder(name, batch_size, seed, weights);
  const std::string output = model->build(builder);
  return builder.finish(output);
}

}  // namespace

const std::vector<ZooModel>& zoo_models() {
  static const std::vector<ZooModel> models = all_models();
  return models;
}

const std::vector<ZooEntry>& zoo_entries() {
  static const std::vector<ZooEntry> entries = all_entries();
  return entries;
}

std::vector<Dimension> zoo_dimensions(const std::string& name) {
  for (const ZooEntry& entry : zoo_entries()) {
    if (entry.name == name) return entry.dimensions;
  }
  return {};
}

Result<Model> zoo_outline(const std::string& name, int64_t batch_size) {
  return built(name, batch_size, 0, ZooWeights::kOutline);
}

Result<std::string> zoo_onnx(const std::string& name, int64_t batch_size, uint64_t seed) {
  OPBENCH_TRY(const Model model, built(name, batch_size, seed, ZooWeights::kSeeded));
  return onnx_bytes(model);
}

}  // namespace opbench
