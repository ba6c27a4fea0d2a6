#include "presentation/cli/seed/seed_arguments.h"

#include <algorithm>
#include <ostream>

#include "base/errors/suggestion.h"
#include "base/text/shell_word.h"
#include "model/download/url.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

constexpr auto kPartial = "a log is cut by hand: head -n 100 LOG";
constexpr auto kRemote = "OpBench measures on this machine only, so far";

OptionDef hidden(std::string name, std::string value_name) {
  return {
      .name = std::move(name), .value_name = std::move(value_name), .help = "", .is_hidden = true};
}

OptionDef missing(std::string name, std::string reason) {
  OptionDef option = hidden(std::move(name), "VALUE");
  option.missing = std::move(reason);
  return option;
}

Error seed_arguments_not_available(const std::string& what, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput, what + " is not available yet"}.with("reason", reason);
}

/// `true` or `false`, in the spelling of Python too; absent: false.
Result<bool> switch_of(const Arguments& arguments, const std::string& name) {
  const std::string text = arguments.value(name);
  if (text == "True" || text == "true") return true;
  if (text.empty() || text == "False" || text == "false") return false;
  return Error{ErrorCode::kInvalidInput, name + " takes true or false, not \"" + text + "\""};
}

Result<void> check_source(const std::string& source, const std::string& model) {
  const std::vector<std::string> known = {"local", "transformers", "remoteonnx", "simple"};
  if (std::ranges::find(known, source) == known.end()) {
    return unknown_name("model source", source, known);
  }
  if (source == "remoteonnx") {
    if (is_url(model)) return {};
    return Error{ErrorCode::kInvalidInput,
                 "model source \"remoteonnx\" takes a URL, not \"" + model + "\""}
        .with("usage", "--modelsource=remoteonnx --modelname=https://HOST/model.onnx");
  }
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo_entries()) {
    if (entry.source == source) names.push_back(entry.name);
    if (entry.source == source && entry.name == model) return {};
  }
  return unknown_name("model of source \"" + source + "\":", model, names);
}

std::string todays_form(const Arguments& arguments, const std::string& model) {
  std::string text = "opbench profile " + shell_word(model);
  if (arguments.has("--target")) {
    const std::string target = arguments.value("--target");
    text += " --target " + (target.find(' ') == std::string::npos ? target : "'" + target + "'");
  }
  if (arguments.has("--batchsize")) text += " --batch-size " + arguments.value("--batchsize");
  return text;
}

}  // namespace

bool is_seed_command_line(const std::vector<std::string>& words) {
  const auto is_seed_word = [](const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    return name == "--modelsource" || name == "--modelname";
  };
  return !words.empty() && words[0].starts_with("--") && std::ranges::any_of(words, is_seed_word);
}

std::vector<OptionDef> seed_options() {
  return {
      hidden("--modelsource", "SOURCE"),
      hidden("--modelname", "NAME"),
      hidden("--batchsize", "N"),
      hidden("--inputname", "NAME"),
      hidden("--iftune", "true|false"),
      hidden("--ifcompare", "true|false"),
      hidden("--ifpartial", "true|false"),
      hidden("--tuner", "TUNER"),
      hidden("--trials", "N"),
      missing("--host", kRemote),
      missing("--port", kRemote),
  };
}

Result<SeedTuning> seed_tuning(const Arguments& arguments) {
  SeedTuning tuning;
  OPBENCH_TRY(tuning.tunes, switch_of(arguments, "--iftune"));
  OPBENCH_TRY(tuning.compares, switch_of(arguments, "--ifcompare"));
  if (arguments.has("--tuner")) tuning.tuner = arguments.value("--tuner");
  if (arguments.has("--trials")) tuning.trials = arguments.value("--trials");
  return tuning;
}

Result<std::string> seed_model(const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const SeedTuning tuning, seed_tuning(arguments));
  OPBENCH_TRY(const bool is_partial, switch_of(arguments, "--ifpartial"));
  if (is_partial) return seed_arguments_not_available("--ifpartial true", kPartial);
  if (!arguments.has("--modelsource") && !arguments.has("--modelname")) return std::string();
  for (const std::string name : {"--modelsource", "--modelname"}) {
    if (!arguments.has(name)) {
      return Error{ErrorCode::kInvalidInput, name + " is missing"}.with(
          "usage", "opbench --modelsource=local --modelname=resnet-18");
    }
  }
  if (!arguments.positionals().empty()) {
    return Error{
        ErrorCode::kInvalidInput,
        "the model is named twice: \"" + arguments.positionals().front() + "\" and --modelname"};
  }
  const std::string model = arguments.value("--modelname");
  OPBENCH_CHECK(check_source(arguments.value("--modelsource"), model));
  if (!terminal.is_quiet && !tuning.tunes && !tuning.compares) {
    terminal.err << "hint: today's form is: " << todays_form(arguments, model) << "\n";
  }
  return model;
}

}  // namespace opbench
