#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace opbench {

/// The clock that a time is from.
enum class TimeClock {
  kWall,       ///< the CPU's, around a call; calls wait for their device
  kEvent,      ///< a device's own marks around launches and copies
  kSimulated,  ///< of a simulation: cycles by a declared frequency
  kEmulated,   ///< the CPU's, around a call in an emulator of another machine
};

/// `wall`, `event`, `simulated`, `emulated`
constexpr std::string_view name_of(TimeClock clock) {
  constexpr std::string_view kNames[] = {"wall", "event", "simulated", "emulated"};
  return kNames[static_cast<size_t>(clock)];
}

/// Nothing for what is no clock's name.
constexpr std::optional<TimeClock> time_clock_named(std::string_view name) {
  for (const TimeClock clock :
       {TimeClock::kWall, TimeClock::kEvent, TimeClock::kSimulated, TimeClock::kEmulated}) {
    if (name_of(clock) == name) return clock;
  }
  return std::nullopt;
}

/// Why two times have a ratio and no verdict: their clocks differ, or are an emulator's, which
/// tells nothing of its target. Empty: they may be judged. Every verdict on two sets of samples
/// asks this first.
inline std::string why_no_verdict(TimeClock base, TimeClock candidate) {
  const std::string rest = ": a ratio, no verdict";
  if (base != candidate) {
    return "the times are from different clocks, " + std::string(name_of(base)) + " and " +
           std::string(name_of(candidate)) + rest;
  }
  if (base != TimeClock::kEmulated) return "";
  return "times in an emulator say nothing of the target" + rest;
}

}  // namespace opbench
