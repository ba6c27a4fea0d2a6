#include "model/operators/attention/group_query_cache.h"

#include <numeric>

namespace opbench {
namespace {

Tensor numbers_from(int64_t first, const Shape& shape) {
  Tensor tensor = Tensor::empty({DataType::kInt64, shape});
  std::iota(tensor.as<int64_t>().begin(), tensor.as<int64_t>().end(), first);
  return tensor;
}

}  // namespace

GroupQueryCache::GroupQueryCache(NodeParts& parts, const GroupQueryRequest& request)
    : parts_(parts), r_(request) {
  constexpr int64_t kInt64 = 7;  // ONNX's number of the type
  const std::string lengths =
      parts.add("cache/lengths", "Cast", {parts.operand(kGroupLengths)}, {{"to", kInt64}});
  last_ = parts.reshape("cache/last", lengths, {r_.query.batch, 1, 1, 1});
  const std::string steps = parts.constant("cache/steps", integer_tensor({1 - r_.query.steps}));
  const std::string difference = parts.add("cache/difference", "Add", {last_, steps});
  // Images shorter than the call have no past, and end in padding.
  before_ = parts.add("cache/before", "Max",
                      {difference, parts.constant("cache/zero", integer_tensor({0}))});
}

std::string GroupQueryCache::positions() {
  const HeadLayout& q = r_.query;
  const std::string before = parts_.reshape("cache/first", before_, {q.batch, 1});
  return parts_.add("cache/positions", "Add",
                    {before, parts_.constant("cache/offsets", numbers_from(0, {1, q.steps}))});
}

/// The steps of the call so that each has the place that it gets in the cache; what stands
/// elsewhere does not matter.
std::string GroupQueryCache::aligned(const std::string& part, const std::string& now) {
  if (r_.query.steps == 1) return now;  // repeated
  const std::string places = parts_.constant(part + "/places", numbers_from(0, {r_.present()}));
  const std::string before = parts_.reshape(part + "/before", before_, {1});
  const std::string step = parts_.add(part + "/step", "Sub", {places, before});
  const std::string last = parts_.constant(part + "/last", integer_tensor({r_.query.steps - 1}));
  const std::string first = parts_.constant(part + "/zero", integer_tensor({0}));
  const std::string most = parts_.add(part + "/most", "Min", {step, last});
  const std::string index = parts_.add(part + "/index", "Max", {most, first});
  return parts_.add(part + "/aligned", "Gather", {now, index}, {{"axis", int64_t{2}}});
}

HeadValue GroupQueryCache::with(const std::string& part, const std::string& past,
                                const HeadValue& now, const std::string& result) {
  const HeadLayout& h = now.layout;
  std::string filled = past;
  if (r_.past < r_.present()) {
    const Shape rest{h.batch, h.heads, r_.present() - r_.past, h.size};
    filled = parts_.concat(
        part + "/filled",
        {past, parts_.constant(part + "/rest", Tensor::empty({DataType::kFloat32, rest}))}, 2);
  }
  const std::string place =
      parts_.constant(part + "/place", numbers_from(0, {1, 1, r_.present(), 1}));
  const std::string steps = parts_.constant(part + "/steps", integer_tensor({h.steps}));
  const std::string end = parts_.add(part + "/end", "Add", {before_, steps});
  const std::string is_past = parts_.add(part + "/is_past", "Less", {place, before_});
  const std::string is_new = parts_.add(part + "/is_new", "Less", {place, end});
  const std::string heads = heads_outside(parts_, part + "/now", now).name;
  const std::string newer = parts_.add(
      part + "/newer", "Where", {is_new, aligned(part, heads), parts_.scalar(part + "/none", 0)});
  HeadValue all{parts_.add(part + "/cache", "Where", {is_past, filled, newer}, {}, result), h};
  all.layout.steps = r_.total;
  all.layout.is_flat = false;
  if (r_.total < r_.present()) all.name = sliced(parts_, part + "/all", all.name, 2, 0, r_.total);
  return all;
}

void GroupQueryCache::hide_keys(ScoreMask& mask) {
  const int64_t steps = r_.query.steps;
  const Shape shape{r_.query.batch, 1, steps, r_.total};
  const std::string key = parts_.constant("cache/keys", numbers_from(0, {r_.total}));
  const std::string query = parts_.constant("cache/queries", numbers_from(0, {steps, 1}));
  const std::string own = parts_.add("cache/own", "Add", {before_, query});
  const std::string limit = parts_.add("cache/limit", "Min", {own, last_});
  std::string is_seen = parts_.add("cache/is_seen", "LessOrEqual", {key, limit});
  if (r_.window >= 0) {
    const std::string reach = parts_.constant("cache/reach", numbers_from(-r_.window, {steps, 1}));
    const std::string start = parts_.add("cache/start", "Add", {before_, reach});
    const std::string is_near = parts_.add("cache/is_near", "Greater", {key, start});
    is_seen = parts_.add("cache/is_both", "And", {is_seen, is_near});
  }
  hide_unless(parts_, mask, "cache", is_seen, shape);
  if (r_.window < 0) mask.visible.clear();  // every query sees the first key
}

}  // namespace opbench
