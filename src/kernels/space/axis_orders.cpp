#include "kernels/space/axis_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

using Order = std::vector<int>;

Order ascending(int count) {
  Order order(static_cast<size_t>(std::max(count, 0)));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Result<std::vector<Order>> interval_orders(int axes, int begin, int end) {
  if (begin < 0 || begin > end || end > axes) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("interval {} to {} of {} axes", begin, end, axes)};
  }
  if (end - begin > 8) {
    return Error{ErrorCode::kInvalidInput, fmt::format("{} axes in every order", end - begin)};
  }
  std::vector<Order> orders;
  Order order = ascending(axes);
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin() + begin, order.begin() + end));
  return orders;
}

/// Takes the next from the chain that has most left, the first such one.
Order merged(const std::vector<Order>& chains) {
  std::vector<size_t> taken(chains.size(), 0);
  Order result;
  while (true) {
    size_t longest = 0;
    size_t most = 0;
    for (size_t i = 0; i < chains.size(); ++i) {
      const size_t left = chains[i].size() - taken[i];
      if (left <= most) continue;
      longest = i;
      most = left;
    }
    if (most == 0) return result;
    result.push_back(chains[longest][taken[longest]++]);
  }
}

Order interleaved(const ReorderOptions& options) {
  std::vector<Order> outer;
  std::vector<Order> inner;
  for (const Order& chain : options.spatial) {
    if (chain.empty()) continue;
    outer.emplace_back(chain.begin(), chain.end() - 1);
    inner.push_back({chain.back()});
  }
  Order result = merged(outer);
  std::vector<Order> parts;
  if (options.policy == "interleave") {
    inner.insert(inner.end(), options.reduce.begin(), options.reduce.end());
    parts.push_back(merged(inner));
  } else {
    parts.push_back(merged(options.reduce));
    parts.insert(parts.end(), inner.begin(), inner.end());
  }
  for (const Order& part : parts) result.insert(result.end(), part.begin(), part.end());
  return result;
}

using Words = std::vector<std::string>;

/// Block and thread names of the last axes, what stands before is fused.
Result<std::vector<Words>> bindings(int axes, const std::string& policy) {
  const bool is_virtual = policy == "bind_gpu_virtual";
  const int parts = is_virtual ? 3 : 2;
  const int dimensions = std::min(axes / parts, 3);
  if (dimensions == 0) {
    return Error{ErrorCode::kInvalidInput, fmt::format("{} axes for policy {}", axes, policy)};
  }
  Words words(static_cast<size_t>(axes - parts * dimensions), "fuse");
  const auto add = [&](const std::string& prefix) {
    for (int d = dimensions; d > 0; --d) words.push_back(prefix + "xyz"[d - 1]);
  };
  add("blockIdx.");
  if (is_virtual) words.insert(words.end(), static_cast<size_t>(dimensions), "vthread");
  add("threadIdx.");
  return std::vector<Words>{words};
}

Result<Words> words_of(const std::string& policy) {
  Words words;
  std::istringstream in(policy);
  for (std::string word; std::getline(in, word, '_');) {
    if (word == "try") word = "none";
    if (word != "none" && word != "unroll" && word != "vec") {
      return unknown_name("annotation", word, {"none", "try", "unroll", "vec"});
    }
    words.push_back(word);
  }
  return words;
}

void annotate_next(size_t axes, const Words& words, Words& chosen, std::vector<Words>& result) {
  if (chosen.size() == axes) {
    if (std::ranges::count(chosen, "vec") <= 1) result.push_back(chosen);
    return;
  }
  for (const std::string& word : words) {
    chosen.push_back(word);
    annotate_next(axes, words, chosen, result);
    chosen.pop_back();
  }
}

}  // namespace

Result<std::vector<Order>> axis_orders(int axes, const ReorderOptions& options) {
  if (options.policy == "identity") return std::vector<Order>{ascending(axes)};
  if (options.policy == "all") return interval_orders(axes, 0, axes);
  if (options.policy == "interval_all") return interval_orders(axes, options.begin, options.end);
  if (options.policy == "candidate") return options.candidates;
  if (options.policy == "interleave" || options.policy == "interleave_cuda") {
    return std::vector<Order>{interleaved(options)};
  }
  return unknown_name(
      "policy of a reorder", options.policy,
      {"identity", "all", "interval_all", "candidate", "interleave", "interleave_cuda"});
}

Result<std::vector<Words>> axis_annotations(int axes, const std::string& policy) {
  if (policy == "bind_gpu" || policy == "bind_gpu_virtual") return bindings(axes, policy);
  OPBENCH_TRY(const Words words, words_of(policy));
  if (axes > 8) {
    return Error{ErrorCode::kInvalidInput, fmt::format("{} axes to annotate one by one", axes)};
  }
  std::vector<Words> result;
  Words chosen;
  annotate_next(static_cast<size_t>(std::max(axes, 0)), words, chosen, result);
  return result;
}

std::vector<std::vector<int>> axis_combinations(int axes, int count) {
  std::vector<Order> result;
  Order chosen = ascending(count);
  if (count > axes || count < 0) return result;
  while (true) {
    result.push_back(chosen);
    int position = count - 1;
    while (position >= 0 && chosen[static_cast<size_t>(position)] == axes - count + position) {
      --position;
    }
    if (position < 0) return result;
    int next = ++chosen[static_cast<size_t>(position)];
    for (int i = position + 1; i < count; ++i) chosen[static_cast<size_t>(i)] = ++next;
  }
}

}  // namespace opbench
