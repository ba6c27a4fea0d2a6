#pragma once

#include "opbench/schedule/kernel_builder.h"

namespace opbench {

/// The bias of a blocked convolution at lane `ci` of channel block `co`; zero when it has none.
Halide::Expr bias_value(const KernelSpec& spec, KernelBuilder& builder, const Halide::Expr& ci,
                        const Halide::Expr& co);

}  // namespace opbench
