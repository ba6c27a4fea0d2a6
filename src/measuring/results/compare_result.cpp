#include "measuring/results/compare_result.h"

namespace opbench {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kSame:
      return "same";
    case Verdict::kInconclusive:
      break;
  }
  return "inconclusive";
}

}  // namespace opbench
