#include "engines/package_engine/call_floor.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "engines/protocol/sampling.h"

namespace opbench {

double shortest_call_s(const std::function<void()>& call, int number) {
  const Json samples = take_samples({call, {}, {}}, {{"number", number}, {"repeats", 20}});
  double least = 1;
  for (const Json& sample : samples.at("samples")) {
    least = std::min(least, sample.at("wall_s").get<double>());
  }
  return least;
}

Result<double> device_floor_s(DeviceApi& device) {
  constexpr std::array<std::byte, 64> kNothing = {};
  constexpr int kCalls = 50;
  OPBENCH_TRY(const auto block, device.allocate(std::ssize(kNothing)));
  Result<void> done;
  const double floor_s = shortest_call_s(
      [&] {
        if (done) done = block->write(0, kNothing.data(), std::ssize(kNothing));
        if (done) done = device.synchronize();
      },
      kCalls);
  device.take_times();
  if (!done) return done.error();
  return floor_s;
}

Failure not_opened(const Error& error) {
  const bool is_there = error.code != ErrorCode::kEnvironment;
  std::string words = error.message;
  for (const Fact& fact : error.facts) words += "; " + fact.label + ": " + fact.text;
  return {is_there ? FailureKind::kRunError : FailureKind::kUnsupported, std::move(words)};
}

}  // namespace opbench
