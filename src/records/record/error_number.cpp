#include "records/record/error_number.h"

namespace opbench {

int error_number(FailureKind kind) {
  switch (kind) {
    case FailureKind::kInvalidConfig:
      return 1;
    case FailureKind::kBuildError:
      return 2;
    case FailureKind::kRunError:
      return 4;
    case FailureKind::kWrongResult:
      return 5;
    case FailureKind::kBuildTimeout:
      return 6;
    case FailureKind::kRunTimeout:
      return 7;
    case FailureKind::kDeviceLost:
    case FailureKind::kUnsupported:
    case FailureKind::kCancelled:
      break;
  }
  return 8;
}

}  // namespace opbench
