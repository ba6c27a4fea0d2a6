#include "presentation/cli/arguments.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

using Words = std::vector<std::string>;

const std::vector<OptionDef>& options() {
  static const std::vector<OptionDef> defs = {
      {.name = "--threads", .value_name = "N,N…", .otherwise = "1", .kind = OptionKind::kList},
      {.name = "--cpus", .value_name = "N", .kind = OptionKind::kList},
      {.name = "--places", .kind = OptionKind::kList, .repeats_items = true},
      {.name = "--budget", .value_name = "S", .otherwise = "10", .old_name = "--duration"},
      {.name = "--output", .value_name = "FILE", .short_name = "-o", .file = FileUse::kWritten},
      {.name = "--label", .value_name = "KEY=VALUE", .kind = OptionKind::kRepeated},
      {.name = "--quiet", .kind = OptionKind::kSwitch},
      {.name = "--tuner", .value_name = "NAME", .missing = "no tuning"},
  };
  return defs;
}

Result<Arguments> parse(const Words& words) {
  return Arguments::parse(words, {{.name = "MODEL", .help = "a file", .file = FileUse::kRead}},
                          options());
}

std::string arguments_error_of(const Words& words) {
  const auto arguments = parse(words);
  return arguments ? "none" : to_text(arguments.error());
}

TEST(Arguments, TakesValuesInBothForms) {
  const Arguments a = parse({"m", "--budget=3", "-o", "x", "--threads", "1,2"}).value();
  EXPECT_EQ(a.positionals(), Words{"m"});
  EXPECT_EQ(a.positive("--budget").value(), 3);
  EXPECT_EQ(a.value("--output"), "x");
  EXPECT_EQ(a.integers("--threads", 1).value(), (std::vector{1, 2}));
}

TEST(Arguments, FallsBackToDefaults) {
  const Arguments a = parse({"m"}).value();
  EXPECT_EQ(a.positive("--budget").value(), 10);
  EXPECT_EQ(a.values("--threads"), Words{"1"});
  EXPECT_FALSE(a.has("--budget"));
  EXPECT_FALSE(a.is_on("--quiet").value());
}

TEST(Arguments, JoinsListsAndExpandsRanges) {
  const Arguments a = parse({"m", "--cpus", "0-2,5", "--cpus", "7"}).value();
  EXPECT_EQ(a.integers("--cpus", 0).value(), (std::vector{0, 1, 2, 5, 7}));
}

TEST(Arguments, ReadsSwitchesAsTrueOrFalse) {
  EXPECT_TRUE(parse({"m", "--quiet"}).value().is_on("--quiet").value());
  EXPECT_FALSE(parse({"m", "--quiet=false"}).value().is_on("--quiet").value());
  EXPECT_FALSE(parse({"--quiet", "false", "m"}).value().is_on("--quiet").value());
  EXPECT_EQ(arguments_error_of({"m", "--quiet=yes"}),
            "error: --quiet takes true or false, not \"yes\"\n");
}

TEST(Arguments, GuessesWhatAnUnknownOptionMeant) {
  EXPECT_EQ(arguments_error_of({"m", "--thread", "2"}),
            "error: unknown option \"--thread\"\n  did you mean: --threads?\n");
  EXPECT_EQ(arguments_error_of({"m", "--frobnicate"}), "error: unknown option \"--frobnicate\"\n");
}

TEST(Arguments, RefusesOptionsThatAreNotThereYet) {
  EXPECT_EQ(arguments_error_of({"m", "--tuner", "xgb"}),
            "error: --tuner is not available yet\n  reason: no tuning\n");
}

TEST(Arguments, NamesWhatIsMissingOrTooMuch) {
  EXPECT_EQ(arguments_error_of({"m", "--threads"}),
            "error: --threads needs a value\n  usage: --threads N,N…\n");
  EXPECT_EQ(arguments_error_of({"m", "--threads", "--quiet"}),
            "error: --threads needs a value\n  usage: --threads N,N…\n");
  EXPECT_EQ(arguments_error_of({}), "error: missing argument MODEL\n  MODEL: a file\n");
  EXPECT_EQ(arguments_error_of({"m", "n"}),
            "error: unexpected argument \"n\"\n  takes: one MODEL\n");
}

TEST(Arguments, QuotesNumbersThatAreNone) {
  EXPECT_EQ(parse({"m", "--threads", "two"}).value().integers("--threads", 1).error().message,
            "--threads takes whole numbers such as 1,2 or 0-3, not \"two\"");
  EXPECT_EQ(parse({"m", "--threads", "0"}).value().integers("--threads", 1).error().message,
            "--threads must be at least 1, not \"0\"");
  EXPECT_FALSE(parse({"m", "--threads", "3-1"}).value().integers("--threads", 1));
  EXPECT_EQ(parse({"m", "--budget", "fast"}).value().positive("--budget").error().message,
            "--budget takes a number, not \"fast\"");
  EXPECT_EQ(parse({"m", "--budget", "-1"}).value().positive("--budget").error().message,
            "--budget must be above 0, not \"-1\"");
  EXPECT_FALSE(parse({"m", "--budget", "inf"}).value().positive("--budget"));
}

TEST(Arguments, ReadsPairs) {
  const Arguments a = parse({"m", "--label", "a=1", "--label", "b=x=y,z"}).value();
  EXPECT_EQ(a.pairs("--label").value(),
            (std::map<std::string, std::string>{{"a", "1"}, {"b", "x=y,z"}}));
  EXPECT_EQ(parse({"m", "--label", "a"}).value().pairs("--label").error().message,
            "--label takes KEY=VALUE, not \"a\"");
  EXPECT_EQ(
      parse({"m", "--label", "a=1", "--label", "a=2"}).value().pairs("--label").error().message,
      "--label names \"a\" twice");
}

