#pragma once

#include <cstdint>
#include <string>

#include "model/zoo/zoo_builder.h"
#include "model/zoo/zoo_nodes.h"

// What models that read sequences are made of. Every function adds a node called `name`, as those
// of ZooBuilder do. Values are N x T x C. No constant holds T, so that it can be free.

namespace opbench {

/// The dimension that models of sequences call `sequence`.
Dimension sequence(int64_t length);

/// The input `input_ids`: word numbers, `sequence(length)` for each of the batch.
std::string word_ids(ZooBuilder& b, int64_t length, const std::string& name = "input_ids");

/// Row `ids[i]` of a table of `rows` rows of `width` weights of variance 2 / `width`, for every i.
std::string embedding(ZooBuilder& b, const std::string& name, const std::string& ids, int64_t rows,
                      int64_t width);

/// A dense layer over the last dimension: MatMul, Add. Weights have variance `gain / C`.
struct LinearOptions {
  int64_t units = 0;
  bool bias = true;
  float gain = 2;
};
std::string linear(ZooBuilder& b, const std::string& name, const std::string& x,
                   const LinearOptions& options);

/// Over the last dimension.
std::string layer_norm(ZooBuilder& b, const std::string& name, const std::string& x, float epsilon);

/// x / sqrt(mean(x²) + epsilon) times a weight, over the last dimension, in primitive operators
/// (Zhang and Sennrich 2019).
std::string rms_norm(ZooBuilder& b, const std::string& name, const std::string& x, float epsilon);

/// x (1 + erf(x / sqrt 2)) / 2, in five nodes.
std::string gelu(ZooBuilder& b, const std::string& name, const std::string& x);

/// N x T x C to N x heads x T x C / heads.
std::string split_heads(ZooBuilder& b, const std::string& name, const std::string& x,
                        int64_t heads);
/// And back.
std::string join_heads(ZooBuilder& b, const std::string& name, const std::string& x);

}  // namespace opbench
