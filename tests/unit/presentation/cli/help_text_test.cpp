#include "presentation/cli/help_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/text/display_width.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// The lines of a help text that are wider than a terminal.
std::vector<std::string> wide_lines(const std::string& text, size_t columns) {
  std::vector<std::string> wide;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (display_width(line) > columns) wide.push_back(line);
  }
  return wide;
}

TEST(HelpText, IsNoWiderThanTheTerminal) {
  for (const int width : {0, 60, 80, 200}) {
    const size_t columns = width == 0 ? 80 : width == 200 ? 100 : static_cast<size_t>(width);
    const std::vector<CommandDef>& commands = command_table().all();
    EXPECT_THAT(wide_lines(program_help(commands, {.width = width}), columns),
                ::testing::IsEmpty());
    for (const CommandDef& command : commands) {
      if (command.is_hidden) continue;
      EXPECT_THAT(wide_lines(command_help(command, {}, {.width = width}), columns),
                  ::testing::IsEmpty())
          << command.name;
    }
  }
}

TEST(HelpText, BreaksCommandsToCopyOutsideOfQuotes) {
  CommandDef command{.name = "x"};
  command.examples = {
      {"opbench op 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu' --engine "
       "halide,onednn --threads 1",
       "a look"}};
  EXPECT_THAT(
      command_help(command, {}, {.width = 80}),
      HasSubstr("  opbench op 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu' --engine \\\n"
                "      halide,onednn --threads 1\n      a look\n"));
}

TEST(HelpText, SaysNoDefaultTwice) {
  for (const CommandDef& command : command_table().all()) {
    for (const OptionDef& option : command.options) {
      EXPECT_NE(option.otherwise, "default") << command.name << " " << option.name;
    }
  }
}

TEST(HelpText, ListsOptionsAndVerbsOfACommandThatHasBoth) {
  const CommandDef& predict = **command_table().find("predict");
  const CommandDef& train = **command_table().find("predict train");
  const std::string text = command_help(predict, {train}, {});
  EXPECT_THAT(text, HasSubstr("\nOptions\n  --engine"));
  EXPECT_THAT(text, HasSubstr("--interval PERCENT"));
  EXPECT_THAT(text, HasSubstr("\nCommands\n  predict train  "));
}

}  // namespace
}  // namespace opbench