TEST(Arguments, LetsTheCommandLineWinOverSettings) {
  Arguments a = parse({"m", "--budget", "3"}).value();
  EXPECT_TRUE(a.set_if_absent("--budget", {"5"}, "opbench.toml:2"));
  EXPECT_TRUE(a.set_if_absent("--threads", {"1", "4"}, "opbench.toml:3"));
  EXPECT_TRUE(a.set_if_absent("--of-another-command", {"5"}, "opbench.toml:4"));
  EXPECT_TRUE(a.is_typed("--budget"));
  EXPECT_FALSE(a.is_typed("--threads"));
  EXPECT_EQ(a.value("--budget"), "3");
  EXPECT_EQ(a.values("--threads"), (Words{"1", "4"}));
  EXPECT_FALSE(a.has("--of-another-command"));
}

TEST(Arguments, NamesThePlaceOfAWrongSetting) {
  Arguments a = parse({"m", "--budget", "soon"}).value();
  ASSERT_TRUE(a.set_if_absent("--threads", {"many"}, "opbench.toml:3"));
  EXPECT_EQ(to_text(a.with_place(a.integers("--threads", 1).error())),
            "error: --threads takes whole numbers such as 1,2 or 0-3, not \"many\"\n"
            "  in: opbench.toml:3\n");
  EXPECT_EQ(to_text(a.with_place({ErrorCode::kInvalidInput, "unknown engine \"many\""})),
            "error: unknown engine \"many\"\n  in: opbench.toml:3\n");
  const Error typed = a.seconds("--budget").error();
  EXPECT_EQ(a.with_place(typed), typed);
}

TEST(Arguments, RefusesListsWithNothingInThem) {
  EXPECT_EQ(arguments_error_of({"m", "--threads", ""}),
            "error: --threads needs a value, not \"\"\n");
  EXPECT_EQ(arguments_error_of({"m", "-o", ""}), "error: --output needs a value, not \"\"\n");
  EXPECT_EQ(arguments_error_of({"m", "--threads", "1,,2"}),
            "error: --threads has an empty part in \"1,,2\"\n");
  EXPECT_EQ(arguments_error_of({"m", "--threads", ","}),
            "error: --threads has an empty part in \",\"\n");
  EXPECT_EQ(arguments_error_of({"m", "--label", ""}), "error: --label needs a value, not \"\"\n");
  EXPECT_EQ(arguments_error_of({""}), "error: MODEL is empty: \"\"\n");
  Arguments a = parse({"m"}).value();
  EXPECT_EQ(to_text(a.set_if_absent("--threads", {}, "f:1").error()),
            "error: --threads needs a value, not an empty list\n  in: f:1\n");
  EXPECT_EQ(to_text(a.set_if_absent("--cpus", {"1", ""}, "f:2").error()),
            "error: --cpus needs a value, not \"\"\n  in: f:2\n");
}

TEST(Arguments, RefusesListsThatNameOneThingTwice) {
  EXPECT_EQ(arguments_error_of({"m", "--threads", "1,1"}), "error: --threads names \"1\" twice\n");
  EXPECT_EQ(arguments_error_of({"m", "--threads", "1", "--threads", "2,1"}),
            "error: --threads names \"1\" twice\n");
  EXPECT_EQ(parse({"m", "--cpus", "0-2,1"}).value().integers("--cpus", 0).error().message,
            "--cpus names \"1\" twice");
  EXPECT_EQ(parse({"m", "--places", "8,8"}).value().integers("--places", 0).value(),
            (std::vector{8, 8}));
}

TEST(Arguments, ReadsTimesInSecondsMinutesAndHours) {
  for (const auto& [text, seconds] : std::map<std::string, double>{
           {"5", 5}, {"5s", 5}, {"1.5m", 90}, {"1h", 3600}, {"0.25", 0.25}}) {
    EXPECT_EQ(parse({"m", "--budget", text}).value().seconds("--budget").value(), seconds);
  }
  for (const std::string text : {"s", "5d", "5 s", "0", "-1s", "nan", "inf", "1e300", "1e9h"}) {
    const auto seconds = parse({"m", "--budget", text}).value().seconds("--budget");
    ASSERT_FALSE(seconds) << text;
    EXPECT_NE(seconds.error().message.find("\"" + text + "\""), std::string::npos);
  }
}

TEST(Arguments, UnderstandOldNames) {
  const Arguments a = parse({"m", "--duration", "3"}).value();
  EXPECT_EQ(a.value("--budget"), "3");
}

TEST(Arguments, ListTheFilesThatAreNamed) {
  const std::vector<FileArgument> files = parse({"m", "-o", "x"}).value().files();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].argument, "--output");
  EXPECT_EQ(files[0].use, FileUse::kWritten);
  EXPECT_EQ(files[1].path, "m");
}

TEST(Arguments, TakesEverythingAfterTwoDashesAsPositional) {
  EXPECT_EQ(parse({"--", "--threads"}).value().positionals(), Words{"--threads"});
}

TEST(Arguments, ChoosesAmongWords) {
  const Arguments a = parse({"m", "--output", "jsno"}).value();
  EXPECT_EQ(to_text(a.choice("--output", {"table", "json"}).error()),
            "error: --output does not take \"jsno\"\n  known: table, json\n"
            "  did you mean: json?\n");
}

}  // namespace
}  // namespace opbench
