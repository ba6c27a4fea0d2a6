#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// A reduction as a running value: where it starts, how an element enters, what becomes of it.
struct ReduceRow {
  const char* type;
  double start;
  double (*enter)(double so_far, double x);
  double (*leave)(double so_far, double count);
};

double keep(double value, double) { return value; }
double add_reduce(double a, double x) { return a + x; }
/// log(exp(a) + exp(x)), which overflows nowhere. Equal infinities have no difference.
double add_exponentials(double a, double x) {
  if (a == x) return a + std::log(2.0);
  return std::max(a, x) + std::log1p(std::exp(-std::abs(a - x)));
}
double add_square(double a, double x) { return a + x * x; }

const std::vector<ReduceRow>& reduce_rows() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static const std::vector<ReduceRow> kTable = {
      {"ReduceL1", 0, [](double a, double x) { return a + std::abs(x); }, keep},
      {"ReduceL2", 0, add_square, [](double a, double) { return std::sqrt(a); }},
      {"ReduceLogSum", 0, add_reduce, [](double a, double) { return std::log(a); }},
      {"ReduceLogSumExp", -kInfinity, add_exponentials, keep},
      {"ReduceMax", -kInfinity, [](double a, double x) { return std::max(a, x); }, keep},
      {"ReduceMean", 0, add_reduce, [](double a, double count) { return a / count; }},
      {"ReduceMin", kInfinity, [](double a, double x) { return std::min(a, x); }, keep},
      {"ReduceProd", 1, [](double a, double x) { return a * x; }, keep},
      {"ReduceSum", 0, add_reduce, keep},
      {"ReduceSumSquare", 0, add_square, keep},
  };
  return kTable;
}

const ReduceRow& reduce_row_of(const OperatorCall& call) {
  return *std::ranges::find_if(reduce_rows(),
                               [&](const ReduceRow& row) { return row.type == call.node->type; });
}

/// For every dimension whether it is summed over: all of them when none is named.
Result<std::vector<bool>> reduced(const OperatorCall& call) {
  OPBENCH_TRY(const auto axes, integers_of(call, "axes", 1));
  const bool is_nothing =
      (!axes || axes->empty()) && int_attribute(*call.node, "noop_with_empty_axes", 0) != 0;
  const bool is_all = (!axes || axes->empty()) && !is_nothing;
  std::vector<bool> result(static_cast<size_t>(rank_of(call, 0)), is_all);
  if (!axes) return result;
  for (const int64_t wanted : *axes) {
    OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, 0)));
    result[static_cast<size_t>(axis)] = true;
  }
  return result;
}

Result<std::vector<TensorType>> infer_reduce(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 2));
  OPBENCH_TRY(const auto is_reduced, reduced(call));
  const bool keeps = int_attribute(*call.node, "keepdims", 1) != 0;
  Shape shape;
  for (size_t i = 0; i < is_reduced.size(); ++i) {
    if (!is_reduced[i]) {
      shape.push_back(shape_of(call, 0)[i]);
    } else if (keeps) {
      shape.push_back(1);
    }
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// One for every element that enters.
double reduce_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return static_cast<double>(call.inputs[0]->size());
}

/// A reduction of integers, for those whose value is one: doubles have no integers beyond 2^53.
/// Sums and products wrap around, as the machine's do.
struct IntegerReduction {
  const char* type;
  uint64_t start;
  uint64_t (*enter)(uint64_t so_far, int64_t x);  ///< the bits of a signed or unsigned sum
};

const IntegerReduction* integer_reduction_of(const std::string& type) {
  static constexpr std::array kTable = {
      IntegerReduction{"ReduceL1", 0,
                       [](uint64_t a, int64_t x) {
                         return x < 0 ? a - static_cast<uint64_t>(x) : a + static_cast<uint64_t>(x);
                       }},
      IntegerReduction{"ReduceMean", 0,
                       [](uint64_t a, int64_t x) { return a + static_cast<uint64_t>(x); }},
      IntegerReduction{"ReduceProd", 1,
                       [](uint64_t a, int64_t x) { return a * static_cast<uint64_t>(x); }},
      IntegerReduction{"ReduceSum", 0,
                       [](uint64_t a, int64_t x) { return a + static_cast<uint64_t>(x); }},
      IntegerReduction{"ReduceSumSquare", 0, [](uint64_t a, int64_t x) {
                         return a + static_cast<uint64_t>(x) * static_cast<uint64_t>(x);
                       }}};
  const auto* row = std::ranges::find_if(
      kTable, [&](const IntegerReduction& candidate) { return candidate.type == type; });
  return row == kTable.end() ? nullptr : row;
}

/// Where the elements of a reduction go.
struct ReducePlaces {
  Shape shape;       ///< of the input
  Integers strides;  ///< from element to element of the input, through the results
  size_t results = 0;
  int64_t count = 0;  ///< elements of a result
};

ReducePlaces reduce_places(const Shape& shape, const std::vector<bool>& is_reduced) {
  Shape kept = shape;
  for (size_t i = 0; i < kept.size(); ++i) kept[i] = is_reduced[i] ? 1 : kept[i];
  const auto results = static_cast<size_t>(element_count(kept));
  return {shape, broadcast_strides(kept, shape), results,
          element_count(shape) / std::max<int64_t>(static_cast<int64_t>(results), 1)};
}

