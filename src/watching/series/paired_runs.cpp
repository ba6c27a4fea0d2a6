#include "watching/series/paired_runs.h"

#include <algorithm>
#include <utility>

namespace opbench {

PairSource kept_pairs(std::vector<PairedRun>& kept, PairSource source, std::string why) {
  return [&kept, source = std::move(source),
          why = std::move(why)](const PairedQuestion& question) -> Result<PairedAnswer> {
    const auto known = std::ranges::find(kept, question, &PairedRun::question);
    if (known != kept.end()) return known->answer;
    if (!source) return PairedAnswer{.failure = why};
    OPBENCH_TRY(PairedAnswer answer, source(question));
    kept.push_back({question, answer});
    return answer;
  };
}

}  // namespace opbench
