#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// Height and width.
using Extent2 = std::array<int64_t, 2>;

struct ConvOptions {
  int64_t channels = 0;
  Extent2 kernel = {1, 1};
  Extent2 stride = {1, 1};
  Extent2 pad = {0, 0};  ///< on both sides
  int64_t groups = 1;
  bool bias = false;
};

struct PoolOptions {
  Extent2 kernel = {1, 1};
  Extent2 stride = {1, 1};
  Extent2 pad = {0, 0};
};

struct BatchNormOptions {
  float epsilon = 1e-5F;
  bool scaled = true;  ///< else the scale is 1 everywhere
};

/// Builds a model with seeded weights node by node and keeps account of it. Every function adds a
/// node called `name`, whose only result is the value of that name, and returns that name. Values
/// are N x C x H x W, or N x C once flattened. Weights depend on the seed and their name only.
class ZooBuilder {
 public:
  ZooBuilder(std::string model_name, int64_t batch_size, uint64_t seed);

  /// The graph's one input, `data`; `shape` is without the batch.
  std::string input(const Shape& shape);
  /// The same as a matrix with `rows` rows for each of the batch.
  std::string input_rows(int64_t rows, int64_t columns);

  /// He-scaled normal weights `<name>_weight`; `<name>_bias` small.
  std::string conv(const std::string& name, const std::string& x, const ConvOptions& options);
  std::string dense(const std::string& name, const std::string& x, int64_t units, bool bias = true);
  /// Variance in 0.5 … 1.5, scale in 0.8 … 1.2, mean and bias small.
  std::string batch_norm(const std::string& name, const std::string& x,
                         const BatchNormOptions& options = {});
  std::string relu(const std::string& name, const std::string& x);
  /// min(max(x, 0), 6)
  std::string relu6(const std::string& name, const std::string& x);
  std::string max_pool(const std::string& name, const std::string& x, const PoolOptions& options);
  /// Padding counts as zeros.
  std::string average_pool(const std::string& name, const std::string& x,
                           const PoolOptions& options);
  std::string global_average_pool(const std::string& name, const std::string& x);
  std::string add(const std::string& name, const std::string& a, const std::string& b);
  /// Along the channels.
  std::string concat(const std::string& name, const std::vector<std::string>& parts);
  std::string dropout(const std::string& name, const std::string& x);
  std::string flatten(const std::string& name, const std::string& x);
  /// Along `axis`.
  std::string softmax(const std::string& name, const std::string& x, int64_t axis = 1);

  /// Convolution, `<name>_bn`, `<name>_relu`.
  std::string conv_bn_relu(const std::string& name, const std::string& x,
                           const ConvOptions& options, const BatchNormOptions& norm = {});

  // Nodes of models that read sequences (zoo_sequence.cpp). Values are N x T x C there.

  /// An input of float32 with a name of its own.
  std::string named_input(const std::string& name, const Shape& shape);
  /// The input `input_ids`: `length` word numbers for each of the batch.
  std::string word_ids(int64_t length);
  /// Row `ids[i]` of a table of `rows` rows of `width` weights, for every i.
  std::string embedding(const std::string& name, const std::string& ids, int64_t rows,
                        int64_t width);
  /// The same rows for every word: those of numbers `first`, `first + step`, …, `count` of them.
  std::string fixed_embedding(const std::string& name, int64_t rows, int64_t width, int64_t first,
                              int64_t step, int64_t count);
  /// A dense layer over the last dimension, with bias: MatMul, Add.
  std::string linear(const std::string& name, const std::string& x, int64_t units);
  std::string matmul(const std::string& name, const std::string& a, const std::string& b);
  /// Over the last dimension.
  std::string layer_norm(const std::string& name, const std::string& x, float epsilon);
  std::string scale(const std::string& name, const std::string& x, float factor);
  /// x (1 + erf(x / sqrt 2)) / 2, in five nodes.
  std::string gelu(const std::string& name, const std::string& x);
  std::string tanh(const std::string& name, const std::string& x);
  /// `a + b`, `b` broadcast.
  std::string add_broadcast(const std::string& name, const std::string& a, const std::string& b);
  std::string reshape(const std::string& name, const std::string& x, const Shape& shape);
  std::string transpose(const std::string& name, const std::string& x,
                        const std::vector<int64_t>& order);
  /// Part `index` along `axis`, which goes away unless it is kept with extent 1.
  std::string part(const std::string& name, const std::string& x, int64_t axis, int64_t index,
                   bool is_axis_kept = false);
  /// One forward layer, ONNX's LSTM without peepholes: x T x N x C, states 1 x N x hidden; the
  /// hidden states of all steps, T x N x hidden.
  std::string lstm(const std::string& name, const std::string& x, const std::string& hidden,
                   const std::string& cell);

  /// Makes the value an output of the model, before the one that `finish` gets.
  void also_output(const std::string& value);

  int64_t batch_size() const { return batch_size_; }
  const Shape& shape_of(const std::string& value) const { return shapes_.at(value); }
  /// Elements of all weights, the statistics of batch norms included.
  int64_t parameters() const { return parameters_; }
  /// Of convolutions, dense and recurrent layers, padding included; not of products of two results.
  int64_t multiply_adds() const { return multiply_adds_; }

  /// The model, with `output` as its last output. The builder is empty afterwards.
  Model finish(const std::string& output);

 private:
  std::string add_input(const std::string& name, DataType type, Shape shape);
  std::string append(std::string type, const std::string& name, std::vector<std::string> inputs,
                     Attributes attributes, Shape result);
  std::string pool(std::string type, const std::string& name, const std::string& x,
                   const PoolOptions& options);
  Tensor& weight(const std::string& name, Shape shape);
  std::string normal_weight(const std::string& name, Shape shape, int64_t fan_in);
  std::string uniform_weight(const std::string& name, int64_t size, float low, float high);

  std::string integers(const std::string& name, const std::vector<int64_t>& values);
  /// Opset 17, for operators that older ones lack.
  void use_opset_17();

  Model model_;
  int64_t batch_size_;
  uint64_t seed_;
  std::map<std::string, Shape> shapes_;
  int64_t parameters_ = 0;
  int64_t multiply_adds_ = 0;
};

}  // namespace opbench