/// `value = enter(value, x)` for every element of the input and its result, from `start` on.
template <class T, class Value, class Enter>
std::vector<Value> reduce_to(const ReducePlaces& places, const TensorView& in, Value start,
                             Enter&& enter) {
  const int64_t step = last_stride(places.strides);
  std::vector<Value> values(places.results, start);
  const T* x = static_cast<const T*>(in.data);
  for_each_row<1>(places.shape, {places.strides}, [&](int64_t first, auto at, int64_t length) {
    for (int64_t i = 0; i < length; ++i) {
      Value& value = values[at[0] + i * step];
      value = enter(value, x[first + i]);
    }
  });
  return values;
}

/// By the row's function of doubles.
template <class T>
void reduce_reals(const ReduceRow& row, const ReducePlaces& places, const TensorView& in,
                  std::span<T> y) {
  const auto values = reduce_to<T>(places, in, row.start, [&](double value, T x) {
    return row.enter(value, static_cast<double>(x));
  });
  const auto count = static_cast<double>(places.count);
  for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<T>(row.leave(values[i], count));
}

/// Towards zero, as integers are divided.
template <class T>
T integer_mean(uint64_t sum, int64_t count) {
  if (count == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(static_cast<int64_t>(sum) / count);
  } else {
    return static_cast<T>(sum / static_cast<uint64_t>(count));
  }
}

template <class T>
void reduce_integers(const ReduceRow& row, const ReducePlaces& places, const TensorView& in,
                     std::span<T> y) {
  const std::string type = row.type;
  if (type == "ReduceMax" || type == "ReduceMin") {
    const bool is_max = type == "ReduceMax";
    const T start = is_max ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    const auto values = reduce_to<T>(places, in, start, [&](T value, T x) {
      return is_max ? std::max(value, x) : std::min(value, x);
    });
    std::ranges::copy(values, y.begin());
    return;
  }
  const IntegerReduction* exact = integer_reduction_of(type);
  if (exact == nullptr) return reduce_reals<T>(row, places, in, y);
  // An unsigned element of 64 bits is no negative one where its sign would count.
  const bool has_no_sign = std::is_unsigned_v<T> && type == "ReduceL1";
  const auto enter = has_no_sign ? integer_reduction_of("ReduceSum")->enter : exact->enter;
  const auto values = reduce_to<T>(places, in, exact->start, [&](uint64_t value, T x) {
    return enter(value, static_cast<int64_t>(x));
  });
  for (size_t i = 0; i < y.size(); ++i) {
    y[i] =
        type == "ReduceMean" ? integer_mean<T>(values[i], places.count) : static_cast<T>(values[i]);
  }
}

Result<void> run_reduce(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const auto is_reduced, reduced(call));
  const ReducePlaces places = reduce_places(inputs[0].type.shape, is_reduced);
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto y = outputs[0].as<T>();
    if constexpr (is_real_v<T>) {
      reduce_reals<T>(reduce_row_of(call), places, inputs[0], y);
    } else {
      reduce_integers<T>(reduce_row_of(call), places, inputs[0], y);
    }
  });
}

/// Opset 17 has the axes of ReduceSum as an input and those of the others as an attribute.
Node reduce_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  if (node.type == "ReduceSum") {
    move_to_input(call, node, "axes", 1, constants);
    return node;
  }
  const auto is_reduced = reduced(call);
  if (!is_reduced || !has_input(call, 1)) return node;
  Integers axes;
  for (size_t i = 0; i < is_reduced->size(); ++i) {
    if ((*is_reduced)[i]) axes.push_back(static_cast<int64_t>(i));
  }
  node.inputs.resize(1);
  if (axes.empty() && rank_of(call, 0) > 0) return node;  // noop_with_empty_axes says so
  node.attributes["axes"] = axes;
  node.attributes.erase("noop_with_empty_axes");
  return node;
}

/// Without axes, the attribute means all of them up to opset 17.
int64_t reduce_least_opset(const Node& node) {
  const bool is_elementwise =
      int_attribute(node, "noop_with_empty_axes", 0) != 0 && !node.attributes.contains("axes");
  return is_elementwise && node.type != "ReduceSum" ? 18 : 1;
}

std::vector<std::string> reduce_types() {
  std::vector<std::string> result;
  for (const ReduceRow& row : reduce_rows()) result.emplace_back(row.type);
  return result;
}

}  // namespace

OperatorDef reduce_operator() {
  return {
      .name = "reduce",
      .summary = "Sums, means, extremes, products, norms along axes",
      .onnx_types = reduce_types(),
      .infer = infer_reduce,
      .flops = reduce_flops,
      .run = run_reduce,
      .attributes = {{"axes", Integers{}},
                     {"keepdims", int64_t{1}},
                     {"noop_with_empty_axes", int64_t{0}}},
      .parameters = {1},
      .domains = {{"ReduceLogSum", 0, {0.1F, 2}}},
      .least_opset = reduce_least_opset,
      .modern_form = reduce_modern_form,
  };
}

}  // namespace opbench
