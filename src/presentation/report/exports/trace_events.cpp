#include "presentation/report/exports/trace_events.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace opbench {
namespace {

int64_t trace_ns(double ms) {
  constexpr double kNanoseconds = 1e6;
  return std::llround(ms * kNanoseconds);
}

/// Microseconds with three decimals, as the format counts.
double trace_us(int64_t ns) {
  constexpr double kNanosecondsInUs = 1e3;
  return static_cast<double>(ns) / kNanosecondsInUs;
}

Json metadata_event(const char* what, int process, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", process}, {"args", {{"name", name}}}};
}

}  // namespace

TraceEvents::TraceEvents() : events_(std::make_shared<Json>(Json::array())) {}

void TraceEvents::name_process(int process, const std::string& name) {
  events_->push_back(metadata_event("process_name", process, name));
}

void TraceEvents::name_thread(int process, int thread, const std::string& name) {
  Json event = metadata_event("thread_name", process, name);
  event["tid"] = thread;
  events_->push_back(std::move(event));
}

void TraceEvents::add_slice(int process, int thread, const std::string& name,
                            const std::string& category, double begin_ms, double end_ms,
                            Json arguments) {
  const int64_t begin = trace_ns(begin_ms);
  const int64_t end = std::max(begin, trace_ns(end_ms));
  events_->push_back({{"name", name},
                      {"cat", category},
                      {"ph", "X"},
                      {"ts", trace_us(begin)},
                      {"dur", trace_us(end - begin)},
                      {"pid", process},
                      {"tid", thread},
                      {"args", std::move(arguments)}});
}

void TraceEvents::add_instant(int process, int thread, const std::string& name, double at_ms,
                              Json arguments) {
  events_->push_back({{"name", name},
                      {"ph", "i"},
                      {"s", "t"},
                      {"ts", trace_us(trace_ns(at_ms))},
                      {"pid", process},
                      {"tid", thread},
                      {"args", std::move(arguments)}});
}

void TraceEvents::add_flow(int process, int from_thread, double from_ms, int to_thread,
                           double to_ms) {
  const int64_t from = trace_ns(from_ms);
  const int64_t to = std::max(from, trace_ns(to_ms));
  const Json common = {
      {"name", "needs"}, {"cat", "dependency"}, {"id", ++flows_}, {"pid", process}};
  Json begin = common;
  begin.update({{"ph", "s"}, {"ts", trace_us(from)}, {"tid", from_thread}});
  Json end = common;
  end.update({{"ph", "f"}, {"bp", "e"}, {"ts", trace_us(to)}, {"tid", to_thread}});
  events_->push_back(std::move(begin));
  events_->push_back(std::move(end));
}

Json TraceEvents::file(Json other_data) && {
  Json json;
  json["traceEvents"] = std::move(*events_);
  json["displayTimeUnit"] = "ms";
  json["otherData"] = std::move(other_data);
  return json;
}

}  // namespace opbench
