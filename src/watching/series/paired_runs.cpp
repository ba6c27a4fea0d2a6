#include "watching/series/paired_runs.h"

#include <algorithm>
#include <utility>

namespace opbench {

PairSource kept_pairs(std::vector<PairedRun>& kept, PairSource source) {
  return
      [&kept, source = std::move(source)](const PairedQuestion& question) -> Result<PairedAnswer> {
        const auto known = std::ranges::find(kept, question, &PairedRun::question);
        if (known != kept.end()) return known->answer;
        OPBENCH_TRY(PairedAnswer answer, source(question));
        kept.push_back({question, answer});
        return answer;
      };
}

}  // namespace opbench
