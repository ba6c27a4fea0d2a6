#include "presentation/cli/options/download_flags.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/numbers/number.h"
#include "base/text/ascii.h"
#include "presentation/cli/output/progress_line.h"

namespace opbench {
namespace {

struct SizeUnit {
  const char* name;
  int64_t bytes;
};
constexpr std::array kUnits = {SizeUnit{"k", int64_t{1} << 10}, SizeUnit{"m", int64_t{1} << 20},
                               SizeUnit{"g", int64_t{1} << 30}};

/// `500M`, `8G`, `1000000`: bytes.
Result<int64_t> size_of_option(const Arguments& arguments, const std::string& name) {
  constexpr int64_t kMost = int64_t{1} << 50;
  const std::string given = arguments.value(name);
  std::string text = given;
  int64_t unit = 1;
  for (const SizeUnit& known : kUnits) {
    const bool has_unit = text.size() > 1 && (text.back() | 0x20) == known.name[0];
    if (!has_unit) continue;
    unit = known.bytes;
    text.pop_back();
    break;
  }
  const auto number = parse_number(text);
  const double bytes = number ? std::floor(*number * static_cast<double>(unit)) : 0;
  if (bytes >= 1 && bytes <= static_cast<double>(kMost)) return static_cast<int64_t>(bytes);
  return Error{ErrorCode::kInvalidInput,
               name + " takes a size such as 500M or 8G, not \"" + given + "\""};
}

Result<std::string> checksum_of(const Arguments& arguments) {
  constexpr size_t kDigits = 64;
  const std::string given = arguments.value("--sha256");
  const std::string text = lower_case(given);
  const bool is_hex = text.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (is_hex && (text.empty() || text.size() == kDigits)) return text;
  return Error{ErrorCode::kInvalidInput,
               "--sha256 takes 64 hexadecimal digits, not \"" + given + "\""}
      .with("help", "sha256sum FILE prints them");
}

}  // namespace

std::vector<OptionDef> download_flags() {
  return {
      {.name = "--sha256",
       .value_name = "HEX",
       .help = "what the model's file, or the archive behind its URL, must have",
       .is_settable = false},
      {.name = "--max-download",
       .value_name = "SIZE",
       .help = "the largest file that a URL may bring, and all that is unpacked of it: 500M, 8G",
       .otherwise = "8G"},
      {.name = "--download-timeout",
       .value_name = "TIME",
       .help = "how long a server may send nothing",
       .otherwise = "30s"},
  };
}

Result<DownloadOptions> download_options_of(const Arguments& arguments) {
  DownloadOptions options;
  // Commands that take operators alone do not have these flags.
  if (arguments.value("--max-download").empty()) return options;
  OPBENCH_TRY(options.sha256, checksum_of(arguments));
  OPBENCH_TRY(options.most_bytes, size_of_option(arguments, "--max-download"));
  OPBENCH_TRY(const double stall_s, arguments.seconds("--download-timeout"));
  options.stall = Seconds(std::max(1.0, stall_s));
  return options;
}

Result<void> set_download(const Arguments& arguments, ProfileRequest& request) {
  OPBENCH_TRY(const DownloadOptions options, download_options_of(arguments));
  request.model.download.sha256 = options.sha256;
  request.model.download.most_bytes = options.most_bytes;
  request.model.download.stall_s = options.stall.count();
  return {};
}

void show_download(ProfileRequest& request, Terminal& terminal) {
  request.hooks.progress = [line = std::make_shared<ProgressLine>(terminal)](
                               const Progress& progress) { line->show(progress); };
}

}  // namespace opbench
