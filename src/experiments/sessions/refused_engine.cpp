#include "experiments/sessions/refused_engine.h"

namespace opbench {
namespace {

/// The error with its first facts, in one line.
std::string refusal_text(const Error& refusal) {
  constexpr size_t kMostFacts = 3;
  std::string text = refusal.message;
  for (size_t i = 0; i < refusal.facts.size(); ++i) {
    if (refusal.facts[i].label == "in") break;
    text += i == 0 ? ": " : "; ";
    if (i == kMostFacts) {
      text += "…";
      break;
    }
    text += refusal.facts[i].text;
  }
  return text;
}

}  // namespace

EngineResult refused_result(const std::string& engine, int threads, const std::vector<int>& cpus,
                            const Error& refusal) {
  EngineResult result;
  result.engine = engine;
  result.threads = threads;
  result.cpus = cpus;
  result.model.end_to_end_reason = refusal_text(refusal);
  result.check.reason = "it ran nothing";
  return result;
}

}  // namespace opbench
