#include "measuring/sampling/timed_runner.h"

#include <algorithm>

#include "measuring/results/sample_flags.h"
#include "measuring/sampling/sampling_plan.h"

namespace opbench {

Outcome<std::vector<Sample>> TimedRunner::measure(size_t item, int process, int64_t number,
                                                  int repeats, Seconds warm_up, int warm_up_calls) {
  const Seconds begin = clock_.now();
  auto samples = runner_.measure(item, process, number, repeats, warm_up, warm_up_calls);
  if (!samples) return samples;
  if (samples->empty()) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, "the engine sent no samples"});
  }
  const double call_s = cost_s(samples->front());
  // An engine makes one untimed call more than it is asked for.
  double calls_s = std::max(warm_up.count(), warm_up_calls * call_s) + call_s;
  for (const Sample& sample : *samples) {
    const bool is_fresh = sample.flag == kFreshFlag;
    calls_s += cost_s(sample) * static_cast<double>(is_fresh ? 1 : number);
  }
  sum_s_ += std::max(0.0, (clock_.now() - begin).count() - calls_s);
  ++requests_;
  return samples;
}

double TimedRunner::visit_s() const {
  return std::max(kUsualVisitSeconds, requests_ > 0 ? sum_s_ / requests_ : 0);
}

}  // namespace opbench
