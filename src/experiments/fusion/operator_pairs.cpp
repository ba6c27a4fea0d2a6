#include "experiments/fusion/operator_pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

using Prefix = const std::string&;

ProbedOperator conv(int64_t channels) {
  const auto add = [channels](ZooBuilder& b, const std::string& x, Prefix prefix) {
    return b.conv(prefix + "conv", x, {.channels = channels, .bias = true});
  };
  return {"conv", add};
}

/// A node with one operand that keeps its shape.
ProbedOperator unary(const std::string& name, const std::string& type) {
  const auto add = [name, type](ZooBuilder& b, const std::string& x, Prefix prefix) {
    return b.node(type, prefix + name, {x}, {}, b.shape_of(x));
  };
  return {name, add};
}

std::string same_input(ZooBuilder& b, const std::string& x, const std::string& name) {
  std::vector<Dimension> dimensions;
  for (const int64_t extent : b.shape_of(x)) dimensions.push_back({extent, ""});
  return b.named_input(name, DataType::kFloat32, dimensions);
}

/// A node that also reads an input of the model, of the same shape.
ProbedOperator binary(const std::string& name, const std::string& type) {
  const auto add = [name, type](ZooBuilder& b, const std::string& x, Prefix prefix) {
    const std::string other = same_input(b, x, prefix + "operand");
    return b.node(type, prefix + name, {x, other}, {}, b.shape_of(x));
  };
  return {name, add};
}

/// A node that also reads one number a channel, an input of the model. Unlike an operand of the
/// same shape it is next to nothing in whatever layout an engine wants it.
ProbedOperator by_channel(const std::string& name, const std::string& type) {
  const auto add = [name, type](ZooBuilder& b, const std::string& x, Prefix prefix) {
    const int64_t channels = b.shape_of(x)[1];
    const std::string other = b.named_input(prefix + "operand", DataType::kFloat32,
                                            {{1, ""}, {channels, ""}, {1, ""}, {1, ""}});
    return b.node(type, prefix + name, {x, other}, {}, b.shape_of(x));
  };
  return {name, add};
}

std::string add_batch_norm(ZooBuilder& b, const std::string& x, Prefix prefix) {
  return b.batch_norm(prefix + "bn", x);
}

std::string add_max_pool(ZooBuilder& b, const std::string& x, Prefix prefix) {
  return b.max_pool(prefix + "pool", x, {.kernel = {3}, .pad = {1}});
}

std::string add_concat(ZooBuilder& b, const std::string& x, Prefix prefix) {
  return b.concat(prefix + "concat", {x, same_input(b, x, prefix + "operand")});
}

ProbedOperator matmul(int64_t columns) {
  const auto add = [columns](ZooBuilder& b, const std::string& x, Prefix prefix) {
    const Shape rows = b.shape_of(x);
    const std::string weight =
        b.normal_weight(prefix + "weight", {rows.back(), columns}, rows.back());
    return b.node("MatMul", prefix + "matmul", {x, weight}, {}, {rows.front(), columns});
  };
  return {"matmul", add};
}

/// A vector that is added to every row.
std::string add_bias(ZooBuilder& b, const std::string& x, Prefix prefix) {
  const std::string vector = b.uniform_weight(prefix + "bias", {b.shape_of(x).back()}, -1, 1);
  return b.node("Add", prefix + "add", {x, vector}, {}, b.shape_of(x));
}

/// x (1 + erf(x / sqrt 2)) / 2, as exporters write it.
std::string add_gelu(ZooBuilder& b, const std::string& x, Prefix prefix) {
  const Shape shape = b.shape_of(x);
  const auto node = [&](const char* type, const char* name, std::vector<std::string> inputs) {
    return b.node(type, prefix + name, std::move(inputs), {}, shape);
  };
  const std::string root = b.constant(prefix + "root", std::sqrt(2.0F));
  const std::string one = b.constant(prefix + "one", 1.0F);
  const std::string half = b.constant(prefix + "half", 0.5F);
  const std::string scaled = node("Div", "scaled", {x, root});
  const std::string error = node("Erf", "erf", {scaled});
  const std::string sum = node("Add", "sum", {error, one});
  const std::string product = node("Mul", "product", {x, sum});
  return node("Mul", "gelu", {product, half});
}

std::string add_softmax(ZooBuilder& b, const std::string& x, Prefix prefix) {
  return b.softmax(prefix + "softmax", x, -1);
}

