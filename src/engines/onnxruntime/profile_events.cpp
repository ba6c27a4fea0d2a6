#include "engines/onnxruntime/profile_events.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "base/json/json.h"

namespace opbench::ort {
namespace {

constexpr std::string_view kKernelTime = "_kernel_time";
constexpr std::array<std::string_view, 7> kHoldsAGraph = {
    "If", "Loop", "Scan", "SequenceMap", "BeamSearch", "GreedySearch", "Sampling"};

struct Event {
  std::string name;
  int64_t start_us = 0, duration_us = 0;
  Json args;
  int64_t end_us() const { return start_us + duration_us; }
};

struct Events {
  std::vector<Event> runs, nodes;  ///< by their start, one that holds others before them
};

void profile_events_take(const Json& json, Events& events) {
  if (!json.is_object()) return;
  const std::string name = json.value("name", "");
  const bool is_run = name == "model_run";
  const bool is_node = json.value("cat", "") == "Node" && name.ends_with(kKernelTime);
  if (!is_run && !is_node) return;
  Event event{name, json.value("ts", int64_t{0}), json.value("dur", int64_t{0}), {}};
  if (is_node) event.args = json.value("args", Json::object());
  (is_run ? events.runs : events.nodes).push_back(std::move(event));
}

void sort(std::vector<Event>& events) {
  std::ranges::stable_sort(events, [](const Event& a, const Event& b) {
    return a.start_us != b.start_us ? a.start_us < b.start_us : a.duration_us > b.duration_us;
  });
}

Result<Events> read_events(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return Error{ErrorCode::kInvalidInput, "cannot read \"" + path.string() + "\""};
  Events events;
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && (line.back() == ',' || line.back() == '\r')) line.pop_back();
    if (line.starts_with('{')) profile_events_take(Json::parse(line, nullptr, false), events);
  }
  sort(events.runs);
  sort(events.nodes);
  return events;
}

/// [{"float": [1, 3]}, …]
std::vector<ProfiledTensor> tensors_of(const Json& args, const char* field) {
  std::vector<ProfiledTensor> tensors;
  for (const Json& entry : args.value(field, Json::array())) {
    if (!entry.is_object() || entry.empty()) continue;
    std::string word = entry.begin().key();
    if (word == "float") word = "float32";
    if (word == "double") word = "float64";
    tensors.push_back({std::move(word), entry.begin().value().get<Shape>()});
  }
  return tensors;
}

std::string operator_of(const Event& event) { return event.args.value("op_name", ""); }

/// The nodes from `next` on that belong to `run`, without those inside another node's graph.
std::vector<const Event*> nodes_in(const Event& run, const std::vector<Event>& nodes,
                                   size_t& next) {
  while (next < nodes.size() && nodes[next].start_us < run.start_us) ++next;
  std::vector<const Event*> outermost;
  int64_t inside_until = -1;
  for (; next < nodes.size() && nodes[next].start_us <= run.end_us(); ++next) {
    const Event& node = nodes[next];
    if (node.end_us() <= inside_until) continue;
    outermost.push_back(&node);
    inside_until =
        std::ranges::count(kHoldsAGraph, operator_of(node)) > 0 ? node.end_us() : int64_t{-1};
  }
  return outermost;
}

ProfiledUnit unit_of(const Event& event) {
  return {event.name.substr(0, event.name.size() - kKernelTime.size()), operator_of(event),
          tensors_of(event.args, "input_type_shape"), tensors_of(event.args, "output_type_shape")};
}

double seconds(const Event& event) { return (static_cast<double>(event.duration_us) + 0.5) * 1e-6; }

}  // namespace

Result<Profile> read_profile(const std::filesystem::path& file) {
  OPBENCH_TRY(const Events events, read_events(file));
  std::vector<std::vector<const Event*>> runs;
  size_t next = 0;
  for (const Event& run : events.runs) runs.push_back(nodes_in(run, events.nodes, next));
  Profile profile;
  if (runs.empty()) return profile;
  for (const Event* event : runs.back()) profile.units.push_back(unit_of(*event));
  for (const auto& run : runs) {
    std::vector<double>& times = profile.runs.emplace_back();
    const bool is_like_last = std::ranges::equal(
        run, runs.back(), [](const Event* a, const Event* b) { return a->name == b->name; });
    if (!is_like_last) continue;
    for (const Event* event : run) times.push_back(seconds(*event));
  }
  return profile;
}

}  // namespace opbench::ort
