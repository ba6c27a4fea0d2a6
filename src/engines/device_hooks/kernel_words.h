#pragma once

namespace opbench {

/// What Halide's runtime says of a failed call: goes to the engine's log, and to the kernel's
/// context. There the first words stay: they are the cause, and what follows says what could not be
/// done because of it.
void note_kernel_failure(void* user_context, const char* message);

}  // namespace opbench
