#include "engines/onednn/own_choice.h"

#include <algorithm>
#include <utility>

namespace opbench {
namespace {

bool is_same(const Candidate& a, const Candidate& b) {
  return a.kernel == b.kernel && a.output == b.output &&
         std::ranges::equal(a.arguments, b.arguments, {}, &PrimitiveArgument::wanted,
                            &PrimitiveArgument::wanted);
}

}  // namespace

std::vector<Candidate> own_choice_first(std::vector<Candidate> candidates) {
  std::vector<Candidate> kept;
  for (Candidate& candidate : candidates) {
    candidate.is_default = kept.empty();
    const bool is_plain_loop = candidate.kernel.starts_with("ref");
    const bool is_known = std::ranges::any_of(
        kept, [&](const Candidate& other) { return is_same(other, candidate); });
    if (candidate.is_default || !(is_plain_loop || is_known)) kept.push_back(std::move(candidate));
  }
  return kept;
}

}  // namespace opbench
