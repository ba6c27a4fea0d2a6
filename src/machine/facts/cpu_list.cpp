#include "machine/facts/cpu_list.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

Error bad_list(std::string_view text, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput, "bad CPU list \"" + std::string(text) + "\": " + reason}
      .with("expected", "numbers and ranges, as in 0,2-5");
}

bool read_number(std::string_view text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

}  // namespace

Result<std::vector<int>> parse_cpu_list(std::string_view text) {
  constexpr int kMost = 1 << 16;
  std::vector<int> cpus;
  std::set<int> seen;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const size_t dash = word.find('-');
    int first = 0;
    int last = 0;
    const bool read =
        dash == std::string_view::npos
            ? read_number(word, first) && read_number(word, last)
            : read_number(word.substr(0, dash), first) && read_number(word.substr(dash + 1), last);
    if (!read || last >= kMost) return bad_list(text, "\"" + std::string(word) + "\" is no CPU");
    if (last < first) return bad_list(text, "\"" + std::string(word) + "\" runs backwards");
    for (int cpu = first; cpu <= last; ++cpu) {
      if (!seen.insert(cpu).second) return bad_list(text, std::to_string(cpu) + " stands twice");
      cpus.push_back(cpu);
    }
    begin = end + 1;
  }
  std::ranges::sort(cpus);
  return cpus;
}

std::string cpu_list_text(std::vector<int> cpus) {
  std::ranges::sort(cpus);
  std::vector<std::string> parts;
  for (size_t i = 0; i < cpus.size();) {
    size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    const std::string first = std::to_string(cpus[i]);
    parts.push_back(last == i ? first : first + "-" + std::to_string(cpus[last]));
    i = last + 1;
  }
  return join(parts, ",");
}

}  // namespace opbench
