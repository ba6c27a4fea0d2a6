#include "experiments/regress/annotations.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "base/errors/suggestion.h"
#include "experiments/regress/kept_lines.h"

namespace opbench {
namespace {

constexpr std::array kAnnotationWords = {"accept", "ignore", "nudge", "acknowledge", "fixed"};

Json json_of_annotation(const Annotation& annotation) {
  return {{"record", "annotation"},
          {"verb", name_of(annotation.verb)},
          {"engine", annotation.engine},
          {"good_night", annotation.good_night},
          {"bad_night", annotation.bad_night},
          {"reason", annotation.reason},
          {"nights", annotation.nights},
          {"link", annotation.link},
          {"at", annotation.at}};
}

Result<Annotation> annotation_of_json(const Json& json) {
  OPBENCH_TRY(const AnnotationVerb verb, annotation_verb_of(json.at("verb").get<std::string>()));
  return Annotation{.verb = verb,
                    .engine = json.at("engine").get<std::string>(),
                    .good_night = json.at("good_night").get<std::string>(),
                    .bad_night = json.at("bad_night").get<std::string>(),
                    .reason = json.at("reason").get<std::string>(),
                    .nights = json.at("nights").get<int>(),
                    .link = json.at("link").get<std::string>(),
                    .at = json.at("at").get<std::string>()};
}

AlertLife life_after(AnnotationVerb verb) {
  switch (verb) {
    case AnnotationVerb::kAccept:
      return AlertLife::kAccepted;
    case AnnotationVerb::kIgnore:
      return AlertLife::kNoise;
    case AnnotationVerb::kFixed:
      return AlertLife::kFixed;
    default:
      return AlertLife::kAcknowledged;
  }
}

/// The night so many places behind the one of this index; the first or last where there are fewer.
const Night* night_beside(const History& history, int index, int by) {
  const auto found = std::ranges::find(history.nights, index, &Night::index);
  if (found == history.nights.end()) return nullptr;
  const auto at =
      std::clamp<int64_t>(found - history.nights.begin() + by, 0, std::ssize(history.nights) - 1);
  return &history.nights[static_cast<size_t>(at)];
}

void move_range(const History& history, int by, CommitRange& range) {
  const Night* const good = night_beside(history, range.good_night, by);
  const Night* const bad = night_beside(history, range.bad_night, by);
  if (good == nullptr || bad == nullptr || good->index >= bad->index) return;
  range = {.good_night = good->index,
           .bad_night = bad->index,
           .good_date = good->date,
           .bad_date = bad->date};
  for (const Night& night : history.nights) {
    if (night.index <= good->index || night.index > bad->index) continue;
    range.commits.insert(range.commits.end(), night.commits.begin(), night.commits.end());
  }
}

}  // namespace

std::string_view name_of(AnnotationVerb verb) {
  return kAnnotationWords.at(static_cast<size_t>(verb));
}

Result<AnnotationVerb> annotation_verb_of(std::string_view word) {
  const auto found = std::ranges::find(kAnnotationWords, word);
  if (found != kAnnotationWords.end()) {
    return static_cast<AnnotationVerb>(found - kAnnotationWords.begin());
  }
  return unknown_name("annotation", word, {kAnnotationWords.begin(), kAnnotationWords.end()});
}

std::filesystem::path annotations_in(const std::filesystem::path& watch_folder) {
  return watch_folder / "annotations.jsonl";
}

Result<std::vector<Annotation>> read_annotations(const std::filesystem::path& file) {
  std::vector<Annotation> annotations;
  OPBENCH_CHECK(read_kept_lines(file, "annotation", [&](const Json& json) -> Result<void> {
    OPBENCH_TRY(Annotation annotation, annotation_of_json(json));
    annotations.push_back(std::move(annotation));
    return {};
  }));
  return annotations;
}

Result<void> keep_annotation(const std::filesystem::path& file, const Annotation& annotation) {
  return keep_line(file, json_of_annotation(annotation));
}

Result<Annotation> annotate(AnnotationVerb verb, const Alert& alert, const std::string& reason,
                            int nights, const std::string& link, const std::string& at) {
  const bool wants_reason = verb == AnnotationVerb::kAccept || verb == AnnotationVerb::kIgnore;
  if (wants_reason && reason.empty()) {
    return invalid_input(fmt::format("why do you {} {}?", name_of(verb), alert.id))
        .with("give", "--reason TEXT");
  }
  if ((verb == AnnotationVerb::kNudge) != (nights != 0)) {
    return invalid_input(verb == AnnotationVerb::kNudge ? "by how many nights?"
                                                        : "only nudge moves an alert")
        .with("for instance", fmt::format("opbench regress nudge {} --by -1", alert.id));
  }
  return Annotation{.verb = verb,
                    .engine = alert.engine,
                    .good_night = alert.range.good_date,
                    .bad_night = alert.range.bad_date,
                    .reason = reason,
                    .nights = nights,
                    .link = link,
                    .at = at};
}

int apply_annotations(const std::vector<Annotation>& annotations, const History& history,
                      std::vector<Alert>& alerts) {
  struct Said {
    std::string engine, good, bad;
    int nights = 0;
  };
  std::vector<Said> found;
  for (const Alert& alert : alerts) {
    found.push_back({alert.engine, alert.range.good_date, alert.range.bad_date});
  }
  int unknown = 0;
  for (const Annotation& annotation : annotations) {
    const auto said = std::ranges::find_if(found, [&](const Said& alert) {
      return alert.engine == annotation.engine && alert.good == annotation.good_night &&
             alert.bad == annotation.bad_night;
    });
    if (said == found.end()) {
      ++unknown;
      continue;
    }
    Alert& alert = alerts[static_cast<size_t>(said - found.begin())];
    said->nights += annotation.nights;
    if (annotation.verb != AnnotationVerb::kNudge) alert.life = life_after(annotation.verb);
  }
  for (size_t i = 0; i < alerts.size(); ++i) {
    if (found[i].nights != 0) move_range(history, found[i].nights, alerts[i].range);
  }
  return unknown;
}

}  // namespace opbench
