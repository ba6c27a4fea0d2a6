#include "model/graph/required_results.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace opbench {
namespace {

/// The operators of ONNX and ONNX Runtime with several results of which the first is not enough.
struct RequiredResults {
  std::string_view domain;
  std::string_view type;
  size_t count = 1;
};

constexpr std::array kRequired = {
    RequiredResults{"", "DynamicQuantizeLinear", 3},
    RequiredResults{"", "TopK", 2},
    RequiredResults{"com.microsoft", "EmbedLayerNormalization", 2},
    RequiredResults{"com.microsoft", "GroupQueryAttention", 3},
};

/// A Loop's body has the condition before its results.
size_t results_of_body(const Node& node) {
  for (const char* attribute : {"then_branch", "body"}) {
    const auto body = node.bodies.find(attribute);
    if (body == node.bodies.end()) continue;
    const size_t outputs = body->second.graph().outputs.size();
    return node.type == "Loop" && outputs > 0 ? outputs - 1 : outputs;
  }
  return 0;
}

}  // namespace

size_t required_results(const Node& node) {
  if (!node.bodies.empty()) return results_of_body(node);
  const auto* row = std::ranges::find_if(kRequired, [&](const RequiredResults& candidate) {
    return candidate.domain == node.domain && candidate.type == node.type;
  });
  return row == kRequired.end() ? 1 : row->count;
}

}  // namespace opbench
