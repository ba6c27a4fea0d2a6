#include "model/operators/attention/attention_parts.h"

#include <limits>

#include "model/operators/operand.h"

namespace opbench {
namespace {

/// Fewer queries than this are multiplied with keys as they lie: turning these round would cost
/// more than the product.
constexpr int64_t kLeastTurned = 4;

/// Where heads of the query share those of keys and values, they get a dimension of their own:
/// [batch, key heads, sharers, queries, …], so that keys repeat along it.
class Grouped {
 public:
  Grouped(NodeParts& parts, const AttentionParts& a)
      : parts_(parts), a_(a), sharers_(a.query.layout.heads / a.key.layout.heads) {}

  bool is_grouped() const { return sharers_ > 1; }

  std::string query() {
    const HeadLayout& q = a_.query.layout;
    const std::string name = heads_outside(parts_, "query", a_.query).name;
    if (!is_grouped()) return name;
    return parts_.reshape("query/groups", name,
                          {q.batch, a_.key.layout.heads, sharers_, q.steps, q.size});
  }

  /// [batch, key heads, (1,) size, keys]
  std::string turned_keys() {
    const HeadLayout& k = a_.key.layout;
    std::string turned;
    if (k.is_flat) {
      const std::string split =
          parts_.reshape("key/heads", a_.key.name, {k.batch, k.steps, k.heads, k.size});
      turned = parts_.transpose("key/turned", split, {0, 2, 3, 1});
    } else {
      turned = parts_.transpose("key/turned", a_.key.name, {0, 1, 3, 2});
    }
    if (!is_grouped()) return turned;
    return parts_.reshape("key/shared", turned, {k.batch, k.heads, 1, k.size, k.steps});
  }

  /// [batch, key heads, (1,) steps, size]
  std::string shared(const std::string& part, const HeadValue& value) {
    const HeadLayout& h = value.layout;
    const std::string name = heads_outside(parts_, part, value).name;
    if (!is_grouped()) return name;
    return parts_.reshape(part + "/shared", name, {h.batch, h.heads, 1, h.steps, h.size});
  }

  std::string mask(const ScoreValue& value) {
    const auto& [name, shape] = value;
    if (!is_grouped() || shape.size() < 3) return name;
    const size_t at = shape.size() - 3;
    Shape grouped(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(at));
    const bool has_heads = shape[at] > 1;
    grouped.insert(grouped.end(), {has_heads ? a_.key.layout.heads : 1, has_heads ? sharers_ : 1});
    grouped.insert(grouped.end(), shape.end() - 2, shape.end());
    return parts_.reshape("mask/groups", name, grouped);
  }

 private:
  NodeParts& parts_;
  const AttentionParts& a_;
  int64_t sharers_;
};

/// Scores on their way to weights. The first value of a stage that is asked for takes its name.
class Scores {
 public:
  Scores(NodeParts& parts, const AttentionParts& a, Grouped& grouped)
      : parts_(parts), a_(a), grouped_(grouped) {}

  std::string weights(const std::string& products) {
    value_ = products;
    step("scaled", "Mul", {parts_.scalar("scale", static_cast<float>(a_.scale))});
    end_stage(0);
    if (a_.softcap > 0) add_softcap();
    end_stage(1);
    for (const ScoreValue& addend : a_.mask.addends) step("masked", "Add", {grouped_.mask(addend)});
    end_stage(2);
    value_ = parts_.add("weights", "Softmax", {value_}, {{"axis", int64_t{-1}}});
    if (!a_.mask.visible.empty()) step("visible", "Mul", {some_visible()});
    end_stage(3);
    return value_;
  }

 private:
  void step(const std::string& part, const std::string& type, std::vector<std::string> operands) {
    operands.insert(operands.begin(), value_);
    value_ = parts_.add(part, type, std::move(operands));
  }

  void add_softcap() {
    const std::string cap = parts_.scalar("softcap", static_cast<float>(a_.softcap));
    step("capped/part", "Div", {cap});
    step("capped/tanh", "Tanh", {});
    step("capped", "Mul", {cap});
  }

  void end_stage(int64_t stage) {
    if (a_.scores.empty() || stage != a_.score_stage) return;
    const HeadLayout& q = a_.query.layout;
    parts_.reshape("scores", value_, {q.batch, q.heads, q.steps, a_.key.layout.steps}, a_.scores);
  }

  /// 1 for every query that sees a key.
  std::string some_visible() {
    std::string all;
    for (const ScoreValue& visible : a_.mask.visible) {
      const std::string name = grouped_.mask(visible);
      all = all.empty() ? name : parts_.add("seen/all", "Mul", {all, name});
    }
    return parts_.reduce("seen", "ReduceMax", all, -1);
  }

