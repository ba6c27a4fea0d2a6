#include "prediction/predict/configuration.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/json/json.h"
#include "base/numbers/number.h"
#include "machine/target/parse_target.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

constexpr int64_t kMostThreads = 1024;
constexpr std::array kLevels = {VectorIsa::kSse41, VectorIsa::kAvx2, VectorIsa::kAvx512};

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (const VectorIsa isa : kLevels) names.push_back(name_of(isa));
  names.emplace_back("host");
  return names;
}

Result<void> set_threads(const std::string& value, Configuration& configuration) {
  const auto threads = parse_integer(value);
  if (!threads || *threads < 1 || *threads > kMostThreads) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("threads is \"{}\", which is no number of threads", value)}
        .with("valid", fmt::format("1 to {}", kMostThreads));
  }
  configuration.threads = static_cast<int>(*threads);
  return {};
}

Result<void> set_target(const std::string& value, Configuration& configuration) {
  if (value == "host") {
    configuration.isa = vector_isa(host_target());
    return {};
  }
  for (const VectorIsa isa : kLevels) {
    if (name_of(isa) != value) continue;
    configuration.isa = isa;
    return {};
  }
  return unknown_name("target", value, level_names());
}

Result<void> set_neighbour(const std::string& value, Configuration& configuration) {
  if (value != "none" && value != kMemoryNeighbour) {
    return unknown_name("neighbour", value, {"none", kMemoryNeighbour});
  }
  configuration.has_memory_neighbour = value == kMemoryNeighbour;
  return {};
}

}  // namespace

std::string name_of(VectorIsa isa) {
  switch (isa) {
    case VectorIsa::kScalar:
      return "scalar";
    case VectorIsa::kSse41:
      return "sse4.1";
    case VectorIsa::kAvx2:
      return "avx2";
    case VectorIsa::kAvx512:
      return "avx512";
    case VectorIsa::kNeon:
      return "neon";
  }
  return "";
}

Result<Target> target_of(VectorIsa isa) {
  if (vector_isa(host_target()) == isa) return host_target();
  switch (isa) {
    case VectorIsa::kSse41:
      return parse_target("llvm -mcpu=penryn");
    case VectorIsa::kAvx2:
      return parse_target("llvm -mcpu=haswell");
    case VectorIsa::kAvx512:
      return parse_target("llvm -mcpu=skylake-avx512");
    default:
      return unknown_name("target", name_of(isa), level_names());
  }
}

std::string text_of(const Configuration& configuration) {
  return fmt::format("threads={},target={},neighbour={}", configuration.threads,
                     name_of(configuration.isa),
                     configuration.has_memory_neighbour ? kMemoryNeighbour : "none");
}

Result<Configuration> changed(const Configuration& base, std::string_view text) {
  Configuration result = base;
  std::set<std::string> seen;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string part(text.substr(begin, end - begin));
    begin = end + 1;
    const size_t sign = part.find('=');
    const std::string key = part.substr(0, sign);
    const std::string value = sign == std::string::npos ? "" : part.substr(sign + 1);
    if (key != "threads" && key != "target" && key != "neighbour") {
      return Error(unknown_name("key", key, {"threads", "target", "neighbour"}))
          .with("example", "threads=2,target=avx2,neighbour=memory");
    }
    if (!seen.insert(key).second) {
      return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" is named twice", key)}.with(
          "in", std::string(text));
    }
    if (key == "threads") OPBENCH_CHECK(set_threads(value, result));
    if (key == "target") OPBENCH_CHECK(set_target(value, result));
    if (key == "neighbour") OPBENCH_CHECK(set_neighbour(value, result));
  }
  return result;
}

Result<Configuration> configuration_of(const BenchmarkRecord& record) {
  Configuration configuration;
  const Json runtime =
      record.runtime_config ? Json::parse(record.runtime_config->text, nullptr, false) : Json();
  const Json threads = member(runtime, "num_cpu_threads");
  OPBENCH_CHECK(set_threads(threads.is_number_integer() ? threads.dump() : "", configuration));
  OPBENCH_TRY(const Target target, parse_target(record.target.value_or("host")));
  configuration.isa = vector_isa(target);
  if (!record.labels) return configuration;
  const auto neighbour = record.labels->find(kNeighbourLabel);
  if (neighbour == record.labels->end()) return configuration;
  OPBENCH_CHECK(set_neighbour(neighbour->second, configuration));
  return configuration;
}

}  // namespace opbench
