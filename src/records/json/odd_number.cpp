#include "records/json/odd_number.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cctype>
#include <limits>
#include <tuple>
#include <utility>

namespace opbench {
namespace {

constexpr double kOddNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kOddInfinity = std::numeric_limits<double>::infinity();

struct BareWord {
  std::string_view word;
  std::string_view quoted;  ///< of the same length
};
constexpr std::array<BareWord, 3> kBareWords = {
    {{"NaN", "\"n\""}, {"Infinity", "\"Infini\""}, {"-Infinity", "\"-Infini\""}}};

/// The end of the string that begins at `at`, or of the text.
size_t end_of_string(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at < text.size() ? at + 1 : text.size();
}

/// The next place outside of strings where one of the words stands, with the word.
std::pair<size_t, const BareWord*> next_word(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (text[at] == '"') {
      at = end_of_string(text, at);
      continue;
    }
    for (const BareWord& each : kBareWords) {
      const bool has_begun = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
      const size_t end = at + each.word.size();
      const bool goes_on =
          end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0;
      if (text.substr(at).starts_with(each.word) && !has_begun && !goes_on) return {at, &each};
    }
    ++at;
  }
  return {text.size(), nullptr};
}

}  // namespace

bool has_bare_word(std::string_view text) {
  if (text.find("NaN") == std::string_view::npos &&
      text.find("Infinity") == std::string_view::npos) {
    return false;
  }
  return next_word(text, 0).second != nullptr;
}

std::string with_quoted_words(std::string_view text) {
  std::string result(text);
  for (auto [at, word] = next_word(text, 0); word != nullptr;
       std::tie(at, word) = next_word(text, at + word->word.size())) {
    result.replace(at, word->word.size(), word->quoted);
  }
  return result;
}

std::optional<double> number_or_word(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return {};
  std::string word = value.get<std::string>();
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (word == "nan" || word == "n") return kOddNan;
  if (word == "infinity" || word == "inf" || word == "infini") return kOddInfinity;
  if (word == "-infinity" || word == "-inf" || word == "-infini") return -kOddInfinity;
  return {};
}

}  // namespace opbench
