#include "prediction/predict/ratio_pairs.h"

#include <fmt/format.h>

#include <map>

namespace opbench {
namespace {

/// The blocks in an identity `WORKLOAD|blocks|schedule`: whether operand and output have some.
std::string direction_of(const std::string& identity) {
  const size_t begin = identity.find('|');
  const size_t end = identity.find('|', begin + 1);
  const std::string blocks = identity.substr(begin + 1, end - begin - 1);
  const size_t comma = blocks.find(',');
  const auto word = [](const std::string& block) { return block == "0" ? "dense" : "blocked"; };
  return fmt::format("|{}>{}", word(blocks.substr(0, comma)), word(blocks.substr(comma + 1)));
}

std::map<std::string, const UnitSample*> fastest_of(const SampleSet& samples) {
  std::map<std::string, const UnitSample*> fastest;
  for (const UnitSample& sample : samples.units) {
    const double seconds = compared_seconds(sample);
    if (seconds <= 0) continue;
    const UnitSample*& kept = fastest[unit_key(sample)];
    if (kept == nullptr || seconds < compared_seconds(*kept)) kept = &sample;
  }
  return fastest;
}

template <class T>
bool changes_alike(const T& from, const T& to, const T& wanted_from, const T& wanted_to) {
  const bool stays = from == to && wanted_from == wanted_to;
  return stays || (from == wanted_from && to == wanted_to);
}

}  // namespace

std::string unit_key(const UnitSample& sample) {
  const std::string workload = sample.identity.substr(0, sample.identity.find('|'));
  return sample.features.kind == "layout" ? workload + direction_of(sample.identity) : workload;
}

double compared_seconds(const UnitSample& sample) {
  return sample.in_model_s.value_or(sample.isolated_s.value_or(0));
}

std::vector<RatioPair> pairs_of(const SampleSet& from, const Configuration& from_configuration,
                                const SampleSet& to, const Configuration& to_configuration) {
  const auto fastest_to = fastest_of(to);
  std::vector<RatioPair> pairs;
  for (const auto& [key, sample] : fastest_of(from)) {
    const auto other = fastest_to.find(key);
    if (other == fastest_to.end()) continue;
    // Times of different kinds have no ratio.
    if (sample->in_model_s.has_value() != other->second->in_model_s.has_value()) continue;
    pairs.push_back({.workload = sample->identity.substr(0, sample->identity.find('|')),
                     .from = from_configuration,
                     .to = to_configuration,
                     .from_features = sample->features,
                     .to_features = other->second->features,
                     .from_s = compared_seconds(*sample),
                     .to_s = compared_seconds(*other->second)});
  }
  return pairs;
}

bool is_alike(const RatioPair& pair, const Configuration& from, const Configuration& to) {
  return changes_alike(pair.from.threads, pair.to.threads, from.threads, to.threads) &&
         changes_alike(pair.from.isa, pair.to.isa, from.isa, to.isa) &&
         changes_alike(pair.from.has_memory_neighbour, pair.to.has_memory_neighbour,
                       from.has_memory_neighbour, to.has_memory_neighbour);
}

}  // namespace opbench
