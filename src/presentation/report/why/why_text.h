#pragma once

#include <string>

#include "base/json/json.h"
#include "prediction/why/explanation.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// For people: of the units that differ most, where the time of each side goes, the causes, the
/// schedule and the beginning of the hot loop. At most `most` units; 0: all.
std::string why_text(const WhyReport& report, size_t most, const TextStyle& style);

/// The same as Markdown: a block of code.
std::string why_markdown(const WhyReport& report, size_t most);

/// The same of all units, hot loops in full: the member `why` of a report.
Json why_json(const WhyReport& report);

/// `compute 61 %, L2 12 %, unexplained 27 %`; parts that were measured say so.
std::string time_parts_text(const TimeSplit& split);

/// `padding taps computed: 12 % (modelled): it multiplies …`
std::string cause_text(const Cause& cause);

}  // namespace opbench
