#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/zoo/zoo_builder.h"

// What models that read sequences are made of. Every function adds a node called `name`, as those
// of ZooBuilder do. Values are N x T x C. No shape holds T, so that it can be free.

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

/// Of the last two dimensions, the others alike.
std::string matmul(ZooBuilder& b, const std::string& name, const std::string& x,
                   const std::string& y);

/// Over the last dimension.
std::string layer_norm(ZooBuilder& b, const std::string& name, const std::string& x, float epsilon);

/// x / sqrt(mean(x²) + epsilon) times a weight, over the last dimension, in primitive operators
/// (Zhang and Sennrich 2019).
std::string rms_norm(ZooBuilder& b, const std::string& name, const std::string& x, float epsilon);

std::string scale(ZooBuilder& b, const std::string& name, const std::string& x, float factor);

/// x (1 + erf(x / sqrt 2)) / 2, in five nodes.
std::string gelu(ZooBuilder& b, const std::string& name, const std::string& x);

/// Of an operator without attributes that keeps the shape of its operand.
std::string unary(ZooBuilder& b, std::string type, const std::string& name, const std::string& x);

/// Of two operands; the result has the shape of the first, the second is broadcast.
std::string binary(ZooBuilder& b, std::string type, const std::string& name, const std::string& x,
                   const std::string& y);

/// Leading extents that stay are written as 0, ONNX's word for them; one extent may be -1.
std::string reshape(ZooBuilder& b, const std::string& name, const std::string& x, Shape shape);
std::string transpose(ZooBuilder& b, const std::string& name, const std::string& x,
                      const std::vector<int64_t>& order);
std::string concat(ZooBuilder& b, const std::string& name, const std::vector<std::string>& parts,
                   int64_t axis);

/// Part `index` along `axis`, which goes away unless it is kept with extent 1.
std::string part(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis,
                 int64_t index, bool is_axis_kept = false);

/// Elements `begin` to before `end` along `axis`, a number from 0.
std::string slice(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis,
                  int64_t begin, int64_t end);

/// The extent of `x` along `axis` as a value of one integer, taken at run time.
std::string extent(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis);

/// Elements `begin` to before `end` along `axis`, both values of one integer; `count` of them.
std::string slice_between(ZooBuilder& b, const std::string& name, const std::string& x,
                          int64_t axis, const std::string& begin, const std::string& end,
                          int64_t count);

/// N x T x C to N x heads x T x C / heads.
std::string split_heads(ZooBuilder& b, const std::string& name, const std::string& x,
                        int64_t heads);
/// And back.
std::string join_heads(ZooBuilder& b, const std::string& name, const std::string& x);

}  // namespace opbench
