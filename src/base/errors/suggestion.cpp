#include "base/errors/suggestion.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace opbench {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  const std::string wanted = lower_case(name);
  for (const std::string& candidate : known) {
    const size_t distance = edit_distance(wanted, lower_case(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

Error unknown_name(std::string_view kind, std::string_view name,
                   const std::vector<std::string>& known) {
  Error error{ErrorCode::kInvalidInput,
              "unknown " + std::string(kind) + " \"" + std::string(name) + "\""};
  if (!known.empty()) error.facts.push_back({"known", join(known)});
  if (const std::string guess = nearest_name(name, known); !guess.empty()) {
    error.facts.push_back({"did you mean", guess + "?"});
  }
  return error;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

}  // namespace opbench
