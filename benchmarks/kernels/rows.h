#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/common/benchmark.h"
#include "benchmarks/kernels/shapes.h"
#include "measuring/results/compare_result.h"

namespace opbench {

/// Who our kernels are compared with: two engines, and Halide's own autoschedulers.
constexpr const char* kDefaultPeer = "onednn-default";
constexpr const char* kBestPeer = "onednn";
const std::vector<std::string>& autoscheduler_peers();

/// Our kernel of a shape against one peer.
struct KernelRow {
  KernelShape shape;
  int threads = 1;
  std::string peer;
  std::optional<Ratio> ratio;  ///< the peer's time over ours, above 1: we are faster
  std::string verdict;         ///< on ours: faster, slower, same or inconclusive; empty: none
  double ours_ms = 0;
  double peer_ms = 0;
  double gflops = 0;       ///< ours, a second
  double peak_gflops = 0;  ///< of these threads, measured beside it
  std::string schedule;    ///< ours
  std::string origin;      ///< of the trial that chose our kernel; empty: the default kernel
  std::string reason;      ///< why there is no ratio, or no verdict
  std::string schedules;   ///< schedule_version() that ours was built with; empty: not known
};

/// One line of JSON, and back. `kInvalidInput` naming what is missing.
std::string row_text(const KernelRow& row);
Result<KernelRow> parse_row(const std::string& text);

/// The rows that a file holds; none when it is not there.
Result<std::vector<KernelRow>> read_rows(const std::filesystem::path& file);

/// The row of this shape, thread count and peer; null if there is none.
const KernelRow* find_row(const std::vector<KernelRow>& rows, const KernelShape& shape, int threads,
                          const std::string& peer);

/// Rows of other schedules than those of this version, or of unknown ones.
int64_t count_of_others(const std::vector<KernelRow>& rows, const std::string& version);

/// exp of the mean of ln; 0 for none.
double geometric_mean(const std::vector<double>& values);

/// What the rows add up to, for people: a line a thread count, set and family, and the shapes that
/// are slower than oneDNN's best by more than 5 %.
std::vector<std::string> kernel_summary(const std::vector<KernelRow>& rows);

/// Every bar that the rows say something about: gates of the families, means, shapes left behind.
/// Values are our time over the peer's, so that less is better.
std::vector<Bar> kernel_bars(const std::vector<KernelRow>& rows);

}  // namespace opbench
