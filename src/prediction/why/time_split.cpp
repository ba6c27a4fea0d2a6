#include "prediction/why/time_split.h"

#include <algorithm>
#include <cmath>

#include "base/system/seconds.h"
#include "prediction/costs/roofline.h"

namespace opbench {
namespace {

constexpr double kGiga = 1e9;

double rate_of(const BandwidthCeiling& level, int threads) {
  return threads == 1 ? level.one_thread : level.all_threads;
}

double milliseconds(double amount, double giga_a_second) {
  return giga_a_second > 0 ? s_to_ms(amount / (giga_a_second * kGiga)) : 0;
}

double compute_ms(const UnitEvidence& e) {
  const double measured = e.peak_gflops.value_or(e.threads == 1 ? e.ceilings.peak_one_thread
                                                                : e.ceilings.peak_all_threads);
  return milliseconds(computed_flops(e), measured * e.narrow_peak_ratio);
}

// Bytes between L1 and registers: the hot loop's accesses to memory stand for all.
double register_bytes(const UnitEvidence& e) {
  if (!e.kernel || !e.kernel->code.hot) return 0;
  const HotLoop& loop = *e.kernel->code.hot;
  if (loop.multiply_adds == 0 || loop.vector_bits < 128) return 0;
  const double bytes = loop.vector_bits / 8.0;
  const double lanes = bytes / sizeof(float);
  return computed_flops(e) / (2 * lanes * loop.multiply_adds) * loop.memory * bytes;
}

// Adds to the parts what moving data takes longer than what is before it.
class Movement {
 public:
  Movement(std::vector<TimePart>& parts, double end_ms) : parts_(parts), end_ms_(end_ms) {}

  void add(const std::string& level, double until_ms) {
    if (until_ms <= end_ms_) return;
    if (parts_.empty() || parts_.back().name != level) parts_.push_back({level});
    parts_.back().ms += until_ms - end_ms_;
    end_ms_ = until_ms;
  }
  double end_ms() const { return end_ms_; }

 private:
  std::vector<TimePart>& parts_;
  double end_ms_;
};

double add_movement(const UnitEvidence& e, double compute, std::vector<TimePart>& parts) {
  Movement movement(parts, compute);
  const KernelWork* work = e.kernel ? &e.kernel->work : nullptr;
  const double footprint = work != nullptr ? work->footprint() : e.bytes;
  const double far = std::min(std::max(e.fetched_bytes, e.streamed_bytes), footprint);
  const double kept = footprint - far;
  const double moved = work != nullptr ? kept + work->scratch_bytes + work->repeated_bytes : kept;
  const BandwidthCeiling* last = level_of(kept, e.ceilings);
  double kept_ms = 0;
  for (const BandwidthCeiling& level : e.ceilings.bandwidth) {
    const bool is_first = &level == e.ceilings.bandwidth.data();
    const double bytes = is_first ? std::max(register_bytes(e), &level == last ? moved : 0) : moved;
    double ms = milliseconds(bytes, rate_of(level, e.threads));
    if (&level == last) {
      ms = std::max(is_first ? ms : 0,
                    s_to_ms(moved * seconds_per_byte(kept, e.ceilings, e.threads)));
    }
    kept_ms = std::max(kept_ms, is_first && &level != last ? 0 : ms);
    movement.add(level.level, ms);
    if (&level == last) break;
  }
  if (far > 0 && !e.ceilings.bandwidth.empty()) {
    const BandwidthCeiling& memory = e.ceilings.bandwidth.back();
    movement.add(memory.level, kept_ms + milliseconds(far, rate_of(memory, e.threads)));
  }
  return movement.end_ms();
}

// How much longer a call takes than if its tasks were spread evenly, over that; 0: evenly, or it
// is not known.
double uneven_share(const UnitEvidence& e) {
  if (e.threads < 2 || !e.kernel) return e.runs_reference ? e.threads - 1 : 0;
  const std::optional<int64_t> tasks = parallel_tasks(e.kernel->code);
  if (!tasks || *tasks < 1) return 0;
  const double rounds = std::ceil(static_cast<double>(*tasks) / e.threads);
  return rounds * e.threads / static_cast<double>(*tasks) - 1;
}

double sum_of(const std::vector<TimePart>& parts, Basis basis) {
  double sum = 0;
  for (const TimePart& part : parts) sum += part.basis == basis ? part.ms : 0;
  return sum;
}

// What is modelled cannot be longer than what measured parts leave of the time.
void fit(TimeSplit& split) {
  const double measured = sum_of(split.parts, Basis::kMeasured);
  const double modelled = sum_of(split.parts, Basis::kModelled);
  const double left = std::max(split.time_ms - measured, 0.0);
  if (modelled > left && modelled > 0) {
    split.scale = left / modelled;
    for (TimePart& part : split.parts) {
      if (part.basis == Basis::kModelled) part.ms *= split.scale;
    }
  }
  const double rest = left - std::min(modelled, left);
  if (rest > 0) split.parts.push_back({kUnexplainedPart, rest, Basis::kModelled});
}

}  // namespace

std::string_view name_of(Basis basis) {
  return basis == Basis::kMeasured ? "measured" : "modelled";
}

double computed_flops(const UnitEvidence& evidence) {
  if (!evidence.kernel) return evidence.flops;
  const KernelWork& work = evidence.kernel->work;
  return work.flops / std::max(work.products_a_lane, 1.0);
}

double TimeSplit::ms_of(std::string_view part) const {
  double ms = 0;
  for (const TimePart& one : parts) ms += one.name == part ? one.ms : 0;
  return ms;
}

double TimeSplit::share_of(std::string_view part) const {
  return time_ms > 0 ? ms_of(part) / time_ms : 0;
}

TimeSplit split_time(const UnitEvidence& e) {
  TimeSplit split;
  split.time_ms = e.time_ms;
  double compute = compute_ms(e);
  if (!e.kernel && compute > e.time_ms) {
    split.is_fewer_products = true;
    compute = 0;
  }
  if (compute > 0) split.parts.push_back({kComputePart, compute, Basis::kModelled});
  const double end = add_movement(e, compute, split.parts);
  if (const double uneven = end * uneven_share(e); uneven > 0) {
    split.parts.push_back({kUnevenPart, uneven, Basis::kModelled});
  }
  const double pace = seconds_per_byte(std::max(e.converted_bytes, e.bytes), e.ceilings, e.threads);
  if (const double ms = s_to_ms(e.converted_bytes * pace); ms > 0) {
    split.parts.push_back({kLayoutPart, ms, Basis::kModelled});
  }
  if (e.waiting_ms > 0) {
    split.parts.push_back({kWaitingPart, std::min(e.waiting_ms, e.time_ms), Basis::kMeasured});
  }
  if (e.dispatch_ms > 0) {
    const double left = e.time_ms - sum_of(split.parts, Basis::kMeasured);
    split.parts.push_back({kDispatchPart, std::min(e.dispatch_ms, left), Basis::kMeasured});
  }
  fit(split);
  return split;
}

bool is_memory_part(std::string_view name) {
  return name == "L1" || name == "L2" || name == "L3" || name == "DRAM";
}

}  // namespace opbench
