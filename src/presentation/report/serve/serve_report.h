#pragma once

#include <string>

#include "base/json/json.h"
#include "experiments/serve/serve_session.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row for each load and variant of a policy: violations with their interval, the model that
/// suffers most, goodput, latencies, how busy the workers are. The winner of a load is emphasised.
TextTable serve_table(const ServeResult& result);

/// What was served, the table, and for each load how ours compares with the best baseline.
std::string serve_text(const ServeResult& result, int width, const TextStyle& style);

/// opbench.serve/1: docs/how-to/serving.md.
Json serve_json(const ServeResult& result);

}  // namespace opbench
