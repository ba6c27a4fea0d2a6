#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "presentation/report/plan/plan_report.h"
#include "presentation/report/text/number_text.h"

namespace opbench {

std::string timeline_text(const ExecutionPlan& plan, const Timeline& timeline, int width) {
  constexpr int kUsual = 100;
  constexpr int kNarrowest = 20;
  const int columns = std::max(kNarrowest, (width > 0 ? width : kUsual) - 12);
  std::vector<std::string> lines(static_cast<size_t>(plan.workers),
                                 std::string(static_cast<size_t>(columns), '.'));
  for (const TimelineSpan& span : timeline.spans) {
    const PlanStep& step = plan.steps[span.step];
    // A column shows what runs at its middle.
    const double scale = columns / std::max(timeline.makespan_ms, 1e-12);
    for (int at = static_cast<int>(span.start_ms * scale); at < columns; ++at) {
      const double middle = (at + 0.5) / scale;
      if (middle >= span.end_ms) break;
      if (middle < span.start_ms) continue;
      for (const int worker : step.workers) {
        lines[static_cast<size_t>(worker)][static_cast<size_t>(at)] =
            step.workers.size() > 1 ? '=' : '#';
      }
    }
  }
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) text += fmt::format("worker {:<3}  {}\n", i, lines[i]);
  text += fmt::format("            0 to {} ms; # alone on a unit, = in a team, . waiting\n",
                      ms_text(timeline.makespan_ms));
  return text;
}

double overlap_share(const ExecutionPlan& plan, const Timeline& timeline) {
  std::vector<std::pair<double, int>> changes;  // of the number of units that run
  for (const TimelineSpan& span : timeline.spans) {
    changes.emplace_back(span.start_ms, 1);
    changes.emplace_back(span.end_ms, -1);
  }
  std::ranges::sort(changes);
  double overlap = 0;
  double last = 0;
  int running = 0;
  for (const auto& [time, change] : changes) {
    if (running > 1) overlap += time - last;
    running += change;
    last = time;
  }
  return plan.steps.empty() || timeline.makespan_ms <= 0 ? 0 : overlap / timeline.makespan_ms;
}

Json trace_json(const PlanFile& file, const Timeline& timeline) {
  constexpr double kMicroseconds = 1e3;
  Json events = Json::array();
  for (int worker = 0; worker < file.plan.workers; ++worker) {
    const int cpu = file.cpus[static_cast<size_t>(worker)];
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 0},
                      {"tid", worker},
                      {"args", {{"name", fmt::format("worker {}, CPU {}", worker, cpu)}}}});
  }
  // By time, as the order of a plan's steps tells nothing across workers.
  std::vector<TimelineSpan> spans = timeline.spans;
  std::ranges::sort(spans, {}, [&](const TimelineSpan& span) {
    return std::pair(span.start_ms, file.plan.steps[span.step].units.front());
  });
  for (const TimelineSpan& span : spans) {
    const PlanStep& step = file.plan.steps[span.step];
    const auto unit = static_cast<size_t>(step.units.front());
    for (const int worker : step.workers) {
      events.push_back({{"name", file.timed.graph.units[unit].kind},
                        {"cat", step.workers.size() > 1 ? "team" : "alone"},
                        {"ph", "X"},
                        {"ts", span.start_ms * kMicroseconds},
                        {"dur", (span.end_ms - span.start_ms) * kMicroseconds},
                        {"pid", 0},
                        {"tid", worker},
                        {"args",
                         {{"units", step.units},
                          {"nodes", file.facts[unit].nodes},
                          {"workload", workload_text(file.facts[unit])},
                          {"waits", step.waits}}}});
    }
  }
  Json json;
  json["traceEvents"] = std::move(events);
  json["displayTimeUnit"] = "ms";
  json["otherData"] = {{"model", file.model},
                       {"planner", file.plan.planner},
                       {"times", "simulated from times " + file.times}};
  return json;
}

}  // namespace opbench
