#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

/// The target that counts for nothing; the default, which is no class, ignores none.
constexpr int64_t kIgnoresNone = std::numeric_limits<int64_t>::min();

enum CrossEntropyInput : size_t { kCrossEntropyScores, kTargets, kWeights };

bool takes_scores(const OperatorCall& call) { return call.node->type == "SoftmaxCrossEntropyLoss"; }

Result<std::string> reduction(const OperatorCall& call) {
  return choice_attribute(call, "reduction", "mean", {"none", "sum", "mean"});
}

/// The loss, and the logarithms of the probabilities that SoftmaxCrossEntropyLoss gives too.
Result<std::vector<TensorType>> infer_cross_entropy(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 3));
  OPBENCH_CHECK(require_outputs(call, takes_scores(call) ? 2 : 1));
  OPBENCH_TRY(const std::string how, reduction(call));
  OPBENCH_CHECK(require_rank(call, kCrossEntropyScores, 2, 16));
  const Shape& scores = shape_of(call, kCrossEntropyScores);
  Shape targets = scores;
  targets.erase(targets.begin() + 1);
  if (shape_of(call, kTargets) != targets) {
    return misfit(call, fmt::format("targets {} do not fit scores {}",
                                    shape_text(shape_of(call, kTargets)), shape_text(scores)));
  }
  if (has_input(call, kWeights) && shape_of(call, kWeights) != Shape{scores[1]}) {
    return misfit(call, fmt::format("weights {} do not fit {} classes",
                                    shape_text(shape_of(call, kWeights)), scores[1]));
  }
  const DataType type = call.inputs[kCrossEntropyScores]->data_type;
  std::vector<TensorType> types{{type, how == "none" ? targets : Shape{}}};
  if (takes_scores(call) && call.node->outputs.size() > 1) types.push_back({type, scores});
  return types;
}

/// A product and a sum for each target; for scores a softmax before, 5 for each of them.
double cross_entropy_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const double losses = 2.0 * static_cast<double>(call.inputs[kTargets]->size());
  return losses + (takes_scores(call)
                       ? 5.0 * static_cast<double>(call.inputs[kCrossEntropyScores]->size())
                       : 0);
}

/// Scores [batch, classes, inner].
struct CrossEntropyExtents {
  size_t classes = 0;
  size_t inner = 0;

  /// Where the score of a class for a target is.
  size_t at(size_t target, size_t class_index) const {
    return (target / inner * classes + class_index) * inner + target % inner;
  }
};

/// log(exp(x) / sum of exp(x) over the classes), for one target.
void log_softmax(const CrossEntropyExtents& e, size_t target, std::span<const float> x,
                 std::span<float> y) {
  double top = -std::numeric_limits<double>::infinity();
  for (size_t c = 0; c < e.classes; ++c) top = std::max<double>(top, x[e.at(target, c)]);
  double sum = 0;
  for (size_t c = 0; c < e.classes; ++c) sum += std::exp(x[e.at(target, c)] - top);
  const double log_sum = std::log(sum);
  for (size_t c = 0; c < e.classes; ++c) {
    y[e.at(target, c)] = static_cast<float>(x[e.at(target, c)] - top - log_sum);
  }
}

Result<Integers> cross_entropy_targets_of(const OperatorCall& call, const TensorView& view,
                                          size_t classes) {
  const int64_t ignored = int_attribute(*call.node, "ignore_index", kIgnoresNone);
  Integers targets(static_cast<size_t>(view.type.size()));
  OPBENCH_CHECK(with_element(call, view.type.data_type, [&](auto zero) {
    std::ranges::transform(view.as<decltype(zero)>(), targets.begin(),
                           [](auto value) { return static_cast<int64_t>(value); });
  }));
  for (int64_t& target : targets) {
    const bool is_class = target >= 0 && target < static_cast<int64_t>(classes);
    if (target == ignored) {
      target = -1;
    } else if (!is_class) {
      return misfit(call, fmt::format("target {} is outside {} classes", target, classes));
    }
  }
  return targets;
}

/// Losses -log(p) * weight, 0 for ignored targets (those below 0), reduced as asked; the mean is
/// over the weights.
void store_losses(const CrossEntropyExtents& e, const Integers& targets,
                  std::span<const float> log_p, std::span<const float> weights,
                  const std::string& how, std::span<float> y) {
  double sum = 0;
  double weight_sum = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto target = static_cast<size_t>(std::max<int64_t>(targets[i], 0));
    double weight = weights.empty() ? 1.0 : static_cast<double>(weights[target]);
    if (targets[i] < 0) weight = 0;
    const double p = targets[i] < 0 ? 0.0 : static_cast<double>(log_p[e.at(i, target)]);
    const double loss = targets[i] < 0 ? 0.0 : -p * weight;
    if (how == "none") y[i] = static_cast<float>(loss);
    sum += loss;
    weight_sum += weight;
  }
  if (how == "sum") y[0] = static_cast<float>(sum);
  if (how == "mean") y[0] = static_cast<float>(sum / weight_sum);
}

Result<void> run_cross_entropy(const OperatorCall& call, std::span<const TensorView> inputs,
                               std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs.first(1)));
  if (has_input(call, kWeights)) OPBENCH_CHECK(require_float32(call, inputs.subspan(kWeights, 1)));
  OPBENCH_TRY(const std::string how, reduction(call));
  const Shape& shape = inputs[kCrossEntropyScores].type.shape;
  const CrossEntropyExtents e{static_cast<size_t>(shape[1]),
                              static_cast<size_t>(element_count({shape.begin() + 2, shape.end()}))};
  OPBENCH_TRY(const Integers targets, cross_entropy_targets_of(call, inputs[kTargets], e.classes));
  std::span<const float> log_p = inputs[kCrossEntropyScores].as<float>();
  std::vector<float> made;
  if (takes_scores(call)) {
    made.resize(log_p.size());
    for (size_t i = 0; i < targets.size(); ++i) log_softmax(e, i, log_p, made);
    log_p = made;
  }
  const auto weights =
      has_input(call, kWeights) ? inputs[kWeights].as<float>() : std::span<float>();
  if (outputs[0].data != nullptr) {
    store_losses(e, targets, log_p, weights, how, outputs[0].as<float>());
  }
  if (outputs.size() > 1 && outputs[1].data != nullptr) {
    std::ranges::copy(log_p, outputs[1].as<float>().begin());
  }
  return {};
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__NegativeLogLikelihoodLoss.html and
/// onnx__SoftmaxCrossEntropyLoss.html
OperatorDef cross_entropy_operator() {
  constexpr ValueRange kClasses{0, 1};
  return {
      .name = "cross_entropy",
      .summary = "Loss of scores or logarithms of probabilities against target classes",
      .onnx_types = {"NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"},
      .infer = infer_cross_entropy,
      .flops = cross_entropy_flops,
      .run = run_in_float32<run_cross_entropy>,
      .attributes = {{"ignore_index", kIgnoresNone}, {"reduction", std::string("mean")}},
      .domains = {{"NegativeLogLikelihoodLoss", kTargets, kClasses},
                  {"SoftmaxCrossEntropyLoss", kTargets, kClasses},
                  {"NegativeLogLikelihoodLoss", kWeights, {0.5F, 1.5F}},
                  {"SoftmaxCrossEntropyLoss", kWeights, {0.5F, 1.5F}}},
  };
}

}  // namespace opbench
