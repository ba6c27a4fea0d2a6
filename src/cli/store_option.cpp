#include "opbench/cli/store_option.h"

#include "opbench/store/store_folder.h"

namespace opbench {

OptionDef store_option() {
  return {.name = "--store",
          .value_name = "DIR",
          .help = "the store; else $OPBENCH_STORE, else ~/.local/share/opbench/store"};
}

OptionDef store_threads_option() {
  return {.name = "--threads",
          .value_name = "N",
          .help = "at most so many; 0: as many as there are CPUs",
          .otherwise = "0"};
}

std::filesystem::path store_folder_of(const Arguments& arguments) {
  const std::string given = arguments.value("--store");
  return given.empty() ? default_store_folder() : std::filesystem::path(given);
}

}  // namespace opbench