  NodeParts& parts_;
  const AttentionParts& a_;
  Grouped& grouped_;
  std::string value_;
};

std::string products(NodeParts& parts, const AttentionParts& a, Grouped& grouped) {
  const std::string query = grouped.query();
  if (a.query.layout.steps >= kLeastTurned)
    return parts.add("products", "MatMul", {query, grouped.turned_keys()});
  return parts.add_microsoft("products", "FusedMatMul", {query, grouped.shared("key", a.key)},
                             {{"transB", int64_t{1}}});
}

}  // namespace

float hidden_score() { return std::numeric_limits<float>::lowest(); }

HeadValue heads_outside(NodeParts& parts, const std::string& part, const HeadValue& value,
                        const std::string& result) {
  HeadLayout h = value.layout;
  if (!h.is_flat) {
    if (result.empty()) return value;
    return {parts.add(part, "Identity", {value.name}, {}, result), h};
  }
  const std::string split =
      parts.reshape(part + "/split", value.name, {h.batch, h.steps, h.heads, h.size});
  h.is_flat = false;
  return {parts.transpose(part + "/heads", split, {0, 2, 1, 3}, result), h};
}

HeadValue with_past(NodeParts& parts, const std::string& part, const HeadValue& now,
                    const std::string& past, int64_t past_steps, const std::string& result) {
  if (past.empty()) {
    if (!result.empty()) heads_outside(parts, part + "/present", now, result);
    return now;
  }
  HeadValue all = heads_outside(parts, part + "/now", now);
  all.name = parts.concat(part + "/all", {past, all.name}, 2, result);
  all.layout.steps += past_steps;
  return all;
}

void hide_unless(NodeParts& parts, ScoreMask& mask, const std::string& part,
                 const std::string& is_seen, const Shape& shape) {
  constexpr int64_t kFloat32 = 1;  // ONNX's number of the type
  const std::string zero = parts.scalar(part + "/zero", 0);
  const std::string hidden = parts.scalar(part + "/hidden", hidden_score());
  mask.addends.push_back({parts.add(part + "/addend", "Where", {is_seen, zero, hidden}), shape});
  mask.visible.push_back(
      {parts.add(part + "/visible", "Cast", {is_seen}, {{"to", kFloat32}}), shape});
}

std::string sliced(NodeParts& parts, const std::string& part, const std::string& value,
                   int64_t axis, int64_t begin, int64_t end) {
  return parts.add(part, "Slice",
                   {value, parts.constant(part + "/begin", integer_tensor({begin})),
                    parts.constant(part + "/end", integer_tensor({end})),
                    parts.constant(part + "/axis", integer_tensor({axis}))});
}

void hide_later_keys(NodeParts& parts, ScoreMask& mask, int64_t queries, int64_t keys,
                     int64_t past) {
  if (past + 1 >= keys) return;
  const Shape shape{queries, keys};
  Tensor addend = Tensor::empty({DataType::kFloat32, shape});
  Tensor visible = Tensor::empty({DataType::kFloat32, shape});
  for (int64_t i = 0; i < queries * keys; ++i) {
    const bool is_later = i % keys > i / keys + past;
    addend.as<float>()[static_cast<size_t>(i)] = is_later ? hidden_score() : 0.0F;
    visible.as<float>()[static_cast<size_t>(i)] = is_later ? 0.0F : 1.0F;
  }
  mask.addends.push_back({parts.constant("later", std::move(addend)), shape});
  // A query sees its own step at least, unless another mask hides that.
  if (!mask.visible.empty())
    mask.visible.push_back({parts.constant("not_later", std::move(visible)), shape});
}

void add_attention(NodeParts& parts, const AttentionParts& a) {
  Grouped grouped(parts, a);
  const std::string weights = Scores(parts, a, grouped).weights(products(parts, a, grouped));
  const HeadLayout& q = a.query.layout;
  const int64_t size = a.value.layout.size;
  const std::string values = grouped.shared("value", a.value);
  const bool is_last = !grouped.is_grouped() && !q.is_flat;
  std::string y = parts.add("sums", "MatMul", {weights, values}, {}, is_last ? a.result : "");
  if (is_last) return;
  if (grouped.is_grouped())
    y = parts.reshape("sums/heads", y, {q.batch, q.heads, q.steps, size},
                      q.is_flat ? "" : a.result);
  if (!q.is_flat) return;
  y = parts.transpose("sums/steps", y, {0, 2, 1, 3});
  parts.reshape("result", y, {q.batch, q.steps, q.heads * size}, a.result);
}

}  // namespace opbench
