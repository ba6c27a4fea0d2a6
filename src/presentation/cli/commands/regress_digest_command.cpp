#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "base/numbers/date.h"
#include "base/numbers/number.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/regress/suite_watch.h"
#include "presentation/report/regress/digest_text.h"

namespace opbench {
namespace {

/// A date, or so many days or weeks before today, in UTC.
Result<std::string> digest_begin(const std::string& text) {
  constexpr std::string_view kForm = "2026-11-21";
  if (text.size() == kForm.size() && day_of_date(text)) return text;
  constexpr int64_t kMostDays = 36500, kDay = 86400;
  const bool is_weeks = text.ends_with('w');
  const bool has_unit = is_weeks || text.ends_with('d');
  const auto number = parse_integer(text.substr(0, text.size() - (has_unit ? 1 : 0)));
  if (!has_unit || !number || *number < 0 || *number > kMostDays) {
    return invalid_input(fmt::format("--since takes days, weeks or a date, not \"{}\"", text))
        .with("for instance", "7d, 2w, 2026-11-21");
  }
  const int64_t days = *number * (is_weeks ? 7 : 1);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr) - days * kDay));
}

Result<void> write_digest(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string since, digest_begin(arguments.value("--since")));
  const std::string output = arguments.value("--output");
  if (!output.empty()) OPBENCH_CHECK(check_writable(output, "--output"));
  OPBENCH_TRY(const SuiteWatch watch, suite_watch_of(invocation));
  OPBENCH_TRY(const SuiteFindings findings, findings_of(watch));
  const DigestScope scope{.suite = watch.suite.name, .branch = watch.base_branch, .since = since};
  return write_text(digest_markdown(findings.report, findings.watched.history, scope), arguments,
                    terminal);
}

}  // namespace

CommandDef regress_digest_command() {
  CommandDef command{
      .name = "regress digest",
      .summary = "Write what the last nights found as a text to edit and mail",
      .options = suite_watch_options(),
      .examples = {{"opbench regress digest --suite nightly.toml --since 7d -o week.md",
                    "the week in Markdown"}},
      .run = write_digest};
  command.options.push_back({.name = "--since",
                             .value_name = "SINCE",
                             .help = "days, weeks or a date: 7d, 2w, 2026-11-21",
                             .otherwise = "7d"});
  for (OptionDef& option : table_options()) {
    if (option.name == "--output") command.options.push_back(std::move(option));
  }
  return command;
}

}  // namespace opbench
