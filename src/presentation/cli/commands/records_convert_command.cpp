#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ostream>

#include "base/errors/suggestion.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/streamed_output.h"
#include "presentation/cli/records/records_files.h"

namespace opbench {
namespace {

/// `autotvm`, also as `autotvm-0.2`.
Result<const CodecDef*> codec_to_write(const std::string& wanted) {
  std::vector<std::string> names;
  for (const CodecDef& codec : codec_table().all()) {
    if (codec.encode == nullptr) continue;
    if (wanted == codec.name || (codec.name == "autotvm" && wanted == "autotvm-0.2")) return &codec;
    names.push_back(codec.name);
  }
  if (const auto known = codec_table().find(wanted)) {
    return Error{ErrorCode::kInvalidInput, "format \"" + wanted + "\" is only read, not written"}
        .with("known", join(names));
  }
  return unknown_name("format", wanted, names);
}

using Encoder = Result<std::string> (*)(const AnyRecord& record);

/// What writes the records. `kInvalidInput` for --seed-compat with a format that has no such form.
Result<Encoder> encoder_of(const CodecDef& codec, bool is_for_seed) {
  if (!is_for_seed) return codec.encode;
  if (codec.encode_for_seed != nullptr) return codec.encode_for_seed;
  std::vector<std::string> names;
  for (const CodecDef& other : codec_table().all()) {
    if (other.encode_for_seed != nullptr) names.push_back(other.name);
  }
  return Error{ErrorCode::kInvalidInput, "--seed-compat does not apply to \"" + codec.name + "\""}
      .with("valid", "--format " + join(names));
}

/// Records on their way from one format to another.
struct Conversion {
  const CodecDef& codec;
  Encoder encode;
  StreamedOutput output;
  int64_t written = 0;
  int64_t refused = 0;
  std::string first_refusal;
  std::optional<Error> failure;  ///< of the output

  void take(const AnyRecord& record, const ReadItem& item, const std::string& file) {
    if (failure) return;
    const Result<std::string> bytes = encode(record);
    if (!bytes) {
      ++refused;
      if (first_refusal.empty()) {
        first_refusal = fmt::format("{}:{}: {}", file, item.line, bytes.error().message);
      }
      return;
    }
    if (const auto done = output.write(*bytes); !done) failure = done.error();
    ++written;
  }
};

Result<void> check_conversion(const Conversion& conversion, const std::string& first_file) {
  if (conversion.failure) return Error(*conversion.failure);
  if (conversion.written > 0) return {};
  if (conversion.refused == 0)
    return Error{ErrorCode::kNoMatch, "no records to convert in \"" + first_file + "\""};
  return Error{ErrorCode::kInvalidInput,
               "none of the records has a form in \"" + conversion.codec.name + "\""}
      .with("first", conversion.first_refusal);
}

Result<void> run_records_convert(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  if (!arguments.has("--format")) {
    return Error{ErrorCode::kInvalidInput, "--format is missing"}.with(
        "usage", "opbench records convert FILE --format FORMAT -o OUT");
  }
  OPBENCH_TRY(const CodecDef* codec, codec_to_write(arguments.value("--format")));
  OPBENCH_TRY(const bool is_for_seed, arguments.is_on("--seed-compat"));
  OPBENCH_TRY(const Encoder encode, encoder_of(*codec, is_for_seed));
  OPBENCH_TRY(const ScanOptions options, scan_options(arguments));
  OPBENCH_TRY(StreamedOutput output,
              StreamedOutput::open(arguments.value("--output"), terminal.out));
  Conversion conversion{*codec, encode, std::move(output)};
  OPBENCH_CHECK(conversion.output.write(codec->file_begin));
  std::vector<ScanReport> reports;
  for (const std::string& path : arguments.positionals()) {
    reports.push_back(
        scan_records(path, options, [&](const AnyRecord& record, const ReadItem& item) {
          conversion.take(record, item, path);
        }));
    print_messages(reports.back(), terminal);
    if (options.is_strict) OPBENCH_CHECK(outcome_of(reports, true));
  }
  Result<void> outcome = outcome_of(reports, options.is_strict);
  if (!outcome && outcome.error().code == ErrorCode::kInvalidInput) return outcome;
  OPBENCH_CHECK(check_conversion(conversion, arguments.positionals().front()));
  OPBENCH_CHECK(conversion.output.finish());
  if (conversion.refused > 0) {
    return Error{ErrorCode::kPartial,
                 fmt::format("{} of {} records have no form in \"{}\"", conversion.refused,
                             conversion.refused + conversion.written, codec->name)}
        .with("first", conversion.first_refusal);
  }
  return outcome;
}

}  // namespace

CommandDef records_convert_command() {
  return {.name = "records convert",
          .summary = "Write records in another format",
          .positionals = {record_files()},
          .options = {{.name = "--format",
                       .value_name = "FORMAT",
                       .help = "autotvm, …: an unknown one is refused with those that are known",
                       .is_settable = false,
                       .old_name = "--to"},
                      {.name = "--output",
                       .value_name = "FILE",
                       .help = "write there, not to stdout",
                       .short_name = "-o",
                       .is_settable = false,
                       .file = FileUse::kWritten},
                      {.name = "--seed-compat",
                       .help = "of protobuf: also what only readers of seed 002 know, rounded",
                       .kind = OptionKind::kSwitch,
                       .is_settable = false},
                      strict_option()},
          .examples = {{"opbench records convert old.log --format autotvm -o new.log",
                        "AutoTVM 0.1 as 0.2"}},
          .notes = "The file is there when all of it is written, or not at all.",
          .help_rank = 7,
          .run = run_records_convert};
}

}  // namespace opbench
