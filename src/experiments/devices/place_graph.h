#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "planning/graphs/unit_graph.h"

namespace opbench {

/// A device as the units' times know it.
struct PlaceDevice {
  std::string name;
  std::vector<int> cpus;  ///< of this machine; empty: a table
  std::string variant;    ///< avx2, … where that is narrower than the machine's own; empty: none
  std::string target;     ///< display form; empty: a table
  std::string kind;       ///< of the times: measured, simulated, modelled
  std::string source;     ///< of the times, in words
  /// Relative standard error that all its times have in common, beside the first device's.
  double common_error = 0;
  bool operator==(const PlaceDevice&) const = default;
};

/// What a result costs that another device reads: modelled.
struct TransferCost {
  double latency_ms = 0;
  double ms_per_byte = 0;
  std::string source;  ///< in words
  bool operator==(const TransferCost&) const = default;
};

/// The A/A control: a device that was timed twice, as if it were two.
struct PlaceControl {
  std::string device;
  double ratio = 1, low = 1, high = 1;  ///< of the model's second time over the first, 95 %
  int rounds = 0;                       ///< turns of the devices behind that
  std::vector<double> times_ms;         ///< second times of the units
  bool operator==(const PlaceControl&) const = default;
};

/// All that placements are made from but for energy: a unit graph, and beside it what devices take.
/// Every edge knows its bytes. Changes of layout count to the unit that reads their result.
struct PlaceGraph {
  std::string model;
  std::string sha256;
  std::vector<PlaceDevice> devices;
  UnitGraph graph;
  std::vector<std::string> workloads;          ///< by unit: canonical text
  std::vector<std::vector<double>> times_ms;   ///< by unit, then by device
  std::vector<std::vector<double>> errors_ms;  ///< standard errors of these; 0: not known
  TransferCost transfer;
  std::optional<PlaceControl> control = {};  ///< nothing: no device was timed in turns
  std::string noise = {};        ///< of this machine before the devices were timed, in words
  std::string disturbance = {};  ///< why differences of the times say nothing; empty: they do
  bool operator==(const PlaceGraph&) const = default;

  /// Appends a unit with its row of each table.
  void add(GraphUnit unit, std::string workload, std::vector<double> unit_ms,
           std::vector<double> unit_errors_ms);
  size_t size() const { return graph.size(); }
};

/// Members of the report `opbench.place/1`: model, sha256, devices, transfer, units, and control,
/// noise, disturbance where there are some.
Json to_json(const PlaceGraph& graph);

/// The same from such a report. `kInvalidInput` with the place for text that is none, or whose
/// units cannot be; `what` names it.
Result<PlaceGraph> parse_place_graph(const std::string& text, const std::string& what);

}  // namespace opbench
