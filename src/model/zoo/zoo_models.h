#pragma once

#include <string>
#include <vector>

#include "model/zoo/zoo_builder.h"
#include "model/zoo/zoo_entry.h"

namespace opbench {

/// A model of the zoo: what it is called, and the function that builds it and returns its output.
struct ZooModel {
  ZooEntry entry;
  std::string (*build)(ZooBuilder&);
};

/// All of them: a list for each family, one family a file.
const std::vector<ZooModel>& zoo_models();
std::vector<ZooModel> simple_models();
std::vector<ZooModel> squeezenet_models();
std::vector<ZooModel> resnet_models();
std::vector<ZooModel> resnet_v1_models();
std::vector<ZooModel> mobilenet_models();
std::vector<ZooModel> vgg_models();
std::vector<ZooModel> inception_models();
std::vector<ZooModel> densenet_models();
std::vector<ZooModel> transformer_models();
std::vector<ZooModel> gpt2_models();
std::vector<ZooModel> recurrent_models();
std::vector<ZooModel> mobilenet_v3_models();
std::vector<ZooModel> efficientnet_models();
std::vector<ZooModel> vit_models();
std::vector<ZooModel> unet_models();
std::vector<ZooModel> convnext_models();
std::vector<ZooModel> yolo_models();
std::vector<ZooModel> yolov5_models();
std::vector<ZooModel> llama_models();
std::vector<ZooModel> t5_models();
std::vector<ZooModel> dpn_models();
std::vector<ZooModel> nasnet_models();
std::vector<ZooModel> randwire_models();
std::vector<ZooModel> deepspeech_models();
std::vector<ZooModel> resnet_quantized_models();

}  // namespace opbench
