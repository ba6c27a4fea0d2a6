#include "records/record/knob_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "records/json/python_json.h"

namespace opbench {
namespace {

std::string knob_rules_text_of(const Argument& value) {
  constexpr size_t kShown = 60;
  return python_json(value).substr(0, kShown);
}

bool is_int(const Argument& value) { return value.kind == ArgumentKind::kInt; }

bool is_list_of_ints(const Argument& value) {
  return value.kind == ArgumentKind::kTuple && std::ranges::all_of(value.items, is_int);
}

std::string split_fault(const Argument& value) {
  if (!is_list_of_ints(value) || value.items.empty()) {
    return "a split needs a list of integers, not " + knob_rules_text_of(value);
  }
  for (size_t i = 0; i < value.items.size(); ++i) {
    const int64_t factor = value.items[i].integer;
    const bool is_rest = i == 0 && factor == -1;
    if (factor < 1 && !is_rest) {
      return "split factor " + std::to_string(factor) + " is below 1 (only the first may be -1)";
    }
  }
  return "";
}

std::string reorder_fault(const Argument& value) {
  if (!is_list_of_ints(value)) {
    return "a reorder needs a list of integers, not " + knob_rules_text_of(value);
  }
  std::vector<bool> is_there(value.items.size());
  for (const Argument& item : value.items) {
    const bool is_axis = item.integer >= 0 && item.integer < std::ssize(value.items);
    const auto axis = static_cast<size_t>(item.integer);
    if (!is_axis || is_there[axis]) {
      return knob_rules_text_of(value) + " is no permutation of 0 to " +
             std::to_string(std::ssize(value.items) - 1);
    }
    is_there[axis] = true;
  }
  return "";
}

std::string annotation_fault(const Argument& value) {
  static constexpr std::array<std::string_view, 11> kWords = {
      "none",        "unroll",      "vec",         "blockIdx.x", "blockIdx.y", "blockIdx.z",
      "threadIdx.x", "threadIdx.y", "threadIdx.z", "vthread",    "fuse"};
  if (value.kind != ArgumentKind::kTuple) {
    return "an annotation needs a list, not " + knob_rules_text_of(value);
  }
  for (const Argument& item : value.items) {
    const bool is_word =
        item.kind == ArgumentKind::kString && std::ranges::find(kWords, item.text) != kWords.end();
    if (!is_word && !is_int(item)) {
      return knob_rules_text_of(item) + " is no annotation: none, unroll, vec, blockIdx.x … fuse";
    }
  }
  return "";
}

}  // namespace

KnobFault check_knob(const KnobValue& knob) {
  std::string message;
  if (knob.kind == "sp") {
    message = split_fault(knob.value);
  } else if (knob.kind == "re") {
    message = reorder_fault(knob.value);
  } else if (knob.kind == "an") {
    message = annotation_fault(knob.value);
  } else if (knob.kind != "ot") {
    return {"E_KNOB_KIND", "unknown kind \"" + knob.kind + "\" of knob \"" + knob.name +
                               "\", known: sp, re, an, ot"};
  }
  if (message.empty()) return {};
  return {"E_KNOB_VALUE", "knob \"" + knob.name + "\": " + message};
}

}  // namespace opbench
