#include <algorithm>
#include <sstream>

#include "machine/settings/setting.h"

namespace opbench {
namespace {

constexpr const char* kHugePagesFile = "sys/kernel/mm/transparent_hugepage/enabled";

/// `always [madvise] never`: the words, and the one in brackets.
struct ChosenWord {
  std::vector<std::string> words;
  std::string chosen;
};

ChosenWord chosen_of(const std::string& text) {
  ChosenWord result;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    const bool is_chosen = word.size() > 2 && word.front() == '[' && word.back() == ']';
    if (is_chosen) result.chosen = word = word.substr(1, word.size() - 2);
    result.words.push_back(word);
  }
  const std::vector<std::string> all = {"always", "madvise", "never"};
  const bool is_one = result.words.size() == 1 && result.chosen.empty();
  if (is_one && std::ranges::find(all, result.words.front()) != all.end()) {
    result = {.words = all, .chosen = result.words.front()};  // a file that keeps what is written
  }
  return result;
}

SettingState find_huge_pages(const SettingPlace& place) {
  SettingState state;
  const auto text = place.files.read(kHugePagesFile);
  if (!text) {
    state.reason = text.error().code == ErrorCode::kNoMatch
                       ? "the kernel has no transparent huge pages"
                       : text.error().message;
    return state;
  }
  const ChosenWord found = chosen_of(*text);
  if (found.chosen.empty()) {
    state.reason = "the kernel does not say which word is chosen: \"" + *text + "\"";
    return state;
  }
  state.value = found.chosen;
  state.range.words = found.words;
  state.reason = place.files.why_unwritable(kHugePagesFile);
  return state;
}

Result<std::vector<SettingStep>> huge_pages_steps(const SettingPlace& place,
                                                  const std::string& value) {
  OPBENCH_TRY(const std::string text, place.files.read(kHugePagesFile));
  return std::vector<SettingStep>{
      {.path = kHugePagesFile, .before = chosen_of(text).chosen, .after = value}};
}

}  // namespace

SettingDef memory_huge_pages_setting() {
  return {.name = "memory.huge_pages",
          .summary = "who gets transparent huge pages: all, who asks for them, none",
          .set_by = "--over memory.huge_pages=V,V",
          .find = find_huge_pages,
          .steps = huge_pages_steps};
}

}  // namespace opbench
