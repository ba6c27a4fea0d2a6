#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "presentation/report/exports/trace_events.h"
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
  constexpr int kProcess = 0;
  TraceEvents events;
  events.name_process(kProcess, "plan of " + file.model);
  for (int worker = 0; worker < file.plan.workers; ++worker) {
    const int cpu = file.cpus[static_cast<size_t>(worker)];
    events.name_thread(kProcess, worker, fmt::format("worker {}, CPU {}", worker, cpu));
  }
  // By time, as the order of a plan's steps tells nothing across workers.
  std::vector<TimelineSpan> spans = timeline.spans;
  std::ranges::sort(spans, {}, [&](const TimelineSpan& span) {
    return std::pair(span.start_ms, file.plan.steps[span.step].units.front());
  });
  std::map<int, const TimelineSpan*> spans_of;
  for (const TimelineSpan& span : spans) {
    const PlanStep& step = file.plan.steps[span.step];
    const auto unit = static_cast<size_t>(step.units.front());
    for (const int each : step.units) spans_of[each] = &span;
    for (const int worker : step.workers) {
      events.add_slice(kProcess, worker, file.timed.graph.units[unit].kind,
                       step.workers.size() > 1 ? "team" : "alone", span.start_ms, span.end_ms,
                       {{"units", step.units},
                        {"nodes", file.facts[unit].nodes},
                        {"workload", workload_text(file.facts[unit])},
                        {"waits", step.waits}});
    }
  }
  for (const auto& [unit, span] : spans_of) {
    for (const UnitNeed& need : file.timed.graph.unit(unit).needs) {
      const auto from = spans_of.find(need.unit);
      if (from == spans_of.end() || from->second->step == span->step) continue;
      const PlanStep& maker = file.plan.steps[from->second->step];
      const double middle = (from->second->start_ms + from->second->end_ms) / 2;
      events.add_flow(kProcess, maker.workers.front(), middle,
                      file.plan.steps[span->step].workers.front(), span->start_ms);
    }
  }
  return std::move(events).file({{"model", file.model},
                                 {"planner", file.plan.planner},
                                 {"times", "simulated from times " + file.times}});
}

}  // namespace opbench
