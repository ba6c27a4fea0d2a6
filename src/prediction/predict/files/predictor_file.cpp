#include "prediction/predict/files/predictor_file.h"

#include <fmt/format.h>

#include <system_error>

#include "base/files/file.h"
#include "base/files/text_file.h"
#include "base/text/shell_word.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

std::filesystem::path predictor_path(const std::filesystem::path& folder, const std::string& engine,
                                     int threads) {
  return folder / fmt::format("{}-t{}.json", engine, threads);
}

std::filesystem::path predictor_folder(const std::string& machine_hash) {
  return cache_folder() / "predictors" / machine_hash;
}

namespace {

/// `opbench predict train --threads 2 --predictors DIR`, without what is the default.
std::string train_command(const PredictorPlace& place) {
  std::string command = "opbench predict train";
  if (place.threads != 1) command += fmt::format(" --threads {}", place.threads);
  if (place.folder != predictor_folder(place.machine_hash)) {
    command += " --predictors " + shell_word(place.folder.string());
  }
  return command;
}

}  // namespace

Result<UnitPredictor> load_predictor(const PredictorPlace& place) {
  const std::filesystem::path path = predictor_path(place.folder, place.engine, place.threads);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return Error{ErrorCode::kNoMatch, fmt::format("there is no predictor \"{}\"", path.string())}
        .with("remedy", train_command(place) + " --budget 30m measures this machine and makes one");
  }
  OPBENCH_TRY(const std::string text, read_text_file(path));
  auto predictor = parse_predictor(text);
  if (!predictor) {
    return std::move(predictor)
        .error()
        .with("in", path.string())
        .with("remedy", train_command(place) + " --budget 0 makes it again from its samples");
  }
  if (predictor->machine_hash != place.machine_hash) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the predictor \"{}\" is of another machine", path.string())}
        .with("predictor", predictor->machine_hash)
        .with("here", place.machine_hash);
  }
  return predictor;
}

std::string staleness_of(const UnitPredictor& predictor) {
  if (predictor.schedule_version == schedule_version()) return "";
  return fmt::format("the predictor of {} learnt from kernels of other schedules; train it again",
                     predictor.timestamp);
}

Result<void> save_predictor(const UnitPredictor& predictor, const std::filesystem::path& path) {
  OPBENCH_CHECK(make_writable_folder(path.parent_path()));
  return write_file(path, to_text(predictor));
}

}  // namespace opbench
