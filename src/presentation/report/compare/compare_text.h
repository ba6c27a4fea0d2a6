#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measuring/results/compare_result.h"

namespace opbench {

/// `slower`, …, or for none `failed` or `-`.
std::string verdict_text(const CompareUnit& unit);

/// Whether the ratio has an interval: one round does not tell how far others would lie from it.
bool has_ratio_interval(const CompareUnit& unit);

/// How the new time stands to the base's, with its interval if it has one: `+6.1 % (5.2 to 7.0)`;
/// `-` for none.
std::string change_text(const CompareUnit& unit);

/// The verdict on the model as a sentence: `model 1.9 % faster (1.5 to 2.3 %)`, `model the same:
/// +0.2 % (-0.5 to 0.9 %)`, `model inconclusive: …`, `model without a verdict: why`. Where there is
/// no model, of the only unit; empty where there are several.
std::string outcome_text(const Comparison& pair);

/// `10.200 ms to 10.012 ms`, what that sentence is about; empty without both times.
std::string outcome_times(const Comparison& pair);

/// `2 units slower, 41 same, 3 inconclusive`; `no units` when there are none.
std::string counts_text(const std::vector<CompareUnit>& units);

/// How much longer it would take to decide what is inconclusive; empty when nothing is.
std::string open_text(const std::vector<CompareUnit>& units);

/// `halide 0.1.0 (halide 14.0.0), 2 threads on CPUs 0,1`, the label before it unless that is the
/// engine's name, then its device or emulator, the other build, its program and, where `has_batch`,
/// the batch size.
std::string side_text(const ComparedVariant& side, bool has_batch);

/// What a side's time of the model would be without its copies to and from a device; empty where
/// nothing is copied.
std::string copies_text(const std::string& label, const std::optional<Measurement>& time);

/// `OpBench 0.1.0 (0123456789ab)`: version and commit, as far as they are known.
std::string program_text(const ComparedVariant& side);

/// `40 s`, `6 min`, `2.5 h`: rounded up.
std::string duration_text(double seconds);

/// The text with what Markdown would take for its own (code, emphasis, links, HTML) escaped.
std::string escaped_markdown(const std::string& text);

}  // namespace opbench
