#pragma once

#include <string>
#include <string_view>

namespace opbench {

/// Terminal emphasis, or none. Meaning never rests on colour alone.
struct TextStyle {
  bool has_colour = false;

  std::string bold(std::string_view text) const { return wrapped("1", text); }
  std::string dim(std::string_view text) const { return wrapped("2", text); }
  std::string red(std::string_view text) const { return wrapped("31", text); }

 private:
  std::string wrapped(std::string_view code, std::string_view text) const {
    if (!has_colour || text.empty()) return std::string(text);
    std::string result = "\033[";
    return result.append(code).append("m").append(text).append("\033[0m");
  }
};

}  // namespace opbench
