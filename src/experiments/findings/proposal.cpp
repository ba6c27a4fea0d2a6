#include "experiments/findings/proposal.h"

#include <algorithm>

#include "base/text/shell_word.h"

namespace opbench {

double FindingInput::model_ms() const {
  if (engine.model.end_to_end) return engine.model.end_to_end->median_ms;
  double sum = 0;
  for (const UnitResult& unit : engine.units) sum += unit.total_ms;
  return sum;
}

void expect(Finding& finding, double percent, double relative) {
  const double half = std::clamp(relative * percent, 1.0, std::max(1.0, percent / 2));
  finding.gain_low_pct = percent - half;
  constexpr double kAll = 100;
  finding.gain_high_pct = std::min(percent + half, kAll);
}

namespace {

bool is_option(const std::string& word, const std::string& option) {
  return word == option || word.starts_with(option + "=");
}

// Without the option, and its value where that is a word of its own.
void erase_option(std::vector<std::string>& words, const std::string& option, bool has_value) {
  for (auto word = words.begin(); word != words.end();) {
    if (!is_option(*word, option)) {
      ++word;
      continue;
    }
    const bool is_split = has_value && *word == option;
    word = words.erase(word);
    if (is_split && word != words.end()) word = words.erase(word);
  }
}

}  // namespace

std::string command_with(const ProfileRequest& request, const std::string& option,
                         const std::string& value) {
  std::vector<std::string> words = request.notes.argv;
  if (!words.empty()) words.front() = "opbench";
  for (const char* without : {"--findings", "--try"}) erase_option(words, without, false);
  for (const char* without : {"--output", "-o", "--format", "--record"}) {
    erase_option(words, without, true);
  }
  erase_option(words, option, true);
  if (!value.empty()) words.insert(words.end(), {option, value});
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::string place_of(const FindingInput& input) {
  return input.result.workload.empty() ? input.result.model : input.result.workload;
}

}  // namespace opbench
