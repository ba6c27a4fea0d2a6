#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "model/operators/axes/axis_split.h"
#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/order/element_order.h"
#include "model/operators/order/leading_elements.h"

namespace opbench {
namespace {

constexpr int64_t kTopKColumns = 32;  ///< that are looked at together

Result<int64_t> top_k_axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, 0));
}

/// An attribute before opset 10.
Result<int64_t> count_of(const OperatorCall& call) {
  if (call.node->attributes.contains("k")) return int_attribute(*call.node, "k", -1);
  return known_integer(call, 1, "k");
}

/// The values, and where along the axis they were.
Result<std::vector<TensorType>> infer_top_k(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 2));
  OPBENCH_CHECK(require_outputs(call, 2));
  OPBENCH_TRY(const int64_t along, top_k_axis(call));
  OPBENCH_TRY(const int64_t count, count_of(call));
  Shape shape = shape_of(call, 0);
  if (count < 0 || count > shape[along]) {
    return misfit(call, fmt::format("k {} is not within extent {}", count, shape[along]));
  }
  shape[along] = count;
  std::vector<TensorType> types{{call.inputs[0]->data_type, shape}, {DataType::kInt64, shape}};
  types.resize(std::max<size_t>(1, call.node->outputs.size()));
  return types;
}

/// One for every element compared.
double top_k_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return static_cast<double>(call.inputs[0]->size());
}

/// Where the elements of a result go.
template <class T>
struct Results {
  T* values = nullptr;       ///< null: nobody reads them
  int64_t* where = nullptr;  ///< likewise

  void set(int64_t at, T value, size_t position) const {
    if (values != nullptr) values[at] = value;
    if (where != nullptr) where[at] = static_cast<int64_t>(position);
  }
};

/// The first element of each of `columns` neighbours, `inner` from row to row, row by row.
template <class T, bool kIsLargest>
void first_of_columns(const T* x, int64_t length, int64_t inner, int64_t columns, int64_t start,
                      const Results<T>& results) {
  std::array<T, kTopKColumns> tops;
  std::array<int32_t, kTopKColumns> rows{};
  std::copy_n(x, columns, tops.begin());
  for (int32_t row = 1; row < length; ++row)
    for (size_t c = 0; c < static_cast<size_t>(columns); ++c) {
      const T value = x[row * inner + static_cast<int64_t>(c)];
      const bool leads = kIsLargest ? is_below(tops[c], value) : is_below(value, tops[c]);
      tops[c] = leads ? value : tops[c];
      rows[c] = leads ? row : rows[c];
    }
  for (int64_t c = 0; c < columns; ++c) {
    const auto at = static_cast<size_t>(c);
    results.set(start + c, tops[at], static_cast<size_t>(rows[at]));
  }
}

template <class T, bool kIsLargest>
class TopK {
 public:
  TopK(const AxisSplit& split, int64_t count, const Results<T>& results)
      : split_(split), count_(count), results_(results), leading_(count) {
    if (split.inner > 1) lines_.resize(static_cast<size_t>(kTopKColumns * split.length));
  }

  void of(const T* x) {
    const auto [outer, length, inner] = split_;
    for (int64_t o = 0; o < outer; ++o, x += length * inner) {
      const int64_t start = o * count_ * inner;
      if (inner == 1) {
        of_line(x, start);
        continue;
      }
      for (int64_t first = 0; first < inner; first += kTopKColumns)
        of_columns(x + first, std::min(kTopKColumns, inner - first), start + first);
    }
  }

 private:
  void of_line(const T* x, int64_t start) {
    const std::span<const T> line(x, static_cast<size_t>(split_.length));
    for (const auto& element : leading_.of_line(line)) {
      results_.set(start, line[element.position()], element.position());
      start += split_.inner;
    }
  }

  /// Columns become lines of neighbours.
  void of_columns(const T* x, int64_t columns, int64_t start) {
    const auto [outer, length, inner] = split_;
    if (count_ == 1 && length <= INT32_MAX)
      return first_of_columns<T, kIsLargest>(x, length, inner, columns, start, results_);
    for (int64_t i = 0; i < length; ++i)
      for (int64_t c = 0; c < columns; ++c)
        lines_[static_cast<size_t>(c * length + i)] = x[i * inner + c];
    for (int64_t c = 0; c < columns; ++c) of_line(lines_.data() + c * length, start + c);
  }

  AxisSplit split_;
  int64_t count_;
  Results<T> results_;
  LeadingElements<T, kIsLargest> leading_;
  std::vector<T> lines_;
};

/// Values that were widened, in their own type again.
template <class W>
Result<void> narrow_results(const OperatorCall& call, std::span<const W> wide,
                            const TensorView& out) {
  return with_element(call, out.type.data_type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<W, Widened<T>>)
      std::ranges::transform(wide, out.as<T>().begin(),
                             [](W value) { return static_cast<T>(value); });
  });
}

/// NaN counts as above all numbers. Results are in order even where `sorted` does not ask for it.
Result<void> run_top_k(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t along, top_k_axis(call));
  const AxisSplit split = split_at(inputs[0].type.shape, along);
  const int64_t count = outputs[0].type.shape[along];
  const bool is_largest = int_attribute(*call.node, "largest", 1) != 0;
  int64_t* where = outputs.size() > 1 ? static_cast<int64_t*>(outputs[1].data) : nullptr;
  Result<void> inner;
  OPBENCH_CHECK(with_widened(call, inputs[0], [&](const auto* x) {
    using T = std::remove_cvref_t<decltype(*x)>;
    const bool is_narrow = size_of(inputs[0].type.data_type) != sizeof(T);
    std::vector<T> wide(is_narrow ? static_cast<size_t>(outputs[0].type.size()) : 0);
    const bool is_wanted = outputs[0].data != nullptr;
    T* values = is_narrow ? wide.data() : static_cast<T*>(outputs[0].data);
    const Results<T> results{.values = is_wanted ? values : nullptr, .where = where};
    is_largest ? TopK<T, true>(split, count, results).of(x)
               : TopK<T, false>(split, count, results).of(x);
    if (is_narrow && is_wanted) inner = narrow_results<T>(call, wide, outputs[0]);
  }));
  return inner;
}

Attributes top_k_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto along = top_k_axis(call);
  if (along && *along != rank_of(call, 0) - 1) result["axis"] = *along;
  for (const char* name : {"largest", "sorted"}) {
    if (int_attribute(*call.node, name, 1) == 0) result[name] = int64_t{0};
  }
  return result;
}

/// Opset 1 has k as an attribute.
Node top_k_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  if (!node.attributes.contains("k")) return node;
  set_constant_input(node, 1, integer_tensor({int_attribute(node, "k", 0)}), constants);
  node.attributes.erase("k");
  return node;
}

}  // namespace

OperatorDef top_k_operator() {
  return {
      .name = "top_k",
      .summary = "The k largest or smallest elements along an axis, and where they were",
      .onnx_types = {"TopK"},
      .infer = infer_top_k,
      .flops = top_k_flops,
      .run = run_top_k,
      .normal_form = top_k_normal_form,
      .attributes = {{"axis", int64_t{-1}}, {"largest", int64_t{1}}, {"sorted", int64_t{1}}},
      .parameters = {1},
      .modern_form = top_k_modern_form,
  };
}

}  // namespace opbench
