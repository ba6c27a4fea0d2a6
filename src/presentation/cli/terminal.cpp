#include "presentation/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

std::string_view terminal_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool wants_colour(bool is_tty) {
  if (!terminal_variable("NO_COLOR").empty()) return false;
  const std::string_view force = terminal_variable("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return is_tty && terminal_variable("TERM") != "dumb";
}

/// As COLUMNS says, else what most windows can show, as a wish: a file or a pipe has no edge.
int columns_without_terminal() {
  constexpr int kUsual = 120;
  const std::string_view text = terminal_variable("COLUMNS");
  int columns = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), columns).ptr;
  return columns > 0 && end == text.data() + text.size() ? columns : -kUsual;
}

int terminal_columns_of(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

Terminal standard_terminal() {
  Terminal terminal{.out = std::cout, .err = std::cerr};
  terminal.is_out_tty = isatty(STDOUT_FILENO) == 1;
  terminal.is_err_tty = isatty(STDERR_FILENO) == 1 && terminal_variable("TERM") != "dumb";
  terminal.has_colour = wants_colour(terminal.is_out_tty);
  terminal.has_err_colour = wants_colour(terminal.is_err_tty);
  terminal.width =
      terminal.is_out_tty ? terminal_columns_of(STDOUT_FILENO) : columns_without_terminal();
  if (terminal.is_err_tty) terminal.err_width = terminal_columns_of(STDERR_FILENO);
  return terminal;
}

Result<void> set_colour(Terminal& terminal, const std::string& when) {
  if (when == "always" || when == "never") {
    terminal.has_colour = terminal.has_err_colour = when == "always";
  } else if (when != "auto") {
    return unknown_name("colour mode", when, {"auto", "always", "never"});
  }
  return {};
}

}  // namespace opbench
