#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "base/files/text_file.h"
#include "base/json/json.h"
#include "base/json/json_members.h"
#include "measuring/results/profile_json.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/html/report_page.h"

namespace opbench {
namespace {

constexpr double kOwnMarginPercent = 2;
constexpr const char* kHowToMake = "opbench profile MODEL --format json -o FILE";

/// Which command reads or makes what is no profile.
Error other_schema(const std::string& schema, const std::string& path) {
  Error error = invalid_input(
      schema.empty() ? fmt::format("\"{}\" is no report of OpBench: it has no schema", path)
                     : fmt::format("\"{}\" is of schema \"{}\"", path, schema));
  error = std::move(error).with("valid", kProfileSchema);
  const std::string kind = schema.substr(0, schema.find('/'));
  const std::string own = kProfileSchema;
  if (schema.starts_with(own.substr(0, own.find('/') + 1))) {
    return std::move(error).with("reason", "another OpBench wrote it; its own `report` reads it");
  }
  if (kind == "opbench.compare") {
    return std::move(error).with(
        "for a comparison", "profile both sides, then opbench report NEW.json BASE.json -o FILE");
  }
  if (kind == "opbench.regress") {
    return std::move(error).with("for its text", "opbench regress digest");
  }
  if (kind == "opbench.plan" || kind == "opbench.trace") {
    return std::move(error).with("for a plan", "opbench export trace");
  }
  return std::move(error).with("to make one", kHowToMake);
}

Result<ProfileResult> read_profile(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    Error error = invalid_input("there is no file \"" + path + "\"");
    if (path.find(' ') != std::string::npos) {
      return std::move(error).with("for a query",
                                   "opbench records query prints records; a report "
                                   "needs the file of a run");
    }
    return std::move(error).with("to make one", kHowToMake);
  }
  OPBENCH_TRY(const std::string text, read_text_file(path));
  OPBENCH_TRY(const Json json, parse_json(text, path));
  if (json.is_array()) {
    return invalid_input("\"" + path + "\" holds reports of several models")
        .with("to make one", kHowToMake);
  }
  if (!is_profile(json)) return other_schema(text_of_member(json, "schema"), path);
  ProfileResult result = profile_of(json);
  OPBENCH_CHECK(check_measured(result, path));
  return result;
}

Result<double> margin_of(const Arguments& arguments) {
  if (!arguments.has("--floor")) return kOwnMarginPercent;
  OPBENCH_TRY(const double floor, arguments.percent("--floor"));
  return std::max(kOwnMarginPercent, 2 * floor * 100);
}

Result<void> report_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  const std::vector<std::string>& files = arguments.positionals();
  const std::string output = arguments.value("--output");
  if (output.empty()) {
    return invalid_input("missing option --output")
        .with("--output", "the HTML file to write: opbench report " + files[0] + " -o report.html");
  }
  OPBENCH_CHECK(check_writable(output, "--output"));
  PageOptions options{.file = files[0]};
  OPBENCH_TRY(options.margin_percent, margin_of(arguments));
  OPBENCH_TRY(const ProfileResult result, read_profile(files[0]));
  std::optional<ProfileResult> base;
  if (files.size() > 1 && !files[1].empty()) {
    options.base_file = files[1];
    OPBENCH_TRY(base, read_profile(files[1]));
    OPBENCH_CHECK(check_base(result, *base, options));
  }
  const std::string page = report_page(result, base ? &*base : nullptr, options);
  OPBENCH_CHECK(write_output(output, page));
  if (!terminal.is_quiet) {
    terminal.err << fmt::format("wrote {} ({:.0f} kB); it opens in any browser, without network\n",
                                output, static_cast<double>(page.size()) / 1e3);
  }
  return {};
}

}  // namespace

CommandDef report_command() {
  return {
      .name = "report",
      .summary = "Write a profile as one HTML page, beside a base if one is given",
      .positionals = {{.name = "FILE",
                       .help = "a report of `opbench profile --format json`",
                       .file = FileUse::kRead},
                      {.name = "BASE",
                       .help = "an older one of the same model: its figures stand beside those of "
                               "FILE",
                       .is_required = false,
                       .file = FileUse::kRead}},
      .options = {{.name = "--output",
                   .value_name = "FILE",
                   .help = "the HTML file to write; needed",
                   .short_name = "-o",
                   .is_settable = false,
                   .file = FileUse::kWritten},
                  {.name = "--floor",
                   .value_name = "PERCENT",
                   .help = "the A/A floor of this machine, as `opbench compare` prints it: the "
                           "margin of\nverdicts is the larger of 2 % and twice the floor"}},
      .examples =
          {{"opbench profile resnet-18 --format json -o r18.json && opbench report r18.json "
            "-o r18.html",
            "measure, then make a page"},
           {"opbench report new.json base.json -o change.html",
            "what has changed, and whether it is faster"}},
      .notes =
          "The page needs no network, no server and no script. It shows findings, a summary,\n"
          "all units, the roofline, one call in time, the graph, samples, the environment\n"
          "and the commands that repeat each row.",
      .help_rank = 12,
      .run = report_run};
}

}  // namespace opbench
