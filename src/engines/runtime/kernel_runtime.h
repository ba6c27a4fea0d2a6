#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engines/runtime/teams/loop_team.h"

namespace opbench {

/// What a kernel's user context points to: the resources that this call may use.
struct KernelContext {
  LoopTeam* team = nullptr;  ///< who shares its parallel loops
  bool guard = false;        ///< surround scratch memory with guards and check them
  bool overrun = false;      ///< set when a guard was found overwritten
  std::string failure = {};  ///< what the last failed step said; kernels on the host say nothing
};

/// One dimension of a tensor as kernels see it; the layout of halide_dimension_t.
struct KernelDimension {
  int32_t minimum = 0;
  int32_t extent = 0;
  int32_t stride = 0;
  uint32_t flags = 0;
};

/// A tensor as kernels see it; the layout of halide_buffer_t.
struct KernelBuffer {
  uint64_t device = 0;
  const void* device_interface = nullptr;
  uint8_t* host = nullptr;
  uint64_t flags = 0;
  uint8_t type_code = 2;  ///< 0 signed, 1 unsigned, 2 float
  uint8_t type_bits = 32;
  uint16_t type_lanes = 1;
  int32_t dimensions = 0;
  KernelDimension* dim = nullptr;
  void* padding = nullptr;
};

/// Bits of KernelBuffer::flags.
constexpr uint64_t kDeviceIsNewer = 2;  ///< halide_buffer_flag_device_dirty

constexpr size_t kGuardBytes = 4096;

/// Memory on a 64-byte boundary, in huge pages where it is large; free with `free_pages`.
void* allocate_pages(size_t bytes);
void free_pages(void* memory, size_t bytes);

/// Tests only: takes scratch memory, 64 GiB that are never touched, as a kernel would.
void exhaust_memory();

/// Writes the guard pattern to `kGuardBytes` bytes; says whether it is still there.
void write_guard(std::byte* memory);
bool guard_holds(const std::byte* memory);

}  // namespace opbench
