#include "engines/runtime/kernel_call.h"

#if defined(__x86_64__)

// The first argument is what is called, with the others. `call` pushes the return address below the
// boundary.
asm(R"(
.text
.p2align 4
.type opbench_call_on_aligned_stack, @function
opbench_call_on_aligned_stack:
  .cfi_startproc
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  and $-64, %rsp
  mov %rdi, %rax
  mov %rsi, %rdi
  mov %rdx, %rsi
  mov %rcx, %rdx
  call *%rax
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size opbench_call_on_aligned_stack, .-opbench_call_on_aligned_stack
)");

extern "C" int opbench_call_on_aligned_stack(void* code, void* first, intptr_t second, void* third);

namespace opbench {

int call_kernel(Kernel kernel, void** arguments) {
  return opbench_call_on_aligned_stack(reinterpret_cast<void*>(kernel), arguments, 0, nullptr);
}

int call_task(KernelTask task, void* context, int index, uint8_t* closure) {
  return opbench_call_on_aligned_stack(reinterpret_cast<void*>(task), context, index, closure);
}

}  // namespace opbench

#else

// Kernels for other machines leave the stack as it is.

namespace opbench {

int call_kernel(Kernel kernel, void** arguments) { return kernel(arguments); }

int call_task(KernelTask task, void* context, int index, uint8_t* closure) {
  return task(context, index, closure);
}

}  // namespace opbench

#endif
