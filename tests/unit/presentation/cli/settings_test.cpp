#include "presentation/cli/settings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/file.h"

namespace opbench {
namespace {

const std::vector<std::string> kOptions = {"threads", "engine", "budget", "label", "quiet"};

std::string settings_error_of(std::string_view text) {
  const auto settings = parse_settings(text, "opbench.toml", kOptions);
  return settings ? "none" : to_text(settings.error());
}

TEST(Settings, ReadsDefaultsOfEveryKind) {
  const Settings settings = parse_settings(R"(
[defaults]
threads = [1, 2]
engine = "halide"
budget = 2.5
quiet = true
label = {host = "rack 4", tries = 3}
)",
                                           "opbench.toml", kOptions)
                                .value();
  EXPECT_EQ(settings.defaults.at("threads"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(settings.defaults.at("engine"), std::vector<std::string>{"halide"});
  EXPECT_EQ(settings.defaults.at("budget"), std::vector<std::string>{"2.5"});
  EXPECT_EQ(settings.defaults.at("quiet"), std::vector<std::string>{"true"});
  EXPECT_EQ(settings.defaults.at("label"), (std::vector<std::string>{"host=rack 4", "tries=3"}));
}

TEST(Settings, ReadsEnginesOfTheUser) {
  const Settings settings = parse_settings(R"(
[engine.mine]
command = ["/opt/mine", "--fast"]
settings = {level = 3}
)",
                                           "opbench.toml", kOptions)
                                .value();
  const UserEngine mine{"mine", {"/opt/mine", "--fast"}, {{"level", "3"}}};
  EXPECT_EQ(settings.engines, std::vector<UserEngine>{mine});
}

TEST(Settings, RefusesEmptyLists) {
  EXPECT_EQ(settings_error_of("[defaults]\nengine = []"),
            "error: \"engine\" must be a list or table that is not empty\n  in: opbench.toml:2\n");
  EXPECT_EQ(settings_error_of("[defaults]\nbudget = 1\nlabel = {}"),
            "error: \"label\" must be a list or table that is not empty\n  in: opbench.toml:3\n");
}

TEST(Settings, KnowsWhereADefaultStands) {
  const auto settings =
      parse_settings("[defaults]\nbudget = 1\nthreads = 2\n", "f.toml", kOptions).value();
  EXPECT_EQ(settings.places.at("threads"), "f.toml:3");
}

TEST(Settings, RefusesUnknownKeysWithAGuess) {
  EXPECT_EQ(settings_error_of("[default]\nthreads = 1"),
            "error: unknown key \"default\"\n  known: defaults, engine\n"
            "  did you mean: defaults?\n  in: opbench.toml\n");
  EXPECT_EQ(settings_error_of("[defaults]\nthread = 1"),
            "error: unknown option \"thread\"\n  known: threads, engine, budget, label, quiet\n"
            "  did you mean: threads?\n  in: opbench.toml\n");
  EXPECT_EQ(settings_error_of("[engine.x]\ncomand = []"),
            "error: unknown key \"comand\"\n  known: command, settings\n"
            "  did you mean: command?\n  in: opbench.toml\n");
}

TEST(Settings, SaysWhereAFileIsNotToml) {
  const std::string text = settings_error_of("[defaults]\nthreads = = 1");
  EXPECT_EQ(text.substr(0, 17), "error: not TOML: ");
  EXPECT_NE(text.find("  in: opbench.toml:2\n"), std::string::npos) << text;
}

TEST(Settings, RefusesValuesOfTheWrongKind) {
  EXPECT_EQ(settings_error_of("[engine.x]\ncommand = \"/opt/x\""),
            "error: \"command\" must be a list of texts\n  in: opbench.toml\n");
  EXPECT_EQ(settings_error_of("defaults = 3"),
            "error: \"defaults\" must be a table\n  in: opbench.toml\n");
  EXPECT_EQ(settings_error_of("[defaults]\nthreads = 2026-11-21"),
            "error: \"threads\" must be a text, number, boolean, list or table\n"
            "  in: opbench.toml:2\n");
}

TEST(Settings, MergesTheProjectOverTheUser) {
  const Settings project{{{"threads", {"1"}}}, {{"mine", {"a"}, {}}}};
  const Settings user{{{"threads", {"2"}}, {"budget", {"5"}}},
                      {{"mine", {"b"}, {}}, {"other", {"c"}, {}}}};
  const Settings both = merge(project, user);
  EXPECT_EQ(both.defaults.at("threads"), std::vector<std::string>{"1"});
  EXPECT_EQ(both.defaults.at("budget"), std::vector<std::string>{"5"});
  ASSERT_EQ(both.engines.size(), 2U);
  EXPECT_EQ(both.engines[0].command, std::vector<std::string>{"a"});
}

TEST(Settings, AreFoundAboveTheFolderButNotBeyondTheProject) {
  const TemporaryFolder root = TemporaryFolder::make().value();
  const auto inner = root.path() / "project" / "src";
  std::filesystem::create_directories(inner);
  std::ofstream(root.path() / "opbench.toml") << "\n";
  EXPECT_EQ(project_settings_file(inner), root.path() / "opbench.toml");
  std::filesystem::create_directories(root.path() / "project" / ".git");
  EXPECT_EQ(project_settings_file(inner), "");
  std::ofstream(root.path() / "project" / "opbench.toml") << "\n";
  EXPECT_EQ(project_settings_file(inner), root.path() / "project" / "opbench.toml");
}

}  // namespace
}  // namespace opbench
