#include "experiments/sessions/request/variant.h"

namespace opbench {

std::vector<Variant> variants_of(const std::vector<std::string>& engines,
                                 const std::vector<int>& threads, const RunSettings& settings) {
  std::vector<Variant> variants;
  for (const int count : threads) {
    for (const std::string& engine : engines) variants.push_back({engine, count, settings});
  }
  return variants;
}

}  // namespace opbench
