#include "tuning/trials/zero_shot_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/line_reader.h"
#include "base/json/json.h"
#include "base/json/json_text.h"
#include "machine/target/tvm_target.h"

namespace opbench {
namespace {

constexpr std::string_view kZeroShotSchema = "opbench.zero-shot/1";

bool is_header(std::string_view line) {
  return line.find(kZeroShotSchema) != std::string_view::npos && line.find("\"schema\"") < 4;
}

/// `kInvalidInput` unless the header names this target.
Result<void> check_header(const Json& header, const std::string& file, const Target& target) {
  const Json& named = header.value("target", Json());
  const std::string text = named.is_string() ? named.get<std::string>() : "";
  OPBENCH_TRY(const TvmTarget here, parse_tvm_target(display_text(target)));
  const auto theirs = parse_tvm_target(text);
  if (theirs && theirs->identity == here.identity) return {};
  return Error{ErrorCode::kInvalidInput,
               fmt::format("the kernels of \"{}\" were chosen for another target", file)}
      .with("its target", text)
      .with("this one", display_text(target));
}

}  // namespace

std::string zero_shot_text(const std::vector<KernelChoice>& kernels, const Target& target) {
  std::string text =
      json_text(Json{{"schema", kZeroShotSchema}, {"target", display_text(target)}}) + "\n";
  for (const KernelChoice& kernel : kernels) text += json_text(to_json(kernel)) + "\n";
  return text;
}

Result<std::optional<std::vector<KernelChoice>>> read_zero_shot(const std::string& file,
                                                                const Target& target) {
  OPBENCH_TRY(LineReader reader, LineReader::open(file));
  OPBENCH_TRY(std::optional<Line> line, reader.next());
  if (!line || !is_header(line->text)) return std::optional<std::vector<KernelChoice>>();
  OPBENCH_TRY(const Json header, parse_json(line->text, file));
  OPBENCH_CHECK(check_header(header, file, target));
  std::vector<KernelChoice> kernels;
  for (;;) {
    OPBENCH_TRY(line, reader.next());
    if (!line) return std::optional(std::move(kernels));
    const std::string place = fmt::format("{}:{}", file, line->number);
    OPBENCH_TRY(const Json json, parse_json(line->text, place));
    auto kernel = kernel_choice_from_json(json);
    if (!kernel) return std::move(kernel.error()).with("in", place);
    kernel->origin = place;
    kernels.push_back(std::move(*kernel));
  }
}

}  // namespace opbench
