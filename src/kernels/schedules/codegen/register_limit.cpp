#include "kernels/schedules/codegen/register_limit.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "machine/target/cuda_arch.h"

// Compiled without type information: that of Halide's classes is in variables of its library,
// which is not linked.

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Internal::Call;
using Halide::Internal::StringImm;
using Halide::Internal::Variable;

constexpr int64_t kMostThreadsOfBlock = 1024;

using ThreadsByKernel = std::map<std::string, int64_t>;

/// The threads of each launch in the host's code; 0 where they are no constants.
class FindLaunches : public Halide::Internal::IRVisitor {
 public:
  const ThreadsByKernel& found() const { return found_; }

 private:
  using IRVisitor::visit;
  void visit(const Call* call) override {
    IRVisitor::visit(call);
    constexpr size_t kName = 1, kThreads = 5, kShared = 8;
    if (call->name != "halide_cuda_run" || call->args.size() <= kShared) return;
    const StringImm* const name = call->args[kName].as<StringImm>();
    if (name == nullptr) return;
    int64_t threads = 1;
    for (size_t i = kThreads; i < kShared; ++i) {
      const Expr extent = Halide::Internal::simplify(call->args[i]);
      const int64_t* const number = Halide::Internal::as_const_int(extent);
      threads *= number == nullptr ? 0 : *number;
    }
    found_[name->value] = threads;
  }
  ThreadsByKernel found_;
};

/// Puts another text in the place of the PTX that the host's code hands to the driver.
class ReplacePtx : public Halide::Internal::IRMutator {
 public:
  ReplacePtx(const Target& target, const ThreadsByKernel& threads)
      : target_(target), threads_(threads) {}

  /// The new texts, by the names that they share with the old ones.
  const std::map<std::string, Halide::Buffer<uint8_t>>& made() const { return made_; }

 private:
  using IRMutator::visit;
  Expr visit(const Call* call) override {
    constexpr size_t kState = 0, kText = 1, kArguments = 3;
    if (call->name != "halide_cuda_initialize_kernels" || call->args.size() != kArguments)
      return IRMutator::visit(call);
    const Call* const pointer = call->args[kText].as<Call>();
    const Variable* const variable =
        pointer == nullptr || pointer->args.empty() ? nullptr : pointer->args[0].as<Variable>();
    if (variable == nullptr || !variable->image.defined()) return IRMutator::visit(call);
    const Halide::Buffer<uint8_t> old(variable->image);
    const std::string text =
        limited({reinterpret_cast<const char*>(old.data()), static_cast<size_t>(old.width())});
    const int size = static_cast<int>(text.size());
    Halide::Buffer<uint8_t> made(size, old.name());
    std::memcpy(made.data(), text.data(), text.size());
    made_[old.name()] = made;
    const Expr source = Variable::make(variable->type, variable->name, made);
    const Expr start = Call::make(pointer->type, pointer->name, {source}, pointer->call_type);
    return Call::make(call->type, call->name, {call->args[kState], start, size}, call->call_type);
  }

  std::string limited(std::string ptx) const {
    for (const auto& [kernel, threads] : threads_)
      ptx = with_register_limit(ptx, kernel, most_registers(target_, threads));
    return ptx;
  }

  const Target& target_;
  const ThreadsByKernel& threads_;
  std::map<std::string, Halide::Buffer<uint8_t>> made_;
};

}  // namespace

int64_t most_registers(const Target& target, int64_t threads) {
  constexpr int64_t kStep = 8;  // they are given out by eights
  const int generation = cuda_arch(target).value_or(CudaArch{}).asked;
  const bool is_mobile = generation == 53 || generation == 62;  // NOLINT: Jetson TX1 and TX2
  const int64_t of_block = is_mobile ? 32768 : 65536;
  const int64_t of_thread = generation < 32 ? 63 : 255;
  const int64_t share = of_block / (threads > 0 ? threads : kMostThreadsOfBlock) / kStep * kStep;
  return std::clamp<int64_t>(share, 16, of_thread);
}

std::string with_register_limit(const std::string& ptx, const std::string& kernel,
                                int64_t registers) {
  const size_t entry = ptx.find(".entry " + kernel + "(");
  if (entry == std::string::npos) return ptx;
  const size_t body = ptx.find('{', entry);
  if (body == std::string::npos) return ptx;
  if (ptx.find(".maxnreg", entry) < body) return ptx;
  return ptx.substr(0, body) + ".maxnreg " + std::to_string(registers) + "\n" + ptx.substr(body);
}

void limit_registers(Halide::Module& module, const Target& target) {
  FindLaunches launches;
  for (const Halide::Internal::LoweredFunc& function : module.functions())
    function.body.accept(&launches);
  ReplacePtx replace(target, launches.found());
  Halide::Module limited(module.name(), module.target());
  for (Halide::Internal::LoweredFunc function : module.functions()) {
    function.body = replace.mutate(function.body);
    limited.append(function);
  }
  // The module holds what its code names; a buffer of it cannot be replaced.
  for (const Halide::Buffer<void>& buffer : module.buffers()) {
    const auto made = replace.made().find(buffer.name());
    limited.append(made == replace.made().end() ? buffer : Halide::Buffer<void>(made->second));
  }
  for (const Halide::ExternalCode& code : module.external_code()) limited.append(code);
  limited.set_any_strict_float(module.any_strict_float());
  module = limited;
}

}  // namespace opbench
