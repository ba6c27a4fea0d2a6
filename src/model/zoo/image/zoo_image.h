#pragma once

#include <cstdint>
#include <string>

#include "model/zoo/zoo_builder.h"
#include "model/zoo/zoo_nodes.h"

// What models for images are made of beside ZooBuilder's nodes. Every function adds a node called
// `name`, as those do.

namespace opbench {

/// Mean square of an activation over that of a normal operand of variance 1: a convolution behind
/// it needs the inverse as its gain to give variance 1 again.
constexpr float kAfterLinear = 1.0F;
constexpr float kAfterSwish = 2.8F;
constexpr float kAfterHardSwish = 3.0F;
/// Of a gate that is half open.
constexpr float kAfterGate = 4.0F;
/// For what is added to its operand many times over: the sum grows more slowly.
constexpr float kAdded = 0.5F;

/// Convolution, `<name>_bn`.
std::string conv_bn(ZooBuilder& b, const std::string& name, const std::string& x,
                    const ConvOptions& options, float epsilon = 1e-5F);

/// x sigmoid(x), two nodes.
std::string swish(ZooBuilder& b, const std::string& name, const std::string& x);

/// x min(max(x / 6 + 1/2, 0), 1), one node of opset 14.
std::string hard_swish(ZooBuilder& b, const std::string& name, const std::string& x);

/// Twice as high and wide, every value four times.
std::string upsample(ZooBuilder& b, const std::string& name, const std::string& x);

/// Transposed convolution by non-overlapping windows of `stride`, with bias.
std::string conv_transpose(ZooBuilder& b, const std::string& name, const std::string& x,
                           int64_t channels, int64_t stride);

/// What squeeze-and-excitation (Hu et al. 2018) is made of.
struct ExcitationOptions {
  int64_t channels = 0;   ///< squeezed
  bool is_swish = false;  ///< between the two convolutions; else ReLU
  bool is_hard = false;   ///< the gate: a hard sigmoid; else a sigmoid
};

/// x times a gate for each channel, which comes from the mean over the image.
std::string excitation(ZooBuilder& b, const std::string& name, const std::string& x,
                       const ExcitationOptions& options);

/// Global average pool, flatten, dense 1000, softmax.
std::string classifier(ZooBuilder& b, const std::string& x);

}  // namespace opbench
