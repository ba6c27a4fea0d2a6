#include "machine/ceilings/memory_neighbour.h"

#include <future>
#include <new>
#include <system_error>

#include "machine/ceilings/ceiling_kernels.h"
#include "machine/ceilings/huge_pages.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

constexpr size_t kMemoryNeighbourFloats = size_t{16} << 20;  // of each of three arrays
constexpr size_t kPiece = size_t{32} << 10;  // floats of each array between looks at the flag

/// Pins the thread first, so that the memory is near.
Result<std::unique_ptr<HugePages>> pinned_memory(int cpu) {
  OPBENCH_CHECK(pin_this_thread({cpu}));
  try {
    return std::make_unique<HugePages>(3 * kMemoryNeighbourFloats * sizeof(float));
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kSystem, "no memory for a neighbour of 192 MiB"};
  }
}

void walk(HugePages& pages, const std::atomic<bool>& is_over) {
  const KernelIsa isa = widest_isa();
  auto* begin = reinterpret_cast<float*>(pages.start());
  for (size_t at = 0; !is_over.load(std::memory_order_relaxed);
       at = (at + kPiece) % kMemoryNeighbourFloats) {
    float* a = begin + at;
    run_triads(isa, a, a + kMemoryNeighbourFloats, a + 2 * kMemoryNeighbourFloats, kPiece, 1);
  }
}

}  // namespace

Result<std::unique_ptr<MemoryNeighbour>> MemoryNeighbour::start(int cpu) {
  std::unique_ptr<MemoryNeighbour> neighbour(new MemoryNeighbour);
  std::promise<Result<void>> begun;
  std::future<Result<void>> outcome = begun.get_future();
  const auto run = [&is_over = neighbour->is_over_, cpu](std::promise<Result<void>> told) {
    const auto pages = pinned_memory(cpu);
    if (!pages) return told.set_value(Error(pages.error()));
    told.set_value({});
    walk(**pages, is_over);
  };
  try {
    neighbour->thread_ = std::thread(run, std::move(begun));
  } catch (const std::system_error& error) {
    return Error{ErrorCode::kSystem, "cannot start a thread for the neighbour"}.with("reason",
                                                                                     error.what());
  }
  OPBENCH_CHECK(outcome.get());
  return neighbour;
}

MemoryNeighbour::~MemoryNeighbour() {
  is_over_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
}

}  // namespace opbench
