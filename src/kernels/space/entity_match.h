#pragma once

#include <cstddef>
#include <string>

#include "base/errors/error.h"
#include "kernels/space/knob.h"
#include "kernels/space/knob_config.h"

namespace opbench {

/// An argument as Python's `str` writes it, numbers and truth values at the top, lists with
/// brackets: `True`, `[-1, 4]`.
std::string python_text(const Argument& value);

/// Which of the knob's entities a value is; True is 1 there, as in Python. `kInvalidInput` for one
/// of another kind and for one that is none of them, with the nearest.
Result<size_t> entity_of(const Knob& knob, const KnobValue& value);

}  // namespace opbench
