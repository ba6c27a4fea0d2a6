#pragma once

#include <string>

#include "base/json/json.h"
#include "experiments/together/together_result.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a way to run both: arrangement, configs, predicted and measured time, ratio, verdict.
TextTable candidate_table(const TogetherResult& result);

/// A row a config that is worth combining.
TextTable config_table(const TogetherResult& result);

/// The units, their configs, the candidates, the choice and why.
std::string together_text(const TogetherResult& result, int width, const TextStyle& style);

/// `opbench.tune-together/1`: schemas/tune_together.schema.json.
Json together_json(const TogetherResult& result);

}  // namespace opbench
