#include "kernels/space/knob.h"

namespace opbench {

std::string_view tag_of(KnobKind kind) {
  switch (kind) {
    case KnobKind::kSplit:
      return "sp";
    case KnobKind::kReorder:
      return "re";
    case KnobKind::kAnnotate:
      return "an";
    case KnobKind::kOther:
      return "ot";
  }
  return "ot";
}

}  // namespace opbench
