#include "engines/serve/segment_workers.h"

#include <chrono>
#include <utility>

#include "base/system/monotonic_clock.h"
#include "machine/resources/pinning.h"
#include "machine/resources/priority.h"

namespace opbench {

SegmentWorkers::SegmentWorkers(const std::vector<int>& cpus) {
  for (size_t i = 0; i < cpus.size(); ++i) workers_.push_back(std::make_unique<Worker>());
  for (size_t i = 0; i < cpus.size(); ++i) {
    workers_[i]->thread = std::thread([this, i, cpu = cpus[i]] { work(i, cpu); });
  }
}

SegmentWorkers::~SegmentWorkers() {
  for (const auto& worker : workers_) ask(*worker, {.is_last = true, .led = nullptr});
  for (const auto& worker : workers_) worker->thread.join();
}

void SegmentWorkers::ask(Worker& worker, Task task) {
  {
    const std::lock_guard lock(worker.mutex);
    worker.tasks.push_back(std::move(task));
  }
  worker.is_asked.notify_one();
}

void SegmentWorkers::start(SegmentLaunch launch) {
  std::unique_ptr<NumberedTeam>& team = teams_[launch.workers];
  if (team == nullptr) team = std::make_unique<NumberedTeam>(launch.workers.size());
  const uint64_t number = ++team->launches;
  const auto shared = std::make_shared<const SegmentLaunch>(std::move(launch));
  // Helpers first: they have a way to go.
  for (size_t member = shared->workers.size(); member-- > 0;) {
    Worker& worker = *workers_[static_cast<size_t>(shared->workers[member])];
    ask(worker, {.led = member == 0 ? shared : nullptr,
                 .team = &team->team,
                 .member = member,
                 .number = number});
  }
}

void SegmentWorkers::work(size_t index, int cpu) {
  static_cast<void>(raise_priority());
  if (cpu >= 0) static_cast<void>(pin_this_thread({cpu}));
  Worker& own = *workers_[index];
  while (true) {
    Task task;
    {
      std::unique_lock lock(own.mutex);
      own.is_asked.wait(lock, [&] { return !own.tasks.empty(); });
      task = std::move(own.tasks.front());
      own.tasks.pop_front();
    }
    if (task.is_last) return;
    if (task.led != nullptr) {
      lead(task, index);
    } else {
      task.team->help(task.member, task.number);
    }
  }
}

void SegmentWorkers::lead(const Task& task, size_t index) {
  const SegmentLaunch& launch = *task.led;
  EndedLaunch ended{.query = launch.query, .segments = {}};
  ended.segments.reserve(launch.segments.size());
  for (const StepRange& steps : launch.segments) {
    const double start_s = monotonic_s();
    ended.code = launch.arena->run(launch.size, steps, *task.team, index);
    ended.segments.push_back({start_s, monotonic_s()});
    if (ended.code != 0) break;
  }
  if (launch.workers.size() > 1) task.team->dismiss(task.number);
  {
    const std::lock_guard lock(mutex_);
    ended_.push_back(std::move(ended));
  }
  has_ended_.notify_one();
}

std::vector<EndedLaunch> SegmentWorkers::wait(double until_s) {
  std::unique_lock lock(mutex_);
  const std::chrono::duration<double> left(until_s - monotonic_s());
  has_ended_.wait_for(lock, left, [&] { return !ended_.empty(); });
  return std::exchange(ended_, {});
}

}  // namespace opbench
