#include "presentation/cli/predict/predictor_card.h"

#include <ostream>

#include "presentation/cli/output/table_output.h"
#include "presentation/report/predict/predictor_report.h"

namespace opbench {
namespace {

constexpr const char* kPredictorCardSchema = "opbench.predictor-card/1";

}  // namespace

Result<void> write_predictor_card(const UnitPredictor& predictor, const Arguments& arguments,
                                  Terminal& terminal) {
  OPBENCH_CHECK(
      write_table(predictor_table(predictor), kPredictorCardSchema, "kinds", arguments, terminal));
  terminal.err << predictor_summary(predictor);
  return {};
}

}  // namespace opbench
