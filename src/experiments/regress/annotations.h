#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "watching/series/alert.h"
#include "watching/series/history.h"

namespace opbench {

/// What a person says of an alert.
enum class AnnotationVerb { kAccept, kIgnore, kNudge, kAcknowledge, kFixed };

/// `accept`, `ignore`, `nudge`, `acknowledge`, `fixed`
std::string_view name_of(AnnotationVerb verb);
/// `kInvalidInput` with a guess for another word.
Result<AnnotationVerb> annotation_verb_of(std::string_view word);

/// One record of a person's word. The alert is named by what stays when nights are added: its
/// engine and the names of the nights before and behind the change, as they were found.
struct Annotation {
  AnnotationVerb verb = AnnotationVerb::kAcknowledge;
  std::string engine;
  std::string good_night;
  std::string bad_night;
  std::string reason;  ///< for accept and ignore never empty
  int nights = 0;      ///< of nudge: how far the change moves; not 0
  std::string link;    ///< to a report of the fault; may be empty
  std::string at;      ///< when it was said, RFC 3339
  bool operator==(const Annotation&) const = default;
};

/// The file in the folder of a suite.
std::filesystem::path annotations_in(const std::filesystem::path& watch_folder);

/// All of a file in their order; none where there is no file. A last line that was cut does not
/// count. `kInvalidInput` with the line for a damaged one.
Result<std::vector<Annotation>> read_annotations(const std::filesystem::path& file);

/// Adds one, synced.
Result<void> keep_annotation(const std::filesystem::path& file, const Annotation& annotation);

/// `kInvalidInput` for a reason or a number of nights that is missing.
Result<Annotation> annotate(AnnotationVerb verb, const Alert& alert, const std::string& reason,
                            int nights, const std::string& link, const std::string& at);

/// The alerts with what was said of them: accepted, noise (ignored), acknowledged, fixed; nudged
/// ranges have the commits of the nights they cover now. The last word on a thing counts; nudges
/// add up. Returns how many annotations belong to no alert.
int apply_annotations(const std::vector<Annotation>& annotations, const History& history,
                      std::vector<Alert>& alerts);

}  // namespace opbench
