#include "engines/protocol/sampling.h"

#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/system/cpu_wait.h"
#include "base/system/seconds.h"
#include "engines/protocol/tensor_files.h"

namespace opbench {
namespace {

constexpr size_t kLine = 64;
constexpr double kLong = 0.01;  ///< seconds; reading `waited_s` would disturb shorter samples

struct Settings {
  int64_t number = 1;
  int64_t repeats = 1;
  double warm_up_s = 0;
  int64_t warm_up_calls = 0;
  bool is_cold = false;
  bool keeps_activations = false;
  double flushed = 4;      ///< times the largest cache, walked before a cold call
  Json audit;              ///< null: none is asked for
  int64_t audited_at = 0;  ///< the sample before which the audit comes; `repeats`: after the last
};

Settings settings_of(const Json& params) {
  Settings settings;
  settings.number = params.value("number", int64_t{1});
  settings.repeats = params.value("repeats", int64_t{1});
  settings.warm_up_s = ms_to_s(params.value("warm_up_ms", 0.0));
  settings.warm_up_calls = params.value("warm_up_calls", int64_t{0});
  const std::string cache = params.value("cache", "hot");
  settings.is_cold = cache != "hot";
  settings.keeps_activations = cache == "cold-weights";
  settings.flushed = params.value("flushed", settings.flushed);
  if (settings.number < 1 || settings.repeats < 1) {
    throw std::invalid_argument("number and repeats are at least 1");
  }
  settings.audit = params.value("audit", Json());
  if (settings.audit.is_object()) settings.audited_at = settings.audit.value("after", int64_t{0});
  if (!(settings.flushed > 0)) throw std::invalid_argument("flushed is above 0");
  if (settings.is_cold && !settings.keeps_activations && cache != "cold-all") {
    throw std::invalid_argument("unknown cache mode \"" + cache +
                                "\"; known: hot, cold-weights, cold-all");
  }
  return settings;
}

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// What is read before and after a sample; wall last before and first after.
struct Reading {
  int64_t involuntary_switches = 0;
  std::optional<double> waited_s;
  int64_t minor_faults = 0;
  int cpu = -1;
  double cpu_s = 0;
  double wall_s = 0;
};

void read_counters(Reading& reading) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  reading.involuntary_switches = usage.ru_nivcsw;
  reading.minor_faults = usage.ru_minflt;
  reading.cpu = ::sched_getcpu();
}

/// `sample_s`: what the sample is expected to take.
Reading reading_before(double sample_s) {
  Reading reading;
  if (sample_s >= kLong) reading.waited_s = cpu_wait_s();
  read_counters(reading);
  reading.cpu_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  reading.wall_s = seconds_of(CLOCK_MONOTONIC);
  return reading;
}

Reading reading_after(const Reading& before) {
  Reading reading;
  reading.wall_s = seconds_of(CLOCK_MONOTONIC);
  reading.cpu_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  read_counters(reading);
  if (before.waited_s) reading.waited_s = cpu_wait_s();
  return reading;
}

/// Nothing if it was not read, or if a thread has ended: its time is missing from the sum then.
std::optional<double> waited_between(const Reading& before, const Reading& after) {
  if (!before.waited_s || !after.waited_s || *after.waited_s < *before.waited_s) return {};
  return *after.waited_s - *before.waited_s;
}

Json sample_json(double wall_s, double cpu_s, const Reading& before, const Reading& after) {
  const std::optional<double> waited_s = waited_between(before, after);
  return {{"wall_s", wall_s},
          {"cpu_s", cpu_s},
          {"involuntary_switches", after.involuntary_switches - before.involuntary_switches},
          {"waited_s", waited_s ? Json(*waited_s) : Json()},
          {"minor_faults", after.minor_faults - before.minor_faults},
          {"cpu", after.cpu},
          {"migrated", after.cpu != before.cpu}};
}

/// Per call, as `wall_s` is.
void add_device_seconds(const DeviceSeconds& taken, double calls, Json& sample) {
  sample["device_s"] = taken.all / calls;
  sample["copies_s"] = taken.copies / calls;
}

/// Some times the largest cache: writing it and reading it once more leaves little else in there,
/// nothing from four times on.
class CacheFlusher {
 public:
  explicit CacheFlusher(double times)
      : bytes_(static_cast<size_t>(
            std::min(times * static_cast<double>(last_level_cache_bytes()), 0x1p30))) {}
  void flush() {
    for (size_t i = 0; i < bytes_.size(); i += kLine) ++bytes_[i];
    touch(bytes_.data(), bytes_.size());
  }

