#include "presentation/cli/regress/annotation_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "experiments/sessions/run_identity.h"
#include "model/download/url.h"
#include "presentation/cli/regress/suite_watch.h"

namespace opbench {
namespace {

Result<const Alert*> alert_of_id(const SuiteFindings& findings, const std::string& id) {
  std::vector<std::string> known;
  for (const Alert& alert : findings.report.alerts) {
    if (alert.id == id) return &alert;
    known.push_back(alert.id);
  }
  if (known.empty()) return Error{ErrorCode::kNoMatch, "the suite has no alerts"};
  return unknown_name("alert", id, known);
}

Result<int> nights_of(const Arguments& arguments) {
  const std::string text = arguments.value("--by");
  if (text.empty()) return 0;
  constexpr int64_t kMost = 1000;
  const auto number = parse_integer(text.starts_with('+') ? text.substr(1) : text);
  if (number && *number != 0 && std::abs(*number) <= kMost) return static_cast<int>(*number);
  return invalid_input(fmt::format("--by takes nights, not \"{}\"", text))
      .with("for instance", "-1, 1");
}

Result<std::string> link_of(const Arguments& arguments) {
  std::string link = arguments.value("--link");
  if (link.empty() || is_url(link)) return link;
  return invalid_input(fmt::format("--link takes an address, not \"{}\"", link))
      .with("for instance", "https://example.org/issues/7");
}

}  // namespace

CommandDef annotation_command(AnnotationVerb verb, const std::string& summary,
                              Result<void> (*run)(const Invocation&, Terminal&)) {
  const std::string word(name_of(verb));
  CommandDef command{.name = "regress " + word,
                     .summary = summary,
                     .positionals = {{.name = "ALERT", .help = "its name: halide@31-32"}},
                     .options = suite_watch_options(),
                     .notes = "What is said is a record beside the suite's nights in the store.",
                     .run = run};
  if (verb == AnnotationVerb::kNudge) {
    command.options.push_back({.name = "--by",
                               .value_name = "NIGHTS",
                               .help = "-1: the change came in a night earlier",
                               .is_settable = false});
  }
  command.options.push_back(
      {.name = "--reason", .value_name = "TEXT", .help = "why", .is_settable = false});
  command.options.push_back({.name = "--link",
                             .value_name = "URL",
                             .help = "a report of it, for others",
                             .is_settable = false});
  const std::string by = verb == AnnotationVerb::kNudge ? " --by -1" : " --reason 'as planned'";
  command.examples = {
      {fmt::format("opbench regress {} halide@31-32 --suite nightly.toml{}", word, by), summary}};
  return command;
}

Result<void> keep_word_on_alert(AnnotationVerb verb, const Invocation& invocation,
                                Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  int nights = 0;
  if (verb == AnnotationVerb::kNudge) {
    OPBENCH_TRY(nights, nights_of(arguments));
  }
  OPBENCH_TRY(const std::string link, link_of(arguments));
  OPBENCH_TRY(const SuiteWatch watch, suite_watch_of(invocation));
  OPBENCH_TRY(const SuiteFindings findings, findings_of(watch));
  OPBENCH_TRY(const Alert* const alert, alert_of_id(findings, arguments.positionals().front()));
  OPBENCH_TRY(const Annotation annotation,
              annotate(verb, *alert, arguments.value("--reason"), nights, link, utc_now()));
  OPBENCH_CHECK(keep_annotation(watch.annotation_file(), annotation));
  if (!terminal.is_quiet) {
    terminal.err << fmt::format("{}: {}, kept in {}\n", alert->id, name_of(verb),
                                watch.annotation_file().string());
  }
  return {};
}

}  // namespace opbench
