#include "engines/runtime/teams/team.h"

#include <sched.h>

#include <algorithm>

#include "base/system/spin_pause.h"

namespace opbench {
namespace {

/// Chunks of a part: enough for members to end together, few enough for short iterations.
constexpr uint32_t kMostChunks = 128;

thread_local bool is_inside_loop = false;  // NOLINT: per thread, and only this file sees it

/// What changes in one step when a chunk is taken. Each loop has its own epoch: a member that comes
/// late, with the place of an earlier loop in hand, can take no chunk of this one.
struct Place {
  uint32_t epoch = 0;
  uint16_t next = 0;
  uint16_t end = 0;
};

uint64_t packed(const Place& place) {
  return uint64_t{place.epoch} << 32 | uint64_t{place.next} << 16 | place.end;
}

Place unpacked(uint64_t word) {
  return {static_cast<uint32_t>(word >> 32), static_cast<uint16_t>(word >> 16),
          static_cast<uint16_t>(word)};
}

}  // namespace

Team::Team(size_t members, int spins) : spins_(spins), parts_(members), made_(members) {}

/// Its number of chunks.
uint32_t Team::open(Part& part, uint32_t epoch, const Loop& loop, int first, uint32_t count) {
  const uint32_t chunk = std::max((count + kMostChunks - 1) / kMostChunks, uint32_t{1});
  const uint32_t chunks = (count + chunk - 1) / chunk;
  part.body.store(loop.body, std::memory_order_relaxed);
  part.context.store(loop.context, std::memory_order_relaxed);
  part.closure.store(loop.closure, std::memory_order_relaxed);
  part.first.store(first, std::memory_order_relaxed);
  part.count.store(count, std::memory_order_relaxed);
  part.chunk.store(chunk, std::memory_order_relaxed);
  part.is_for_each.store(loop.is_for_each, std::memory_order_relaxed);
  part.place.store(packed({epoch, 0, static_cast<uint16_t>(chunks)}), std::memory_order_release);
  return chunks;
}

/// False when the part has nothing left of the loop for this member. Adds what it makes to `made`.
bool Team::take_one(Part& part, bool is_own, uint32_t epoch, uint32_t& made) {
  uint64_t word = part.place.load(std::memory_order_acquire);
  const Place place = unpacked(word);
  if (place.epoch != epoch || place.next >= place.end) return false;
  Body body = part.body.load(std::memory_order_relaxed);
  void* context = part.context.load(std::memory_order_relaxed);
  uint8_t* closure = part.closure.load(std::memory_order_relaxed);
  const uint32_t chunk = part.chunk.load(std::memory_order_relaxed);
  const uint32_t begin = place.next * chunk;
  const uint32_t end = std::min(begin + chunk, part.count.load(std::memory_order_relaxed));
  const int first = part.first.load(std::memory_order_relaxed);
  const bool is_for_each = part.is_for_each.load(std::memory_order_relaxed);
  if (is_for_each && !is_own) return false;
  const Place taken{epoch, static_cast<uint16_t>(place.next + 1), place.end};
  if (!part.place.compare_exchange_strong(word, packed(taken), std::memory_order_acq_rel))
    return true;
  is_inside_loop = !is_for_each;
  for (uint32_t i = begin; i < end; ++i) {
    const int code = call_task(body, context, first + static_cast<int>(i), closure);
    if (code != 0) failure_.store(code, std::memory_order_relaxed);
  }
  is_inside_loop = false;
  ++made;
  return true;
}

/// Its own part first, then what the others have left. A loop ends, and the next one begins, only
/// after all that was made of it is counted. So a member that comes late takes nothing of a later
/// loop in the name of this one.
void Team::take_all(size_t own, uint32_t epoch) {
  std::atomic<uint32_t>& count = made_[own].chunks;
  for (size_t i = 0; i < parts_.size(); ++i) {
    uint32_t made = 0;
    while (take_one(parts_[(own + i) % parts_.size()], i == 0, epoch, made)) continue;
    if (made == 0) continue;
    count.store(count.load(std::memory_order_relaxed) + made, std::memory_order_release);
  }
}

/// The epoch that follows `seen`, or a later one.
uint32_t Team::wait_for_epoch(const Part& part, uint32_t seen) {
  const auto epoch_now = [&] { return unpacked(part.place.load(std::memory_order_acquire)).epoch; };
  for (int spin = 0; spin < spins_ && epoch_now() == seen; ++spin) spin_pause();
  if (epoch_now() == seen) {
    sleepers_.fetch_add(1);
    while (epoch_.load() == seen) epoch_.wait(seen);
    sleepers_.fetch_sub(1);
  }
  return epoch_now();
}

void Team::help(size_t member, uint64_t step) {
  Part& part = parts_[member];
  while (dismissed_.load(std::memory_order_acquire) < step) {
    const uint32_t epoch = wait_for_epoch(part, part.seen.load(std::memory_order_relaxed));
    part.seen.store(epoch, std::memory_order_release);
    take_all(member, epoch);
  }
}

/// An epoch without a loop.
void Team::announce() {
  const uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
  for (Part& part : parts_) open(part, epoch, {}, 0, 0);
  epoch_.store(epoch);
  if (sleepers_.load() > 0) epoch_.notify_all();
}

void Team::dismiss(uint64_t step) {
  dismissed_.store(step, std::memory_order_release);
  announce();
}

void Team::wake() {
  announce();
  const uint32_t epoch = epoch_.load(std::memory_order_relaxed);
  for (size_t i = 1; i < parts_.size(); ++i) {
    while (parts_[i].seen.load(std::memory_order_acquire) != epoch) spin_pause();
  }
}

uint32_t Team::made_by_all() const {
  uint32_t chunks = 0;
  for (const Made& made : made_) chunks += made.chunks.load(std::memory_order_acquire);
  return chunks;
}

int Team::run_loop(const Loop& loop, int minimum, int count) {
  failure_.store(0, std::memory_order_relaxed);
  const uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
  const auto begin_of = [&](size_t part) {
    return static_cast<int>(part * static_cast<size_t>(count) / parts_.size());
  };
  // The leader's last: the others have a way to go.
  for (size_t i = parts_.size(); i-- > 0;) {
    const int begin = begin_of(i);
    opened_ += open(parts_[i], epoch, loop, minimum + begin,
                    static_cast<uint32_t>(begin_of(i + 1) - begin));
  }
  epoch_.store(epoch);
  if (sleepers_.load() > 0) epoch_.notify_all();
  take_all(0, epoch);
  for (int spin = 0; made_by_all() != opened_; ++spin) {
    if (spin < spins_) {
      spin_pause();
    } else {
      sched_yield();
    }
  }
  return failure_.load(std::memory_order_relaxed);
}

int Team::parallel_for(Body body, void* context, int minimum, int count, uint8_t* closure) {
  if (count <= 0) return 0;
  if (parts_.size() > 1 && !is_inside_loop && count > 1) {
    return run_loop({body, context, closure}, minimum, count);
  }
  int failure = 0;
  for (int i = 0; i < count; ++i) {
    const int code = call_task(body, context, minimum + i, closure);
    if (code != 0) failure = code;
  }
  return failure;
}

int Team::run_on_each(Body body, void* context) {
  return run_loop({body, context, nullptr, true}, 0, static_cast<int>(parts_.size()));
}

}  // namespace opbench
