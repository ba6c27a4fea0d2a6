#include "machine/ceilings/ceilings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>

#include "base/files/file.h"
#include "base/json/json.h"
#include "machine/ceilings/bursts.h"
#include "machine/ceilings/cache_parts.h"
#include "machine/ceilings/ceiling_kernels.h"
#include "machine/ceilings/huge_pages.h"
#include "machine/ceilings/isa_ceilings.h"

namespace opbench {
namespace {

constexpr const char* kCeilingsSchema = "opbench.ceilings/1";

constexpr double kPeakSeconds = 0.045;
constexpr double kBandwidthSeconds = 0.08;
constexpr int64_t kKiB = 1024;
constexpr int64_t kMiB = 1024 * kKiB;
constexpr int kDram = 4;
constexpr std::array kLevels = {"L1", "L2", "L3", "DRAM"};

/// Keeps a result alive without storing it.
template <class T>
void use(const T& value) {
  asm volatile("" : : "m"(value) : "memory");
}

BurstWork multiply_adds(KernelIsa isa) {
  constexpr int64_t kRounds = 1000;
  return {.run = [isa](int64_t runs) { use(run_multiply_adds(isa, runs * kRounds)); },
          .amount = static_cast<double>(kRounds) * flops_of_round(isa)};
}

/// A run reads all of `bytes`, or where that takes longer than a burst, one part after the other.
BurstWork reads(KernelIsa isa, int64_t bytes) {
  constexpr int64_t kPart = 4 * kMiB;
  const auto pages = std::make_shared<HugePages>(static_cast<size_t>(bytes));
  const auto part = static_cast<size_t>(std::min(bytes, kPart));
  const auto next = std::make_shared<size_t>(0);
  const auto run = [=](int64_t runs) {
    if (part == pages->size()) return use(run_reads(isa, pages->start(), part, runs));
    for (int64_t i = 0; i < runs; ++i) {
      use(run_reads(isa, pages->start() + *next, part, 1));
      *next = *next + 2 * part <= pages->size() ? *next + part : 0;
    }
  };
  return {.run = run, .amount = static_cast<double>(part)};
}

Result<double> peak_of(KernelIsa isa, const std::vector<int>& cpus) {
  OPBENCH_TRY(const double flops,
              best_rate(cpus, kPeakSeconds, [isa] { return multiply_adds(isa); }));
  return flops / 1e9;
}

Result<double> bandwidth_of(KernelIsa isa, const std::vector<int>& cpus, int64_t bytes) {
  OPBENCH_TRY(const double rate,
              best_rate(cpus, kBandwidthSeconds, [isa, bytes] { return reads(isa, bytes); }));
  return rate / 1e9;
}

Result<BandwidthCeiling> measure_level(KernelIsa isa, const std::vector<int>& cpus,
                                       const Topology& topology, int level) {
  const int threads = static_cast<int>(cpus.size());
  BandwidthCeiling ceiling{.level = kLevels.at(static_cast<size_t>(level) - 1)};
  ceiling.bytes = bytes_to_read(topology, level, cpus.front(), 1);
  if (ceiling.bytes == 0) return ceiling;
  OPBENCH_TRY(ceiling.one_thread, bandwidth_of(isa, {cpus.front()}, ceiling.bytes));
  ceiling.all_threads = ceiling.one_thread;
  if (threads == 1) return ceiling;
  const int64_t share = bytes_to_read(topology, level, cpus.front(), threads);
  OPBENCH_TRY(ceiling.all_threads, bandwidth_of(isa, cpus, share));
  return ceiling;
}

std::filesystem::path cache_file(const std::filesystem::path& folder, const std::string& hash,
                                 size_t threads) {
  const std::string name = "ceilings-" + hash.substr(0, 16) + "-" + std::to_string(threads);
  return folder / (name + ".json");
}

}  // namespace

double capacity_of(const BandwidthCeiling& level) {
  return static_cast<double>(parts_of_cache(level.level == "L3") * level.bytes);
}

int64_t bytes_to_read(const Topology& topology, int level, int cpu, int threads) {
  constexpr int64_t kStep = 4 * kKiB;
  const Cache* last = nullptr;
  for (const Cache& cache : topology.caches) {
    const bool seen = !cache.instruction && std::ranges::find(cache.cpus, cpu) != cache.cpus.end();
    if (seen && cache.level <= level) last = &cache;
  }
  const auto own_part = [&](int64_t bytes) {
    const auto sharing = last == nullptr ? threads : static_cast<int>(last->cpus.size());
    return bytes / std::clamp(sharing, 1, std::max(threads, 1)) / kStep * kStep;
  };
  if (level == kDram) {
    const int64_t all = std::clamp(last == nullptr ? 0 : 4 * last->bytes, 64 * kMiB, 512 * kMiB);
    return std::max(own_part(all), 4 * kMiB);
  }
  if (last == nullptr || last->level != level) return 0;
  const int64_t inner = level == 1 ? 0 : topology.cache_bytes(level - 1, cpu);
  const int64_t least = own_part(last->bytes) >= 2 * inner ? 2 * inner : inner + inner / 2;
  return std::max({own_part(last->bytes / parts_of_cache(level == 3)), least, kStep});
}

Result<Ceilings> measure_ceilings(const std::vector<int>& cpus, const Topology& topology) {
  return measure_ceilings_of(widest_isa(), cpus, topology);
}

Result<Ceilings> measure_ceilings_of(KernelIsa isa, const std::vector<int>& cpus,
                                     const Topology& topology) {
  if (cpus.empty()) return Error{ErrorCode::kInvalidInput, "no CPUs to measure"};
  Ceilings result{.cpus = cpus, .isa = std::string(name_of(isa))};
  OPBENCH_TRY(result.peak_one_thread, peak_of(isa, {cpus.front()}));
  result.peak_all_threads = result.peak_one_thread;
  if (cpus.size() > 1) {
    OPBENCH_TRY(result.peak_all_threads, peak_of(isa, cpus));
  }
  for (int level = 1; level <= kDram; ++level) {
    OPBENCH_TRY(const BandwidthCeiling ceiling, measure_level(isa, cpus, topology, level));
    if (ceiling.bytes > 0) result.bandwidth.push_back(ceiling);
  }
  return result;
}

Result<Ceilings> ceilings(const std::vector<int>& cpus, const Topology& topology,
                          const std::string& machine_hash, const std::filesystem::path& folder) {
  const std::filesystem::path path = cache_file(folder, machine_hash, cpus.size());
  if (const auto text = read_file(path)) {
    auto kept = parse_ceilings(*text);
    if (kept && kept->cpus == cpus) return kept;
  }
  auto measured = measure_ceilings(cpus, topology);
  if (!measured) return measured;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto written = write_file(path, to_text(*measured) + "\n");
  static_cast<void>(written);  // measured again next time
  return measured;
}

std::optional<double> remeasure_peak(const std::vector<int>& cpus) {
  return remeasure_peak_of(widest_isa(), cpus);
}

std::optional<double> remeasure_peak_of(KernelIsa isa, const std::vector<int>& cpus) {
  if (cpus.empty()) return std::nullopt;
  const auto peak = peak_of(isa, cpus);
  if (!peak || *peak <= 0) return std::nullopt;
  return *peak;
}

std::string to_text(const Ceilings& ceilings) {
  Json json = {{"schema", kCeilingsSchema},
               {"cpus", ceilings.cpus},
               {"isa", ceilings.isa},
               {"float32_gflops_per_s_one_thread", ceilings.peak_one_thread},
               {"float32_gflops_per_s_all_threads", ceilings.peak_all_threads}};
  Json& bandwidth = json["bandwidth"] = Json::array();
  for (const BandwidthCeiling& ceiling : ceilings.bandwidth) {
    bandwidth.push_back({{"level", ceiling.level},
                         {"bytes", ceiling.bytes},
                         {"gbytes_per_s_one_thread", ceiling.one_thread},
                         {"gbytes_per_s_all_threads", ceiling.all_threads}});
  }
  return json.dump();
}

Result<Ceilings> parse_ceilings(const std::string& text) {
  OPBENCH_TRY(const Json json, parse_json(text, "ceilings"));
  try {
    Ceilings result;
    if (json.at("schema") != kCeilingsSchema) {
      return Error{ErrorCode::kInvalidInput,
                   "ceilings have the schema " + json.at("schema").dump()};
    }
    result.cpus = json.at("cpus").get<std::vector<int>>();
    result.isa = json.at("isa").get<std::string>();
    result.peak_one_thread = json.at("float32_gflops_per_s_one_thread").get<double>();
    result.peak_all_threads = json.at("float32_gflops_per_s_all_threads").get<double>();
    for (const Json& item : json.at("bandwidth")) {
      result.bandwidth.push_back(
          {.level = item.at("level").get<std::string>(),
           .bytes = item.at("bytes").get<int64_t>(),
           .one_thread = item.at("gbytes_per_s_one_thread").get<double>(),
           .all_threads = item.at("gbytes_per_s_all_threads").get<double>()});
    }
    return result;
  } catch (const nlohmann::json::exception& exception) {
    return Error{ErrorCode::kInvalidInput, "ceilings lack a field"}.with("reason",
                                                                         exception.what());
  }
}

}  // namespace opbench
