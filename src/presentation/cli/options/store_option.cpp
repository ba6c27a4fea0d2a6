#include "presentation/cli/options/store_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "records/store/store_folder.h"

namespace opbench {

OptionDef store_option() {
  return {
      .name = "--store",
      .value_name = "DIR",
      .help = "the store, none: no store; else $OPBENCH_STORE, else ~/.local/share/opbench/store"};
}

OptionDef store_threads_option() {
  return {.name = "--threads",
          .value_name = "N",
          .help = "at most so many; 0: as many as there are CPUs",
          .otherwise = "0"};
}

Result<int> store_threads_of(const Arguments& arguments) {
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 0, kMostThreads));
  const auto cpus = static_cast<int64_t>(std::thread::hardware_concurrency());
  return static_cast<int>(cpus == 0 ? threads : std::min(threads, cpus));
}

Result<std::filesystem::path> store_folder_of(const Arguments& arguments) {
  const std::string given = arguments.value("--store");
  const auto folder = given.empty() ? default_store_folder() : named_store_folder(given);
  if (folder) return *folder;
  const char* name = given.empty() ? "$OPBENCH_STORE" : "--store";
  return Error{ErrorCode::kInvalidInput, fmt::format("{} is \"none\": there is no store", name)}
      .with("give", "--store DIR");
}

}  // namespace opbench
