#pragma once

#include <map>
#include <string>
#include <vector>

/// What was measured night by night: the input of everything that watches for changes.
namespace opbench {

/// What one line of a history is about: a unit of a model in one engine.
struct Series {
  std::string id;  ///< engine/model/unit, or any text of a foreign history
  std::string engine = {};
  bool is_control = false;  ///< nobody touches this engine
  bool is_frozen = false;   ///< a control that another one may follow: it is never missing
  std::string model = {};
  std::string chain = {};  ///< the units around it, between which fusion moves cost
  std::string unit = {};
  std::vector<std::string> nodes = {};  ///< of ONNX, that it covers
  bool operator==(const Series&) const = default;
};

struct Commit {
  std::string id;
  bool is_code = true;  ///< false: it touches documents alone
  bool operator==(const Commit&) const = default;
};

/// What one series gave in one night.
struct NightRow {
  int series = 0;                   ///< in `History::series`
  std::string hash = {};            ///< of all that ran in a timed call; empty: not known
  std::vector<double> values = {};  ///< at least one, each above 0; lower is better
  bool operator==(const NightRow&) const = default;
};

struct Night {
  int index = 0;  ///< rises from night to night; numbers may be left out
  std::string date = {};
  bool is_filled = false;            ///< measured after a later night: nothing was asked in it
  std::vector<Commit> commits = {};  ///< since the night before this one, oldest first
  std::string environment = {};      ///< kernel, microcode, compiler, libraries of others: one name
  std::string method = {};           ///< how it was measured: one name
  std::vector<NightRow> rows = {};   ///< a series at most once
  std::map<std::string, double> chains = {};  ///< measured end to end, by engine/chain
  std::map<std::string, double> models = {};  ///< by engine/model
};

/// Nights in order of their indices.
struct History {
  std::string unit = "ms";  ///< of every value
  std::vector<Series> series = {};
  std::vector<Night> nights = {};
  std::vector<std::string> notes = {};  ///< what a reader had to decide; for people
};

}  // namespace opbench
