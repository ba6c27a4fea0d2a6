#include "onnx_text.h"

#include <onnx/defs/parser.h>

#include <cstdlib>
#include <iostream>

namespace opbench::test {

std::string onnx_of_text(const std::string& text) {
  onnx::ModelProto model;
  const auto parsed = onnx::OnnxParser::Parse(model, text.c_str());
  if (!parsed.IsOK()) {
    std::cerr << parsed.ErrorMessage() << '\n';
    std::exit(2);
  }
  for (onnx::NodeProto& node : *model.mutable_graph()->mutable_node()) {
    for (std::string& input : *node.mutable_input()) {
      if (input == "_") input.clear();
    }
  }
  return model.SerializeAsString();
}

}  // namespace opbench::test