 private:
  std::vector<unsigned char> bytes_;
};

/// `last_s`: seconds of the call before this sample; of this sample's last call afterwards.
Json cold_sample(const SampledCall& sampled, const Settings& settings, CacheFlusher& flusher,
                 double& last_s) {
  Reading sums{.waited_s = 0};
  Reading origin{.waited_s = 0};
  DeviceSeconds on_device;
  for (int64_t i = 0; i < settings.number; ++i) {
    flusher.flush();
    if (sampled.flush_device) {
      sampled.flush_device(settings.flushed);
      sampled.on_device();
    }
    if (settings.keeps_activations && sampled.touch_activations) sampled.touch_activations();
    if (sampled.wake) sampled.wake();
    const Reading before = reading_before(last_s);
    sampled.call();
    const Reading after = reading_after(before);
    if (sampled.on_device) {
      const DeviceSeconds one = sampled.on_device();
      on_device.all += one.all;
      on_device.copies += one.copies;
    }
    last_s = after.wall_s - before.wall_s;
    const std::optional<double> waited_s = waited_between(before, after);
    if (sums.waited_s) sums.waited_s = waited_s ? *sums.waited_s + *waited_s : waited_s;
    sums.wall_s += last_s;
    sums.cpu_s += after.cpu_s - before.cpu_s;
    sums.involuntary_switches += after.involuntary_switches - before.involuntary_switches;
    sums.minor_faults += after.minor_faults - before.minor_faults;
    origin.cpu = i == 0 || origin.cpu == before.cpu ? before.cpu : -2;
    sums.cpu = after.cpu;
  }
  const auto calls = static_cast<double>(settings.number);
  Json sample = sample_json(sums.wall_s / calls, sums.cpu_s / calls, origin, sums);
  if (sampled.on_device) add_device_seconds(on_device, calls, sample);
  return sample;
}

/// Returns how long the last call took, in seconds.
double warm_up(const SampledCall& sampled, const Settings& settings) {
  const double end = seconds_of(CLOCK_MONOTONIC) + settings.warm_up_s;
  int64_t calls = 0;
  while (calls < settings.warm_up_calls || seconds_of(CLOCK_MONOTONIC) < end) {
    sampled.call();
    ++calls;
  }
  // A short call is over before a thread that sleeps has come to help with it.
  if (sampled.wake) sampled.wake();
  const double begin = seconds_of(CLOCK_MONOTONIC);
  sampled.call();
  return seconds_of(CLOCK_MONOTONIC) - begin;
}

double timed_s(const Json& sample, int64_t calls) {
  return sample.at("wall_s").get<double>() * static_cast<double>(calls);
}

/// One timed call on other inputs, with what it wrote. Then an untimed call on the prepared ones,
/// so that the caches hold what the next sample reads.
Json answer_audit(const SampledCall& sampled, const Json& request) {
  const AuditedCall audited = sampled.audited(request.at("inputs"));
  if (sampled.wake) sampled.wake();
  Json sample = SampleTimer().time(audited.call, 1, sampled.on_device);
  const auto written =
      write_tensors(request.at("outputs_dir").get<std::string>(), audited.outputs());
  if (!written) throw std::runtime_error(written.error().message);
  if (sampled.wake) sampled.wake();
  sampled.call();
  return {{"sample", std::move(sample)}, {"outputs", *written}};
}

}  // namespace

Json take_samples(const SampledCall& sampled, const Json& params) {
  const Settings settings = settings_of(params);
  const double begin = seconds_of(CLOCK_MONOTONIC);
  double timed = 0;
  double call_s = warm_up(sampled, settings);
  std::optional<CacheFlusher> flusher;
  if (settings.is_cold) flusher.emplace(settings.flushed);
  SampleTimer timer(call_s * static_cast<double>(settings.number));
  Json reply = {{"samples", Json::array()}};
  const bool is_audited = settings.audit.is_object() && sampled.audited != nullptr;
  for (int64_t i = 0; i <= settings.repeats; ++i) {
    if (is_audited && i == settings.audited_at) {
      reply["audit"] = answer_audit(sampled, settings.audit);
      timed += timed_s(reply["audit"]["sample"], 1);
    }
    if (i == settings.repeats) break;
    Json sample = flusher ? cold_sample(sampled, settings, *flusher, call_s)
                          : timer.time(sampled.call, settings.number, sampled.on_device);
    reply["samples"].push_back(std::move(sample));
    timed += timed_s(reply["samples"].back(), settings.number);
  }
  reply["untimed_s"] = seconds_of(CLOCK_MONOTONIC) - begin - timed;
  return reply;
}

Json SampleTimer::time(const std::function<void()>& call, int64_t number,
                       const std::function<DeviceSeconds()>& on_device) {
  if (on_device) on_device();
  const Reading before = reading_before(on_device ? kLong : last_s_);
  for (int64_t i = 0; i < number; ++i) call();
  const Reading after = reading_after(before);
  last_s_ = after.wall_s - before.wall_s;
  const auto calls = static_cast<double>(number);
  Json sample = sample_json(last_s_ / calls, (after.cpu_s - before.cpu_s) / calls, before, after);
  if (on_device) add_device_seconds(on_device(), calls, sample);
  return sample;
}

double call_floor_ms(const std::function<void()>& call) {
  constexpr int kRepeats = 9;
  const Json taken = take_samples(
      {call, {}, {}},
      {{"number", 1000}, {"repeats", kRepeats}, {"warm_up_ms", 5}, {"warm_up_calls", 1000}});
  std::vector<double> times;
  for (const Json& sample : taken.at("samples")) times.push_back(sample.at("wall_s"));
  std::ranges::nth_element(times, times.begin() + kRepeats / 2);
  return s_to_ms(times[kRepeats / 2]);
}

size_t last_level_cache_bytes() {
  constexpr size_t kAssumed = size_t{32} << 20;
  size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) +
                       "/size");
    size_t size = 0;
    char unit = '\0';
    if (!(file >> size)) continue;
    file >> unit;
    const size_t factor = unit == 'M' ? size_t{1} << 20 : unit == 'K' ? size_t{1} << 10 : 1;
    largest = std::max(largest, size * factor);
  }
  return largest == 0 ? kAssumed : largest;
}

void touch(const void* data, size_t bytes) {
  const auto* values = static_cast<const volatile unsigned char*>(data);
  for (size_t i = 0; i < bytes; i += kLine) static_cast<void>(values[i]);
}

}  // namespace opbench
