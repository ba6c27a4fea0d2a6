#include "model/operators/recurrent/recurrent_activation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

/// A function by its ONNX name, the scaling values that it takes, and their defaults.
struct ActivationRow {
  const char* name;
  double (*function)(double x, double alpha, double beta);
  bool takes_alpha = false;
  bool takes_beta = false;
  double alpha = 0;
  double beta = 0;
};

double recurrent_activation_softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// As ONNX RNN lists them.
const std::vector<ActivationRow>& recurrent_activation_rows() {
  static const std::vector<ActivationRow> kRows = {
      {"Relu", [](double x, double, double) { return std::max(x, 0.0); }},
      {"Tanh", [](double x, double, double) { return std::tanh(x); }},
      {"Sigmoid", [](double x, double, double) { return 1 / (1 + std::exp(-x)); }},
      {"Affine", [](double x, double a, double b) { return a * x + b; }, true, true, 1, 0},
      {"LeakyRelu", [](double x, double a, double) { return x < 0 ? a * x : x; }, true, false,
       0.01},
      {"ThresholdedRelu", [](double x, double a, double) { return x > a ? x : 0; }, true, false, 1},
      {"ScaledTanh", [](double x, double a, double b) { return a * std::tanh(b * x); }, true, true,
       1, 1},
      {"HardSigmoid", [](double x, double a, double b) { return std::clamp(a * x + b, 0.0, 1.0); },
       true, true, 0.2, 0.5},
      {"Elu", [](double x, double a, double) { return x < 0 ? a * std::expm1(x) : x; }, true, false,
       1},
      {"Softsign", [](double x, double, double) { return x / (1 + std::abs(x)); }},
      {"Softplus", [](double x, double, double) { return recurrent_activation_softplus(x); }},
  };
  return kRows;
}

Result<ActivationRow> recurrent_activation_row_of(const OperatorCall& call,
                                                  const std::string& name) {
  std::vector<std::string> known;
  for (const ActivationRow& row : recurrent_activation_rows()) {
    if (name == row.name) return row;
    known.emplace_back(row.name);
  }
  Error error = unknown_name("activation", name, known);
  error.message = misfit(call, error.message).message;
  return error;
}

template <class T>
std::vector<T> list_attribute(const OperatorCall& call, const char* name) {
  const auto it = call.node->attributes.find(name);
  if (it == call.node->attributes.end()) return {};
  const auto* list = std::get_if<std::vector<T>>(&it->second);
  return list == nullptr ? std::vector<T>() : *list;
}

/// Gives out the scaling values of an attribute in turn.
class ScalingValues {
 public:
  explicit ScalingValues(std::vector<float> values) : values_(std::move(values)) {}
  double next(bool is_taken, double otherwise) {
    if (!is_taken || used_ == values_.size()) return otherwise;
    return static_cast<double>(values_[used_++]);
  }

 private:
  std::vector<float> values_;
  size_t used_ = 0;
};

}  // namespace

double Activation::operator()(double x) const {
  return function(clip > 0 ? std::clamp(x, -clip, clip) : x, alpha, beta);
}

std::vector<std::string> activation_names(const OperatorCall& call,
                                          const std::vector<std::string>& otherwise,
                                          int64_t directions) {
  std::vector<std::string> names = list_attribute<std::string>(call, "activations");
  for (int64_t i = 0; i < directions && !call.node->attributes.contains("activations"); ++i) {
    names.insert(names.end(), otherwise.begin(), otherwise.end());
  }
  return names;
}

Result<std::vector<Activation>> activations_of(const OperatorCall& call,
                                               const std::vector<std::string>& otherwise,
                                               int64_t directions) {
  const std::vector<std::string> names = activation_names(call, otherwise, directions);
  const size_t needed = otherwise.size() * static_cast<size_t>(directions);
  if (names.size() != needed) {
    return misfit(call, fmt::format("has {} activations, needs {}", names.size(), needed));
  }
  const double clip = float_attribute(*call.node, "clip", 0.0F);
  if (clip < 0) return misfit(call, fmt::format("clip {} is below 0", clip));
  ScalingValues alphas(list_attribute<float>(call, "activation_alpha"));
  ScalingValues betas(list_attribute<float>(call, "activation_beta"));
  std::vector<Activation> result;
  for (const std::string& name : names) {
    OPBENCH_TRY(const ActivationRow row, recurrent_activation_row_of(call, name));
    result.push_back({row.function, alphas.next(row.takes_alpha, row.alpha),
                      betas.next(row.takes_beta, row.beta), clip});
  }
  return result;
}

}  // namespace opbench