constexpr size_t kImageRank = 4;

/// What comes before an operator and is fused with none: so the operator reads a value that the
/// engine may overwrite, as it does after another operator.
std::string separated(ZooBuilder& b, const std::string& x) {
  return b.shape_of(x).size() == kImageRank ? add_max_pool(b, x, "s_") : add_softmax(b, x, "s_");
}

/// Few values of many: the mean over an image, or of every row.
std::string reduced(ZooBuilder& b, const std::string& x) {
  Shape shape = b.shape_of(x);
  if (shape.size() == kImageRank) return b.global_average_pool("rest", x);
  shape.back() = 1;
  return b.node("ReduceMean", "rest", {x}, {{"axes", std::vector<int64_t>{-1}}}, shape);
}

/// A separator, the operators, then the reduction. `made`: the shape of their result.
Model model_of(const std::string& name, const Shape& input,
               const std::vector<std::pair<const ProbedOperator*, std::string>>& operators,
               Shape* made = nullptr) {
  ZooBuilder builder(name, 1, 0);
  std::vector<Dimension> dimensions;
  for (const int64_t extent : input) dimensions.push_back({extent, ""});
  std::string x = separated(builder, builder.named_input("x", DataType::kFloat32, dimensions));
  for (const auto& [one, prefix] : operators) x = one->add(builder, x, prefix);
  if (made != nullptr) *made = builder.shape_of(x);
  return builder.finish(reduced(builder, x));
}

}  // namespace

// Light operators work on 1.6 MB or 2 MB, so that each takes far longer than a call. A sigmoid
// takes longer to compute than its data take to come: fusing it saves next to nothing, which times
// cannot tell from no fusion.
std::vector<OperatorPair> operator_pairs() {
  const Shape thin = {1, 16, 80, 80};
  const Shape half = {1, 32, 80, 80};
  const Shape image = {1, 64, 80, 80};
  const Shape rows = {1024, 32};
  const Shape wide = {1024, 512};
  const ProbedOperator relu = unary("relu", "Relu");
  const ProbedOperator add = binary("add", "Add");
  const ProbedOperator mul = binary("mul", "Mul");
  const ProbedOperator bias = {"add", add_bias};
  const ProbedOperator norm = {"bn", add_batch_norm};
  const ProbedOperator pool = {"pool", add_max_pool};
  const ProbedOperator concat = {"concat", add_concat};
  const ProbedOperator gelu = {"gelu", add_gelu};
  const ProbedOperator softmax = {"softmax", add_softmax};
  return {{thin, conv(64), relu},
          {thin, conv(64), by_channel("add", "Add")},
          {thin, conv(64), norm},
          {thin, conv(64), unary("sigmoid", "Sigmoid"), false},
          {thin, conv(64), unary("abs", "Abs")},
          {thin, conv(64), by_channel("mul", "Mul")},
          {thin, conv(64), pool},
          {thin, conv(64), conv(32)},
          {rows, matmul(512), bias},
          {rows, matmul(512), gelu},
          {image, relu, add},
          {image, add, relu},
          {image, pool, relu},
          {image, relu, pool},
          {image, relu, conv(32)},
          {half, concat, conv(32)},
          {half, concat, relu},
          {wide, softmax, mul},
          {wide, bias, softmax}};
}

Result<std::vector<OperatorPair>> chosen_pairs(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  std::vector<OperatorPair> all = operator_pairs();
  if (names.empty()) {
    std::erase_if(all, [](const OperatorPair& pair) { return !pair.is_default; });
    return all;
  }
  for (const OperatorPair& pair : all) known.push_back(pair.name());
  std::vector<OperatorPair> chosen;
  for (const std::string& name : names) {
    const auto place = std::ranges::find(known, name);
    if (place == known.end()) return unknown_name("pair", name, known);
    chosen.push_back(all[static_cast<size_t>(place - known.begin())]);
  }
  return chosen;
}

PairModels models_of(const OperatorPair& pair) {
  PairModels models;
  Shape between;
  models.first = model_of("first", pair.input, {{&pair.first, "a_"}}, &between);
  models.second = model_of("second", between, {{&pair.second, "b_"}});
  models.both = model_of("both", pair.input, {{&pair.first, "a_"}, {&pair.second, "b_"}});
  models.rest_of_first = model_of("rest_of_first", pair.input, {});
  models.rest_of_second = model_of("rest_of_second", between, {});
  return models;
}

}  // namespace opbench
