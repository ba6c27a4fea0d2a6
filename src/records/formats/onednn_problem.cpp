#include "records/formats/onednn_problem.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/numbers/number.h"
#include "base/text/ascii.h"

namespace opbench {
namespace {

using Extents = std::vector<int64_t>;

std::optional<int64_t> extent_of(std::string_view text) {
  constexpr int64_t kMost = int64_t{1} << 40;
  const auto value = parse_integer(text);
  return value && *value >= 0 && *value < kMost ? value : std::nullopt;
}

/// `1x64x56` as its extents; nothing for other text.
std::optional<Extents> extents_of(std::string_view text) {
  Extents extents;
  while (true) {
    const size_t end = text.find('x');
    const auto extent = extent_of(text.substr(0, end));
    if (!extent) return {};
    extents.push_back(*extent);
    if (end == std::string_view::npos) return extents;
    text.remove_prefix(end + 1);
  }
}

std::string dims_text(const Extents& extents) {
  std::string text;
  for (const int64_t extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::string list_text(const Extents& values) {
  std::string text;
  for (const int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

/// `mb1_ic3oc64_ih224oh112kh7sh2dh0ph3`: letters, then a number, each. Empty for other text.
std::map<std::string, int64_t> letters_of(std::string_view text) {
  std::map<std::string, int64_t> values;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '_') {
      ++at;
      continue;
    }
    const size_t number = text.find_first_of("0123456789", at);
    if (number == std::string_view::npos || number == at) return {};
    const size_t end = std::min(text.find_first_not_of("0123456789", number), text.size());
    const auto value = extent_of(text.substr(number, end - number));
    if (!value) return {};
    values[std::string(text.substr(at, number - at))] = *value;
    at = end;
  }
  return values;
}

/// Every tensor is float32 and none has an odd kind of memory.
bool is_float32(std::string_view memory) {
  if (memory.find("sparse") != std::string_view::npos) return false;
  size_t tensors = 0;
  while (!memory.empty()) {
    const size_t end = std::min(memory.find(' '), memory.size());
    const std::string_view tensor = memory.substr(0, end);
    memory.remove_prefix(std::min(end + 1, memory.size()));
    if (tensor.empty()) continue;
    const size_t type = tensor.find_first_of("_:");
    if (type == std::string_view::npos) return false;
    const std::string_view name = tensor.substr(0, type);
    const std::string_view rest = tensor.substr(type + 1);
    const bool is_absent = rest.starts_with("undef");
    const bool is_other = name == "ws" || name == "workspace" || name == "scratchpad";
    if (is_absent || is_other) continue;
    if (!rest.starts_with("f32:")) return false;
    ++tensors;
  }
  return tensors > 0;
}

bool has_tensor(const std::string& memory, const std::string& name) {
  for (const char* separator : {"_", ":"}) {
    const size_t at = memory.find(name + separator);
    if (at == std::string::npos) continue;
    if (!std::string_view(memory).substr(at + name.size() + 1).starts_with("undef")) return true;
  }
  return false;
}

struct OnednnName {
  std::string_view theirs, ours;
};
constexpr std::array<OnednnName, 11> kElementwise = {{{"eltwise_relu", "relu"},
                                                      {"eltwise_tanh", "tanh"},
                                                      {"eltwise_logistic", "sigmoid"},
                                                      {"eltwise_exp", "exp"},
                                                      {"eltwise_abs", "abs"},
                                                      {"eltwise_sqrt", "sqrt"},
                                                      {"eltwise_log", "log"},
                                                      {"eltwise_round", "round"},
                                                      {"eltwise_mish", "mish"},
                                                      {"eltwise_hardswish", "hard_swish"},
                                                      {"eltwise_gelu_erf", "gelu"}}};
constexpr std::array<OnednnName, 6> kBinaries = {{{"binary_add", "add"},
                                                  {"binary_sub", "sub"},
                                                  {"binary_mul", "mul"},
                                                  {"binary_div", "div"},
                                                  {"binary_max", "max"},
                                                  {"binary_min", "min"}}};

template <size_t N>
std::optional<std::string> ours_of(const std::array<OnednnName, N>& names, std::string_view word) {
  for (const OnednnName& each : names) {
    if (each.theirs == word) return std::string(each.ours);
  }
  return {};
}

/// The value of `word:` among words with blanks between; empty if it is not there.
std::string value_of_word(const std::string& text, const std::string& word) {
  size_t at = text.find(word + ":");
  while (at != std::string::npos && at > 0 && text[at - 1] != ' ')
    at = text.find(word + ":", at + 1);
  if (at == std::string::npos) return {};
  const size_t begin = at + word.size() + 1;
  return text.substr(begin, text.find(' ', begin) - begin);
}

/// `; relu` for a post-op that is one elementwise operator with its usual alpha; empty without one;
/// nothing where attributes say more.
std::optional<std::string> epilogue_of(const std::string& attributes) {
  std::string rest = attributes;
  for (const char* harmless : {"attr-scratchpad:user", "attr-scratchpad:library"}) {
    const size_t at = rest.find(harmless);
    if (at != std::string::npos) rest.erase(at, std::string_view(harmless).size());
  }
  rest = std::string(trimmed(rest));
  if (rest.empty()) return "";
  constexpr std::string_view kPostOps = "attr-post-ops:";
  if (!rest.starts_with(kPostOps) || rest.find(' ') != std::string::npos) return {};
  const auto word = ours_of(kElementwise, rest.substr(kPostOps.size()));
  return word ? std::optional("; " + *word) : std::nullopt;
}

/// Of a window: kernel, strides, dilations and the pads that the output's extent shows.
struct OnednnWindow {
  Extents input, output, kernel, strides, dilations, begins, ends;
};

std::optional<OnednnWindow> onednn_window_of(const std::map<std::string, int64_t>& letters) {
  OnednnWindow window;
  for (const char axis : {'d', 'h', 'w'}) {
    const auto value = [&](const char* what) -> std::optional<int64_t> {
      const auto found = letters.find(std::string(what) + axis);
      return found == letters.end() ? std::nullopt : std::optional(found->second);
    };
    const auto input = value("i"), output = value("o"), kernel = value("k");
    if (!input || !output || !kernel) continue;
    const int64_t stride = value("s").value_or(1);
    const int64_t dilation = value("d").value_or(0) + 1;  // oneDNN counts what lies between taps
    const int64_t begin = value("p").value_or(0);
    if (*output < 1 || *kernel < 1 || stride < 1) return {};
    // The log has the pads before the input alone. Those behind it are as many, as frameworks have
    // it, where this gives the output's extent; else as many as the output needs.
    const int64_t reach = (*kernel - 1) * dilation + 1;
    const int64_t even = *input + 2 * begin - reach;
    const bool is_even = even >= 0 && even / stride + 1 == *output;
    const int64_t needed = (*output - 1) * stride + reach - *input - begin;
    const int64_t end = is_even ? begin : std::max<int64_t>(needed, 0);
    window.input.push_back(*input);
    window.output.push_back(*output);
    window.kernel.push_back(*kernel);
    window.strides.push_back(stride);
    window.dilations.push_back(dilation);
    window.begins.push_back(begin);
    window.ends.push_back(end);
  }
  return window.input.empty() ? std::nullopt : std::optional(window);
}

std::string window_attributes(const OnednnWindow& window, bool has_kernel) {
  std::string text;
  const auto all_are = [](const Extents& values, int64_t one) {
    return std::ranges::all_of(values, [&](int64_t value) { return value == one; });
  };
  if (has_kernel) text += " kernel_shape=" + list_text(window.kernel);
  if (!all_are(window.strides, 1)) text += " strides=" + list_text(window.strides);
  Extents pads = window.begins;
  pads.insert(pads.end(), window.ends.begin(), window.ends.end());
  if (!all_are(pads, 0)) text += " pads=" + list_text(pads);
  if (!all_are(window.dilations, 1)) text += " dilations=" + list_text(window.dilations);
  return text;
}

std::optional<std::string> convolution_text(const OnednnProblem& problem) {
  const auto letters = letters_of(problem.problem);
  const auto window = onednn_window_of(letters);
  if (!window || !letters.contains("mb") || !letters.contains("ic") || !letters.contains("oc")) {
    return {};
  }
  if (window->input.size() > 2) return {};
  const int64_t groups = letters.contains("g") ? letters.at("g") : 1;
  const int64_t in = letters.at("ic"), out = letters.at("oc");
  if (groups < 1 || in % groups != 0) return {};
  Extents input = {letters.at("mb"), in};
  input.insert(input.end(), window->input.begin(), window->input.end());
  Extents weights = {out, in / groups};
  weights.insert(weights.end(), window->kernel.begin(), window->kernel.end());
  const char* name = window->input.size() == 1 ? "conv1d " : "conv2d ";
  std::string text = name + dims_text(input) + " w:" + dims_text(weights);
  if (has_tensor(problem.memory, "bia")) text += " w:" + std::to_string(out);
  text += window_attributes(*window, false);
  if (groups > 1) text += " group=" + std::to_string(groups);
  return text;
}

std::optional<std::string> pooling_text(const OnednnProblem& problem) {
  const auto letters = letters_of(problem.problem);
  const auto window = onednn_window_of(letters);
  if (!window || !letters.contains("mb") || !letters.contains("ic")) return {};
  Extents input = {letters.at("mb"), letters.at("ic")};
  input.insert(input.end(), window->input.begin(), window->input.end());
  const std::string algorithm = value_of_word(problem.auxiliary, "alg");
  const bool is_max = algorithm == "pooling_max";
  const bool counts_pads = algorithm == "pooling_avg_include_padding";
  if (!is_max && !counts_pads && algorithm != "pooling_avg_exclude_padding") return {};
  std::string text = (is_max ? "max_pool " : "average_pool ") + dims_text(input);
  text += window_attributes(*window, true);
  if (counts_pads) text += " count_include_pad=1";
  return text;
}

std::optional<std::string> inner_product_text(const OnednnProblem& problem) {
  const auto letters = letters_of(problem.problem);
  if (!letters.contains("mb") || !letters.contains("ic") || !letters.contains("oc")) return {};
  int64_t length = letters.at("ic");
  for (const char* axis : {"id", "ih", "iw"}) {
    if (letters.contains(axis)) length *= letters.at(axis);
  }
  const int64_t out = letters.at("oc");
  std::string text =
      "dense " + dims_text({letters.at("mb"), length}) + " w:" + dims_text({out, length});
  if (has_tensor(problem.memory, "bia")) text += " w:" + std::to_string(out);
  return text + " transB=1";
}

std::optional<std::string> matmul_text(const OnednnProblem& problem) {
  const size_t colon = problem.problem.find(':');
  if (colon == std::string::npos || has_tensor(problem.memory, "bia")) return {};
  const auto a = extents_of(std::string_view(problem.problem).substr(0, colon));
  const auto b = extents_of(std::string_view(problem.problem).substr(colon + 1));
  if (!a || !b || a->size() < 2 || b->size() < 2 || a->back() != (*b)[b->size() - 2]) return {};
  const char* kind = b->size() == 2 ? " w:" : " ";  // weights, unless both are batches of matrices
  return "matmul " + dims_text(*a) + kind + dims_text(*b);
}

std::optional<std::string> elementwise_text(const OnednnProblem& problem) {
  const auto word = ours_of(kElementwise, value_of_word(problem.auxiliary, "alg"));
  const std::string alpha = value_of_word(problem.auxiliary, "alpha");
  const auto extents = extents_of(problem.problem);
  if (!word || !extents) return {};
  const bool is_leaky = *word == "relu" && !alpha.empty() && alpha != "0";
  if (is_leaky) return {};
  return *word + " " + dims_text(*extents);
}

std::optional<std::string> binary_text(const OnednnProblem& problem) {
  const auto word = ours_of(kBinaries, value_of_word(problem.auxiliary, "alg"));
  const size_t colon = problem.problem.find(':');
  if (!word || colon == std::string::npos) return {};
  const auto a = extents_of(std::string_view(problem.problem).substr(0, colon));
  const auto b = extents_of(std::string_view(problem.problem).substr(colon + 1));
  if (!a || !b) return {};
  return *word + " " + dims_text(*a) + " " + dims_text(*b);
}

std::optional<std::string> softmax_text(const OnednnProblem& problem) {
  const auto extents = extents_of(problem.problem);
  const auto axis = extent_of(value_of_word(problem.auxiliary, "axis"));
  const std::string algorithm = value_of_word(problem.auxiliary, "alg");
  if (!extents || !axis || *axis >= std::ssize(*extents)) return {};
  if (!algorithm.empty() && algorithm != "softmax_accurate") return {};
  std::string text = "softmax " + dims_text(*extents);
  if (*axis != std::ssize(*extents) - 1) text += " axis=" + std::to_string(*axis);
  return text;
}

}  // namespace

std::optional<std::string> workload_of_onednn(const OnednnProblem& problem) {
  const bool is_forward = problem.prop_kind.starts_with("forward") ||
                          problem.prop_kind == "undef" || problem.prop_kind.empty();
  if (!is_forward || !is_float32(problem.memory)) return {};
  const auto epilogue = epilogue_of(problem.attributes);
  if (!epilogue) return {};
  std::optional<std::string> text;
  if (problem.primitive == "convolution") text = convolution_text(problem);
  if (problem.primitive == "inner_product") text = inner_product_text(problem);
  if (problem.primitive == "matmul") text = matmul_text(problem);
  if (problem.primitive == "pooling" || problem.primitive == "pooling_v2") {
    text = pooling_text(problem);
  }
  if (problem.primitive == "eltwise") text = elementwise_text(problem);
  if (problem.primitive == "binary") text = binary_text(problem);
  if (problem.primitive == "softmax" || problem.primitive == "softmax_v2") {
    text = softmax_text(problem);
  }
  if (text) *text += *epilogue;
  return text;
}

}  // namespace opbench
