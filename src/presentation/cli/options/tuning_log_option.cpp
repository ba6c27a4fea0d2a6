#include "presentation/cli/options/tuning_log_option.h"

#include <nlohmann/json.hpp>

#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "machine/target/parse_target.h"
#include "machine/target/target.h"
#include "tuning/trials/best_kernels.h"

namespace opbench {
namespace {

/// `r18.log sha256:0123456789ab`: the log, and what it offered to this target.
std::string tuning_text(const std::string& log, const std::vector<KernelChoice>& kernels) {
  constexpr size_t kDigits = 12;
  std::string all;
  for (const KernelChoice& kernel : kernels) all += json_text(to_json(kernel)) + "\n";
  return log + " sha256:" + sha256(all).substr(0, kDigits);
}

}  // namespace

std::vector<OptionDef> tuning_log_options() {
  return {
      {.name = "--tuning-log",
       .value_name = "FILE",
       .help = "take our kernels from its fastest trials, where they are not slower here than the\n"
               "default config; see `opbench tune`",
       .file = FileUse::kRead},
      {.name = "--tuning-match",
       .value_name = "MATCH",
       .help =
           "which units a log's kernels are for: exact, its workloads, or nearest: units that it\n"
           "lacks take the kernel of the workload that differs least, in extents only",
       .otherwise = "exact"}};
}

Result<void> set_tuning_log(const Arguments& arguments, ProfileRequest& request) {
  OPBENCH_TRY(const std::string match, arguments.choice("--tuning-match", {"exact", "nearest"}));
  if (arguments.has("--tuning-log")) {
    OPBENCH_TRY(const Target target, parse_target(request.settings.target));
    const std::string log = arguments.value("--tuning-log");
    OPBENCH_TRY(request.settings.candidates, best_kernels(log, target, request.threads.front()));
    for (KernelChoice& choice : request.settings.candidates)
      choice.is_for_similar = match == "nearest";
    request.settings.tuning = tuning_text(log, request.settings.candidates);
  }
  return {};
}

}  // namespace opbench
