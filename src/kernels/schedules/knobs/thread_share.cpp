#include "kernels/schedules/knobs/thread_share.h"

#include <algorithm>
#include <numeric>

#include "base/numbers/divisors.h"

namespace opbench {
namespace {

struct Thread {
  size_t next = 0;  ///< of its own part
  size_t end = 0;
  int64_t time = 0;
};

/// Whose task the thread takes next: its own, or that of the first one after it that has some left.
size_t helped_by(const std::vector<Thread>& threads, size_t thread) {
  for (size_t i = 0; i < threads.size(); ++i) {
    const size_t other = (thread + i) % threads.size();
    if (threads[other].next < threads[other].end) return other;
  }
  return thread;
}

}  // namespace

double busiest_share(const std::vector<int64_t>& tasks, int threads) {
  const auto count = static_cast<size_t>(std::max(threads, 1));
  std::vector<Thread> all(count);
  for (size_t i = 0; i < count; ++i)
    all[i] = {i * tasks.size() / count, (i + 1) * tasks.size() / count};
  for (size_t done = 0; done < tasks.size(); ++done) {
    const auto first = std::ranges::min_element(all, {}, &Thread::time);
    Thread& owner = all[helped_by(all, static_cast<size_t>(first - all.begin()))];
    first->time += tasks[owner.next++];
  }
  const auto sum = static_cast<double>(std::accumulate(tasks.begin(), tasks.end(), int64_t{0}));
  const auto longest = static_cast<double>(std::ranges::max_element(all, {}, &Thread::time)->time);
  return sum == 0 ? 1 : longest * static_cast<double>(count) / sum;
}

std::vector<int64_t> tiles_of_parts(int64_t tiles, int64_t parts) {
  const int64_t each = ceil_div(tiles, parts);
  std::vector<int64_t> result;
  for (int64_t left = tiles; left > 0; left -= each) result.push_back(std::min(each, left));
  return result;
}

int64_t even_parts(int64_t tiles, int64_t panels, int64_t least, int64_t most, int threads) {
  constexpr double kEven = 1.01, kFelt = 0.005;
  int64_t best = least;
  double best_share = 0;
  for (int64_t parts = least; parts <= most; ++parts) {
    std::vector<int64_t> tasks;
    for (const int64_t part : tiles_of_parts(tiles, parts))
      tasks.insert(tasks.end(), static_cast<size_t>(panels), part);
    const double share = busiest_share(tasks, threads);
    if (best_share > 0 && share >= best_share - kFelt) continue;
    best = parts;
    best_share = share;
    if (share <= kEven) break;
  }
  return best;
}

}  // namespace opbench
