#pragma once

#include <string>
#include <vector>

#include "experiments/analysis/turning_report.h"

namespace opbench {

/// Lines that say why a series has the turning point that it has, or none.
std::vector<std::string> evidence_lines(const TurningReport& report, const TurningSeries& series);

/// `32 KiB`, `1.5 MiB`, `768 B`.
std::string bytes_text(double bytes);

}  // namespace opbench
