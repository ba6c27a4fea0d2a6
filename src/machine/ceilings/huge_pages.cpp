#include "machine/ceilings/huge_pages.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace opbench {

HugePages::HugePages(size_t bytes) : bytes_(bytes) {
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  start_ = static_cast<std::byte*>(start);
  madvise(start, bytes, MADV_HUGEPAGE);
  std::memset(start, 1, bytes);  // pages never written share one page of zeros
}

HugePages::~HugePages() { munmap(start_, bytes_); }

}  // namespace opbench
