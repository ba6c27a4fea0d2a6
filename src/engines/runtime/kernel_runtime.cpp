#include "engines/runtime/kernel_runtime.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace opbench {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr std::byte kPattern{0xA5};

// Scratch memory of a kernel: a header of one cache line, then what the kernel sees.
struct alignas(64) ScratchHeader {
  size_t bytes = 0;
  bool guarded = false;
};

// Freed scratch of a thread, kept for its next call, so that a kernel pays for its memory once and
// finds it in the cache of the core that wrote it. What a task takes it frees itself.
class ScratchPool {
 public:
  ScratchPool() = default;
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;
  ~ScratchPool() {
    for (ScratchHeader* header : free_) {
      if (header != nullptr) discard(header);
    }
  }

  ScratchHeader* take(size_t bytes) {
    for (ScratchHeader*& slot : free_) {
      const bool fits = slot != nullptr && slot->bytes >= bytes && slot->bytes <= 2 * bytes + 4096;
      if (fits) return std::exchange(slot, nullptr);
    }
    return nullptr;
  }

  void keep(ScratchHeader* header) {
    const auto slot = std::ranges::find(free_, nullptr);
    if (slot == free_.end()) return discard(header);
    *slot = header;
  }

 private:
  static void discard(ScratchHeader* header) {
    free_pages(header, header->bytes + sizeof(ScratchHeader));
  }

  std::array<ScratchHeader*, 64> free_ = {};
};

ScratchPool& scratch_pool() {
  static thread_local ScratchPool pool;
  return pool;
}

/// Kernels use what they are given without a look at it, and no exception passes them: a process
/// without memory ends here.
ScratchHeader* new_scratch(size_t bytes, size_t more) {
  try {
    return ::new (allocate_pages(bytes + sizeof(ScratchHeader) + more)) ScratchHeader{bytes, false};
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "out of memory: a kernel asked for %zu bytes\n", bytes);
    std::abort();
  }
}

std::byte* content_of(ScratchHeader* header) {
  return reinterpret_cast<std::byte*>(header) + sizeof(ScratchHeader);
}

}  // namespace

void* allocate_pages(size_t bytes) {
  const bool is_large = bytes >= kHugePage;
  const size_t alignment = is_large ? kHugePage : 64;
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, std::max(rounded, alignment));
  if (memory == nullptr) throw std::bad_alloc();
  if (is_large) ::madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

void free_pages(void* memory, size_t) { std::free(memory); }

void exhaust_memory() {
  constexpr size_t kPiece = size_t{1} << 30;
  constexpr int kMost = 64;
  for (int i = 0; i < kMost; ++i) static_cast<void>(new_scratch(kPiece, 0));
}

void write_guard(std::byte* memory) { std::fill_n(memory, kGuardBytes, kPattern); }

bool guard_holds(const std::byte* memory) {
  return std::all_of(memory, memory + kGuardBytes, [](std::byte b) { return b == kPattern; });
}

}  // namespace opbench

// What kernels compiled without Halide's runtime call. Names and signatures are Halide's.
extern "C" {

void* halide_malloc(void* user_context, size_t bytes) {
  using namespace opbench;  // NOLINT: C linkage does not allow the namespace around it
  const auto* context = static_cast<KernelContext*>(user_context);
  const bool guard = context != nullptr && context->guard;
  if (guard) {
    ScratchHeader* header = new_scratch(bytes, kGuardBytes);
    header->guarded = true;
    write_guard(content_of(header) + bytes);
    return content_of(header);
  }
  ScratchHeader* header = scratch_pool().take(bytes);
  return content_of(header != nullptr ? header : new_scratch(bytes, 0));
}

void halide_free(void* user_context, void* memory) {
  using namespace opbench;  // NOLINT: as above
  if (memory == nullptr) return;
  auto* header =
      reinterpret_cast<ScratchHeader*>(static_cast<std::byte*>(memory) - sizeof(ScratchHeader));
  if (!header->guarded) {
    scratch_pool().keep(header);
    return;
  }
  if (!guard_holds(content_of(header) + header->bytes)) {
    static_cast<KernelContext*>(user_context)->overrun = true;
  }
  free_pages(header, 0);
}

int halide_do_task(void* user_context, int (*body)(void*, int, uint8_t*), int index,
                   uint8_t* closure) {
  return body(user_context, index, closure);
}

int halide_do_par_for(void* user_context, int (*body)(void*, int, uint8_t*), int minimum, int count,
                      uint8_t* closure) {
  auto* context = static_cast<opbench::KernelContext*>(user_context);
  if (context != nullptr) {
    return context->team->parallel_for(body, user_context, minimum, count, closure);
  }
  // Halide's own code in a compiler, as the cost model of an autoscheduler: on the calling thread.
  for (int i = minimum; i < minimum + count; ++i) {
    if (const int code = halide_do_task(user_context, body, i, closure); code != 0) return code;
  }
  return 0;
}

}  // extern "C"
