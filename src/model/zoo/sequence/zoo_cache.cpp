#include "model/zoo/sequence/zoo_cache.h"

#include <fmt/format.h>

#include "model/zoo/sequence/zoo_sequence.h"

namespace opbench {
namespace {

std::string past_name(int64_t layer, const char* word) {
  return fmt::format("past_key_values.{}.{}", layer, word);
}

Dimension past_words(int64_t past) { return {past, "past"}; }

}  // namespace

KeyValueCache::KeyValueCache(ZooBuilder& b, const std::string& ids, const Extents& extents)
    : extents_(extents), length_(b.shape_of(ids).back()) {
  const std::vector<Dimension> shape = {
      {b.batch_size(), ""}, {extents.heads, ""}, past_words(extents.past), {extents.width, ""}};
  for (int64_t i = 0; i < extents.layers; ++i) {
    b.named_input(past_name(i, "key"), DataType::kFloat32, shape);
    b.named_input(past_name(i, "value"), DataType::kFloat32, shape);
  }
  begin_ = extent(b, "past_length", past_name(0, "key"), 2);
  end_ = binary(b, "Add", "all_length", begin_, extent(b, "new_length", ids, 1));
}

std::vector<Dimension> KeyValueCache::dimensions(int64_t length, int64_t past) {
  return {sequence(length), past_words(past)};
}

std::pair<std::string, std::string> KeyValueCache::append(ZooBuilder& b, const std::string& key,
                                                          const std::string& value) {
  const int64_t layer = layer_++;
  const auto all = [&](const char* word, const std::string& added) {
    const std::string name = fmt::format("present.{}.{}", layer, word);
    b.also_output(concat(b, name, {past_name(layer, word), added}, 2));
    return name;
  };
  std::string keys = all("key", key);
  return {std::move(keys), all("value", value)};
}

std::string KeyValueCache::of_new_words(ZooBuilder& b, const std::string& name,
                                        const std::string& table, int64_t axis) const {
  return slice_between(b, name, table, axis, begin_, end_, length_);
}

std::string KeyValueCache::causal_mask(ZooBuilder& b, int64_t positions) const {
  Tensor mask = Tensor::empty({DataType::kBool, {1, 1, positions, positions}});
  for (int64_t i = 0; i < positions * positions; ++i) {
    mask.data[static_cast<size_t>(i)] = std::byte{i % positions <= i / positions};
  }
  const std::string rows =
      of_new_words(b, "mask_rows", b.constant("mask_table", std::move(mask)), 2);
  return slice_between(b, "mask", rows, 3, b.integers("mask_first", {0}), end_,
                       extents_.past + length_);
}

}  // namespace opbench
