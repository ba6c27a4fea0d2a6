#include "kernels/schedules/codegen/device_code.h"

#include <halide14/Halide.h>

#include <string>

// Compiled without type information: that of Halide's classes is in variables of its library,
// which is not linked.

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Internal::AssertStmt;
using Halide::Internal::Call;
using Halide::Internal::Stmt;

class DeviceCode : public Halide::Internal::IRMutator {
 public:
  explicit DeviceCode(DeviceType device) : device_(device) {}

 private:
  using IRMutator::visit;

  Expr visit(const Call* call) override {
    const Expr mutated = IRMutator::visit(call);
    const Call* inner = mutated.as<Call>();
    if (inner == nullptr) return mutated;
    if (inner->name == "opbench_at_least") return chosen(*inner, false);
    if (inner->name == "opbench_at_most") return chosen(*inner, true);
    if (inner->name == "round_f32" && device_ == DeviceType::kOpenCl)
      return Call::make(inner->type, "rint", inner->args, Call::PureExtern);
    return mutated;
  }

  /// A comparison with NaN is false, which leaves x.
  Expr chosen(const Call& call, bool is_upper) {
    const std::string number = std::to_string(count_++);
    const Expr x = Halide::Internal::Variable::make(call.type, "opbench_x" + number);
    const Expr bound = Halide::Internal::Variable::make(call.type, "opbench_bound" + number);
    const Expr is_outside = is_upper ? bound < x : x < bound;
    Expr result = Halide::Internal::Select::make(is_outside, bound, x);
    if (device_ == DeviceType::kCuda) result = Halide::Internal::Select::make(is_nan(x), x, result);
    return Halide::Internal::Let::make(
        "opbench_x" + number, call.args[0],
        Halide::Internal::Let::make("opbench_bound" + number, call.args[1], result));
  }

  /// By its bits: for PTX Halide lets LLVM take it that no number is NaN, and the comparison above
  /// becomes an instruction that drops it.
  static Expr is_nan(const Expr& x) {
    const int bits = x.type().bits();
    if (!x.type().is_float() || bits != 32) return Halide::Internal::const_false();
    constexpr uint32_t kWithoutSign = 0x7FFFFFFF, kInfinity = 0x7F800000;
    const Halide::Type words = Halide::UInt(bits);
    const Expr word =
        Halide::reinterpret(words, x) & Halide::Internal::make_const(words, kWithoutSign);
    return word > Halide::Internal::make_const(words, kInfinity);
  }

  /// Checks of arguments have a call for their message, those of an answer the answer itself.
  Stmt visit(const AssertStmt* check) override {
    const Call* message = check->message.as<Call>();
    if (message == nullptr || !message->name.starts_with("halide_error_"))
      return IRMutator::visit(check);
    return Halide::Internal::Evaluate::make(0);
  }

  DeviceType device_;
  int count_ = 0;
};

}  // namespace

void lower_for_device(Halide::Pipeline& pipeline, DeviceType device) {
  pipeline.add_custom_lowering_pass(new DeviceCode(device));
}

}  // namespace opbench
