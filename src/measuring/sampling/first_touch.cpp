#include "measuring/sampling/first_touch.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

#include "base/system/monotonic_clock.h"

namespace opbench {

double first_touch_s(double bytes) {
  const auto size = static_cast<size_t>(bytes);
  if (size == 0) return 0;
  const double begin = monotonic_s();
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  // Of the page sizes that a buffer may get, the small one takes longer.
  madvise(memory, size, MADV_NOHUGEPAGE);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto* written = static_cast<volatile std::byte*>(memory);
  for (size_t i = 0; i < size; i += page) written[i] = std::byte{1};
  const double end = monotonic_s();
  munmap(memory, size);
  return end - begin;
}

}  // namespace opbench
