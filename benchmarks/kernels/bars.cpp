#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "benchmarks/kernels/rows.h"

namespace opbench {
namespace {

/// How much faster than a peer a family (empty: all of the set) has to be, in the geometric mean.
struct Gate {
  const char* set;
  const char* family;
  const char* peer;
  double least;
};

constexpr Gate kGates[] = {
    {kModelsSet, "3x3", kDefaultPeer, 1.7},  // Winograd allowed, against the direct algorithm
    {kModelsSet, "3x3", kBestPeer, 1.1},
    {kModelsSet, "3x3 strided", kBestPeer, 0.97},
    {kModelsSet, "5x5", kBestPeer, 0.97},
    {kModelsSet, "1x1", kBestPeer, 0.97},
    {kModelsSet, "other", kBestPeer, 0.97},
    {kModelsSet, "depthwise", kBestPeer, 1.2},
    {kModelsSet, "dense M=1", kBestPeer, 1.05},
    {kModelsSet, "dense", kBestPeer, 1.0},
    {kModelsSet, "", kDefaultPeer, 1.4},
    {kModelsSet, "", kBestPeer, 1.1},
    {kModelsSet, "", "adams2019", 1.2},
    {kModelsSet, "", "mullapudi2016", 1.2},
    // Of the extra sets: some percent below what was measured.
    {"odd-channels", "", kDefaultPeer, 1.3},
    {"odd-channels", "", kBestPeer, 1.05},
    {"batch", "", kDefaultPeer, 1.5},
    {"batch", "", kBestPeer, 1.05},
    {"avx2", "", kDefaultPeer, 1.1},
    {"avx2", "", kBestPeer, 1.1},
};

constexpr double kSlower = 1.05;
constexpr double kFarSlower = 1.20;
constexpr double kMostSlowerPercent = 5;

using Rows = std::vector<const KernelRow*>;

template <class Keep>
Rows rows_where(const std::vector<KernelRow>& rows, const Keep& keep) {
  Rows kept;
  for (const KernelRow& row : rows) {
    if (keep(row)) kept.push_back(&row);
  }
  return kept;
}

/// Peer over ours, of those that have a ratio.
std::vector<double> kernel_bars_ratios_of(const Rows& rows) {
  std::vector<double> ratios;
  for (const KernelRow* row : rows) {
    if (row->ratio) ratios.push_back(row->ratio->median);
  }
  return ratios;
}

std::string threads_text(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::set<int> thread_counts(const std::vector<KernelRow>& rows) {
  std::set<int> counts;
  for (const KernelRow& row : rows) counts.insert(row.threads);
  return counts;
}

/// Nothing when no row belongs to the gate.
std::optional<Bar> kernel_bars_bar_of(const Gate& gate, int threads,
                                      const std::vector<KernelRow>& rows) {
  const std::string family = gate.family;
  const Rows own = rows_where(rows, [&](const KernelRow& row) {
    return row.threads == threads && row.peer == gate.peer && row.shape.set == gate.set &&
           (family.empty() || row.shape.family == family);
  });
  if (own.empty()) return std::nullopt;
  const std::vector<double> ratios = kernel_bars_ratios_of(own);
  const std::string what =
      family.empty() ? fmt::format("{}, all", gate.set) : fmt::format("{}, {}", gate.set, family);
  Bar bar{.bar = fmt::format("kernels, {}: {}: our time / {}, mean of {} shapes",
                             threads_text(threads), what, gate.peer, ratios.size()),
          .limit = 1 / gate.least};
  if (ratios.empty()) {
    bar.reason = own.front()->reason;
  } else {
    bar.value = 1 / geometric_mean(ratios);
  }
  return bar;
}

bool is_slower(const KernelRow& row, double times) {
  return row.ratio && row.ratio->median * times < 1;
}

/// Of the models' shapes against oneDNN's best: how many are left behind, how many were not timed.
void add_counts(int threads, const std::vector<KernelRow>& rows, std::vector<Bar>& bars) {
  const Rows own = rows_where(rows, [&](const KernelRow& row) {
    return row.threads == threads && row.peer == kBestPeer && row.shape.set == kModelsSet;
  });
  if (own.empty()) return;
  const auto count = [&](const auto& test) {
    return static_cast<double>(std::ranges::count_if(own, test));
  };
  const std::string begin = fmt::format("kernels, {}: ", threads_text(threads));
  const auto all = static_cast<double>(own.size());
  const double slower = count([](const KernelRow* row) { return is_slower(*row, kSlower); });
  bars.push_back({.bar = begin + "percent of shapes over 5 % slower than onednn",
                  .value = 100 * slower / all,
                  .limit = kMostSlowerPercent});
  bars.push_back({.bar = begin + "shapes over 20 % slower than onednn",
                  .value = count([](const KernelRow* row) { return is_slower(*row, kFarSlower); }),
                  .limit = 0});
  bars.push_back({.bar = begin + "shapes without a time",
                  .value = count([](const KernelRow* row) { return !row->ratio; }),
                  .limit = 0});
}

std::string mean_text(const std::vector<double>& ratios) {
  return ratios.empty() ? "-" : fmt::format("{:.2f}", geometric_mean(ratios));
}

/// `3x3  12 shapes  2.10 1.31 5.40 6.20`, or nothing.
std::optional<std::string> family_line(const std::vector<KernelRow>& rows, int threads,
                                       const std::string& set, const std::string& family) {
  std::string cells;
  size_t shapes = 0;
  std::vector<std::string> peers = {kDefaultPeer, kBestPeer};
  peers.insert(peers.end(), autoscheduler_peers().begin(), autoscheduler_peers().end());
  for (const std::string& peer : peers) {
    const Rows own = rows_where(rows, [&](const KernelRow& row) {
      return row.threads == threads && row.peer == peer && row.shape.set == set &&
             (family.empty() || row.shape.family == family);
    });
    shapes = std::max(shapes, own.size());
    const std::vector<double> ratios = kernel_bars_ratios_of(own);
    const std::string absent =
        own.size() == ratios.size() ? "" : fmt::format(" ({} absent)", own.size() - ratios.size());
    cells += fmt::format(" {:>14}", mean_text(ratios) + absent);
  }
  if (shapes == 0) return std::nullopt;
  return fmt::format("{:>7} {:<13} {:<12} {:>6}{}", threads, set, family.empty() ? "all" : family,
                     shapes, cells);
}

void add_slow_shapes(const std::vector<KernelRow>& rows, std::vector<std::string>& lines) {
  Rows slow = rows_where(
      rows, [](const KernelRow& row) { return row.peer == kBestPeer && is_slower(row, kSlower); });
  std::ranges::sort(slow, {}, [](const KernelRow* row) { return row->ratio->median; });
  if (!slow.empty()) lines.emplace_back("over 5 % slower than onednn:");
  for (const KernelRow* row : slow) {
    lines.push_back(fmt::format("  {:.2f} [{:.2f}, {:.2f}] {}, {}: {} ({})", row->ratio->median,
                                row->ratio->low, row->ratio->high, threads_text(row->threads),
                                row->shape.set, row->shape.workload, row->schedule));
  }
}

void add_unjudged(const std::vector<KernelRow>& rows, std::vector<std::string>& lines) {
  const Rows absent =
      rows_where(rows, [](const KernelRow& row) { return !row.ratio || row.verdict.empty(); });
  if (!absent.empty()) lines.emplace_back("without a verdict:");
  for (const KernelRow* row : absent) {
    lines.push_back(fmt::format("  {}, {}: {}: {}", row->peer, threads_text(row->threads),
                                row->shape.workload, row->reason));
  }
}

}  // namespace

std::vector<std::string> kernel_summary(const std::vector<KernelRow>& rows) {
  std::vector<std::string> lines = {
      "their time / ours, geometric means; above 1 we are faster",
      fmt::format("{:>7} {:<13} {:<12} {:>6} {:>14} {:>14} {:>14} {:>14}", "threads", "set",
                  "family", "shapes", kDefaultPeer, kBestPeer, autoscheduler_peers()[0],
                  autoscheduler_peers()[1])};
  std::vector<std::string> sets = {kModelsSet};
  sets.insert(sets.end(), extra_sets().begin(), extra_sets().end());
  for (const int threads : thread_counts(rows)) {
    for (const std::string& set : sets) {
      std::vector<std::string> families = kernel_families();
      families.emplace_back();
      for (const std::string& family : families) {
        if (const auto line = family_line(rows, threads, set, family)) lines.push_back(*line);
      }
    }
  }
  add_slow_shapes(rows, lines);
  add_unjudged(rows, lines);
  return lines;
}

std::vector<Bar> kernel_bars(const std::vector<KernelRow>& rows) {
  std::vector<Bar> bars;
  for (const int threads : thread_counts(rows)) {
    for (const Gate& gate : kGates) {
      if (auto bar = kernel_bars_bar_of(gate, threads, rows)) bars.push_back(std::move(*bar));
    }
    add_counts(threads, rows, bars);
  }
  return bars;
}

}  // namespace opbench
