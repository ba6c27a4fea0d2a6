#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/arguments.h"

namespace opbench {

/// A figure that has to stay at or under its limit.
struct Bar {
  std::string bar;
  double value = 0;
  double limit = 0;
  std::string reason = {};  ///< why there is no value; then the bar is missed
  bool holds() const { return reason.empty() && value <= limit; }
};

/// Where a benchmark puts what it finds out: text for people, or a JSON object a line for each bar.
class Report {
 public:
  explicit Report(bool is_json) : is_json_(is_json) {}

  /// For people: a line of text, left out of the JSON.
  void note(const std::string& line) const;
  void add(const Bar& bar);

  /// What is going on, on stderr.
  static void progress(const std::string& line);

  bool all_hold() const { return all_hold_; }

 private:
  bool is_json_;
  bool all_hold_ = true;
};

struct BenchmarkDef {
  std::string name;  ///< `./dev bench NAME`
  std::string summary;
  std::vector<PositionalDef> positionals = {};
  std::vector<OptionDef> options = {};
  /// An error ends the program with its code.
  Result<void> (*run)(const Arguments& arguments, Report& report) = nullptr;
};

/// Reads the command line, runs, and returns the exit code: 0 when all bars hold, 3 when one is
/// missed. `--format text|json` and `--help` come with every benchmark.
int run_benchmark(const BenchmarkDef& benchmark, int argc, char** argv);

/// The files of these ONNX models without weights, `light_<name>.onnx`; the missing ones are left
/// out with a word on stderr.
std::vector<std::string> light_models(const std::filesystem::path& folder);

}  // namespace opbench
