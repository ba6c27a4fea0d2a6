#include "kernels/schedules/knobs/ahead_knob.h"

#include "kernels/schedules/knobs/knob_values.h"

namespace opbench {
namespace {

constexpr const char* kAheadKnobAhead = "ahead";

bool has_knob(const Target& target, int64_t weights) {
  constexpr int64_t kMany = (2 << 20) / 4;  // floats
  return vector_isa(target) != VectorIsa::kNeon && weights >= kMany;
}

}  // namespace

Config with_ahead(Config config, const Target& target, int64_t weights) {
  if (has_knob(target, weights)) config[kAheadKnobAhead] = 0;
  return config;
}

std::vector<KnobRange> with_ahead(std::vector<KnobRange> knobs, const Target& target,
                                  int64_t weights) {
  if (has_knob(target, weights)) knobs.push_back({kAheadKnobAhead, {0, 1}});
  return knobs;
}

bool asks_ahead(const Config& config) { return knob_or(config, kAheadKnobAhead, 0) != 0; }

}  // namespace opbench
