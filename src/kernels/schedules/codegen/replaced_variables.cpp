#include "kernels/schedules/codegen/replaced_variables.h"

#include <halide14/Halide.h>

// Compiled without type information: that of Halide's classes is in variables of its library,
// which is not linked.

namespace opbench {
namespace {

using Halide::Expr;

class Replace : public Halide::Internal::IRMutator {
 public:
  explicit Replace(const std::map<std::string, Expr>& values) : values_(values) {}

 private:
  using IRMutator::visit;

  Expr visit(const Halide::Internal::Variable* variable) override {
    const auto value = values_.find(variable->name);
    return value == values_.end() ? Expr(variable) : value->second;
  }

  std::map<std::string, Expr> values_;
};

}  // namespace

void replace_variables(Halide::Pipeline& pipeline, const std::map<std::string, Expr>& values) {
  pipeline.add_custom_lowering_pass(new Replace(values));
}

}  // namespace opbench
