#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "model/graph/graph.h"

namespace opbench {

/// One number for every spatial axis; a single one stands for all of them.
using Extents = std::vector<int64_t>;

struct ConvOptions {
  int64_t channels = 0;
  Extents kernel = {1};
  Extents stride = {1};
  Extents pad = {0};  ///< on both sides
  int64_t groups = 1;
  bool bias = false;
  bool same = false;  ///< pads for ceil(extent / stride) results, the odd one at the end
  float gain = 2;     ///< variance of the results over the mean square of the operand
};

struct PoolOptions {
  Extents kernel = {1};
  Extents stride = {1};
  Extents pad = {0};
  bool same = false;           ///< as of a convolution
  bool counts_padding = true;  ///< as zeros, in an average
};

struct BatchNormOptions {
  float epsilon = 1e-5F;
  bool scaled = true;  ///< else the scale is 1 everywhere
};

/// Whether weights get their values.
enum class ZooWeights {
  kSeeded,
  kOutline,  ///< a type alone, for those of several dimensions
};

/// Builds a model with seeded weights node by node and keeps account of it. Every function adds a
/// node called `name`, whose only result is the value of that name, and returns that name. Values
/// are N x C x H x W, with 3-D filters N x C x D x H x W, or N x C once flattened. Weights depend
/// on the seed and their name only.
class ZooBuilder {
 public:
  ZooBuilder(std::string model_name, int64_t batch_size, uint64_t seed,
             ZooWeights weights = ZooWeights::kSeeded);

  /// The graph's one input, `data`; `shape` is without the batch.
  std::string input(const Shape& shape);
  /// The same as a matrix with `rows` rows for each of the batch.
  std::string input_rows(int64_t rows, int64_t columns);

  /// He-scaled normal weights `<name>_weight`; `<name>_bias` small.
  std::string conv(const std::string& name, const std::string& x, const ConvOptions& options);
  std::string dense(const std::string& name, const std::string& x, int64_t units, bool bias = true);
  /// Of weights that are there: `inputs` are filters of `filter_shape`, and a bias if any.
  std::string conv_of(const std::string& name, const std::string& x, const ConvOptions& options,
                      std::vector<std::string> inputs);
  Shape filter_shape(const std::string& x, const ConvOptions& options) const;
  /// Variance in 0.5 … 1.5, scale in 0.8 … 1.2, mean and bias small.
  std::string batch_norm(const std::string& name, const std::string& x,
                         const BatchNormOptions& options = {});
  std::string relu(const std::string& name, const std::string& x);
  /// min(max(x, 0), 6)
  std::string relu6(const std::string& name, const std::string& x);
  std::string max_pool(const std::string& name, const std::string& x, const PoolOptions& options);
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

  // For nodes that have no function of their own.

  /// An input with a name of its own. A dimension with a name is free in the model, and has its
  /// number here.
  std::string named_input(const std::string& name, DataType type,
                          const std::vector<Dimension>& dimensions);
  /// A node of any type whose result has `shape`.
  std::string node(std::string type, const std::string& name, std::vector<std::string> inputs,
                   Attributes attributes, Shape shape);
  /// Weights of `shape` with variance `gain / fan_in`: 2 is He's, for what follows a ReLU.
  std::string normal_weight(const std::string& name, Shape shape, int64_t fan_in, float gain = 2);
  std::string uniform_weight(const std::string& name, Shape shape, float low, float high);
  /// The numbers that weights of a name are drawn from.
  Random random(const std::string& name) const { return Random(seed_, name); }
  /// No weight: not counted as a parameter. A name that is there stays what it is.
  std::string constant(const std::string& name, Tensor tensor);
  std::string constant(const std::string& name, float value);
  std::string integers(const std::string& name, const std::vector<int64_t>& values);
  void count_multiply_adds(int64_t count) { multiply_adds_ += count; }
  /// For operators that opset 13 lacks, or has in another form.
  void use_opset(int64_t opset);

  /// Makes the value an output of the model, before the one that `finish` gets.
  void also_output(const std::string& value);

  int64_t batch_size() const { return batch_size_; }
  const Shape& shape_of(const std::string& value) const { return shapes_.at(value); }
  /// Elements of all float weights, the statistics of batch norms included.
  int64_t parameters() const { return parameters_; }
  /// Of convolutions, dense and recurrent layers, padding included; not of products of two results.
  int64_t multiply_adds() const { return multiply_adds_; }

  /// The model, with `output` as its last output. The builder is empty afterwards.
  Model finish(const std::string& output);

 private:
  std::string pool(std::string type, const std::string& name, const std::string& x,
                   const PoolOptions& options);
  Tensor& weight(const std::string& name, Shape shape);

  Model model_;
  int64_t batch_size_;
  uint64_t seed_;
  ZooWeights weights_;
  std::map<std::string, Shape> shapes_;
  int64_t parameters_ = 0;
  int64_t multiply_adds_ = 0;
};

}  // namespace opbench
