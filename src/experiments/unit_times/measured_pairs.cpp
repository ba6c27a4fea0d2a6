#include "experiments/unit_times/measured_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "base/json/json.h"
#include "model/operators/workloads/workload.h"
#include "prediction/interference/interference_file.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

constexpr size_t kFewestPairs = 10;

/// FLOPs and bytes of a unit; 0 where its workload is not known.
GroupPart part_of(const UnitIdentity& unit) {
  GroupPart part;
  if (!unit.workload) return part;
  part.flops = flops_of(*unit.workload);
  part.bytes = part.resident_bytes = bytes_of(*unit.workload);
  return part;
}

/// Twice the working set of the reference probe; 0: not known.
double cache_of(const InterferenceFile& file) {
  const auto probe = std::ranges::find_if(file.levels, &FileLevel::is_probe);
  return probe == file.levels.end() ? 0 : 2 * probe->bytes;
}

/// A point for each level of the neighbour at which both the probe and the unit were measured.
std::vector<SensitivityPoint> sensitivity_of(const FileUnit& unit,
                                             const std::vector<FileLevel>& levels) {
  std::map<std::string, double> pressures;
  for (const FileLevel& level : levels) {
    if (level.slow_down.ratio) pressures[level.neighbour] = *level.slow_down.ratio;
  }
  std::vector<SensitivityPoint> points;
  for (const FileNeighbour& one : unit.beside) {
    const auto pressure = pressures.find(one.neighbour);
    const std::optional<double> ratio = one.slow_down.ratio;
    if (pressure != pressures.end() && ratio) points.push_back({pressure->second, *ratio});
  }
  return points;
}

struct KnownUnit {
  GroupPart part;
  size_t number = 0;
};

std::map<std::string, KnownUnit> units_of(const InterferenceFile& file) {
  std::map<std::string, KnownUnit> units;
  const double cache = cache_of(file);
  for (const FileUnit& unit : file.units) {
    GroupPart part = part_of(identity_from({.workload = unit.workload}));
    part.solo_ms = unit.alone_ms;
    part.pressure = unit.pressure.value_or(1);
    part.memory_bytes = bytes_from_memory(part.bytes, part.resident_bytes, cache);
    part.sensitivity = sensitivity_of(unit, file.levels);
    if (part.solo_ms > 0) units.emplace(unit.key, KnownUnit{part, units.size()});
  }
  return units;
}

/// Nothing where a side has no slow-down.
std::optional<GroupSample> group_of(const std::array<FileSide, 2>& pair,
                                    const std::map<std::string, KnownUnit>& units) {
  constexpr double kNormal = 1.96;  // half-widths of a 95 % interval in standard errors
  GroupSample group;
  std::vector<double> factors;
  for (const FileSide& side : pair) {
    const auto unit = units.find(side.unit);
    const auto [ratio, low, high] = side.measured;
    if (unit == units.end() || !ratio || !low || !high || *ratio <= 0) return {};
    group.parts.push_back(unit->second.part);
    group.segments.push_back(unit->second.number);
    factors.push_back(std::max(1.0, *ratio));
    group.error = std::max(group.error, (*high - *low) / 2 / kNormal / *ratio);
  }
  group.ends_ms = ends_of_pair(group.parts, factors);
  return group;
}

}  // namespace

Result<MeasuredPairs> parse_measured_pairs(const std::string& text, const std::string& what) {
  constexpr double kBytesPerMs = 1e6;  // a GB/s
  const std::string how = "opbench interference MODEL MODEL --format json -o FILE";
  OPBENCH_TRY(const InterferenceFile file, parse_interference(text, what, how));
  MeasuredPairs pairs;
  pairs.bytes_per_ms = file.peak_gbytes_per_s * kBytesPerMs;
  const std::map<std::string, KnownUnit> units = units_of(file);
  pairs.cache_bytes = cache_of(file);
  for (const auto& pair : file.pairs) {
    std::optional<GroupSample> group = group_of(pair, units);
    if (group) {
      pairs.groups.push_back(std::move(*group));
    } else {
      ++pairs.left_out;
    }
  }
  if (pairs.groups.size() < kFewestPairs) {
    return unusable_interference(
        what,
        fmt::format("has {} pairs with slow-downs and {} without, at least {} are needed",
                    pairs.groups.size(), pairs.left_out, kFewestPairs),
        how);
  }
  return pairs;
}

std::vector<GroupPart> parts_of(const ServedModel& model, const std::vector<UnitIdentity>& units,
                                double cache_bytes) {
  std::vector<GroupPart> parts;
  for (const Segment& segment : model.segments) {
    GroupPart part{.solo_ms = segment.times_ms.front()};
    for (size_t i = segment.first_unit; i < segment.first_unit + segment.units; ++i) {
      const GroupPart unit = part_of(units[i]);
      part.flops += unit.flops;
      part.bytes += unit.bytes;
      part.resident_bytes = std::max(part.resident_bytes, unit.resident_bytes);
      part.memory_bytes += bytes_from_memory(unit.bytes, unit.resident_bytes, cache_bytes);
    }
    parts.push_back(part);
  }
  return parts;
}

Result<SlowDown> learnt_slow_down(const MeasuredPairs& pairs,
                                  const std::vector<std::vector<GroupPart>>& parts) {
  std::vector<GroupSample> groups = pairs.groups;
  for (GroupSample& group : groups) {
    for (GroupPart& part : group.parts) {
      part.pressure = 1;
      part.sensitivity.clear();
    }
  }
  OPBENCH_TRY(const GroupSlowDown learnt, fit_tree_slow_down(slow_down_samples(groups)));
  // Pairs come up at every event of a simulation.
  const auto known = std::make_shared<std::map<std::array<size_t, 4>, double>>();
  return SlowDown(
      [learnt, parts, known](const SegmentPlace& own, std::span<const SegmentPlace> others) {
        const auto factor = [&] {
          std::vector<GroupPart> beside;
          for (const SegmentPlace& other : others)
            beside.push_back(parts[other.model][other.segment]);
          return learnt(parts[own.model][own.segment], beside);
        };
        if (others.size() != 1) return factor();
        const auto [at, is_new] =
            known->try_emplace({own.model, own.segment, others[0].model, others[0].segment}, 1.0);
        if (is_new) at->second = factor();
        return at->second;
      });
}

}  // namespace opbench
