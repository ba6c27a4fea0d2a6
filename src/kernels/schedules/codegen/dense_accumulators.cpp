#include "kernels/schedules/codegen/dense_accumulators.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

// Compiled without type information: that of Halide's classes is in variables of its library,
// which is not linked.

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Internal::Allocate;
using Halide::Internal::Call;
using Halide::Internal::For;
using Halide::Internal::ForType;
using Halide::Internal::IRMutator;
using Halide::Internal::IRVisitor;
using Halide::Internal::Let;
using Halide::Internal::LetStmt;
using Halide::Internal::Load;
using Halide::Internal::Ramp;
using Halide::Internal::Stmt;
using Halide::Internal::Store;
using Halide::Internal::Variable;

bool is_thread_loop(const For* loop) {
  return loop->for_type == ForType::GPUThread || loop->for_type == ForType::GPULane;
}

/// Puts the values of lets in the place of their names.
class Expand : public IRMutator {
 public:
  explicit Expand(const std::map<std::string, Expr>& values) : values_(values) {}

 private:
  using IRMutator::visit;
  Expr visit(const Variable* variable) override {
    const auto value = values_.find(variable->name);
    return value == values_.end() ? Expr(variable) : value->second;
  }
  const std::map<std::string, Expr>& values_;
};

/// Whether an expression may have another value each time that one thread computes it.
class Changes : public IRVisitor {
 public:
  explicit Changes(const std::set<std::string>& loops) : loops_(loops) {}
  bool found() const { return found_; }

 private:
  using IRVisitor::visit;
  void visit(const Load* /*load*/) override { found_ = true; }
  void visit(const Call* call) override {
    if (!call->is_pure()) found_ = true;
    IRVisitor::visit(call);
  }
  void visit(const Variable* variable) override {
    if (loops_.contains(variable->name)) found_ = true;
  }
  const std::set<std::string>& loops_;
  bool found_ = false;
};

/// Calls `at(index, is_store)` for every access to one array, and returns the index that takes the
/// place of that one.
class Accesses : public IRMutator {
 public:
  explicit Accesses(std::string array) : array_(std::move(array)) {}

 protected:
  virtual Expr at(const Expr& index, bool is_store) = 0;

  /// The index in terms of what is known where the array begins, and of loops inside.
  Expr expanded(const Expr& index) const { return Expand(values_).mutate(index); }

  std::set<std::string> loops_;  ///< over which one thread runs

 private:
  using IRMutator::visit;

  Stmt visit(const For* loop) override {
    if (!is_thread_loop(loop)) loops_.insert(loop->name);
    return IRMutator::visit(loop);
  }

  template <class Node>
  auto visit_let(const Node* let) -> decltype(let->body) {
    const Expr value = mutate(let->value);
    const bool is_index = value.type().is_int_or_uint();
    if (is_index) values_[let->name] = expanded(value);
    auto body = mutate(let->body);
    if (is_index) values_.erase(let->name);
    return Node::make(let->name, value, body);
  }
  Expr visit(const Let* let) override { return visit_let(let); }
  Stmt visit(const LetStmt* let) override { return visit_let(let); }

  Expr visit(const Load* load) override {
    if (load->name != array_) return IRMutator::visit(load);
    return Load::make(load->type, load->name, at(load->index, false), load->image, load->param,
                      mutate(load->predicate), Halide::Internal::ModulusRemainder());
  }
  Stmt visit(const Store* store) override {
    if (store->name != array_) return IRMutator::visit(store);
    const Expr value = mutate(store->value);
    return Store::make(store->name, value, at(store->index, true), store->param,
                       mutate(store->predicate), Halide::Internal::ModulusRemainder());
  }

  std::string array_;
  std::map<std::string, Expr> values_;
};

/// The constants of one array's indices.
class FindConstants : public Accesses {
 public:
  using Accesses::Accesses;

  /// Ascending, if the array can be numbered.
  std::optional<std::set<int64_t>> found() const {
    const bool is_stored_first = std::ranges::includes(stored_, loaded_);
    if (!is_numberable_ || !is_stored_first || stored_.empty()) return std::nullopt;
    return stored_;
  }

  /// The index less f(thread ids); nothing if it has another f.
  std::optional<int64_t> constant_of(const Expr& base) const {
    const Expr rest = Halide::Internal::simplify(base - *first_);
    const int64_t* constant = Halide::Internal::as_const_int(rest);
    return constant == nullptr ? std::nullopt : std::optional(*constant);
  }

 protected:
  Expr at(const Expr& index, bool is_store) override {
    const Expr whole = expanded(index);
    const Ramp* ramp = whole.as<Ramp>();
    const int64_t* stride =
        ramp == nullptr ? nullptr : Halide::Internal::as_const_int(ramp->stride);
    const Expr base = ramp == nullptr ? whole : ramp->base;
    if (!base.type().is_scalar() || (ramp != nullptr && stride == nullptr)) {
      is_numberable_ = false;
      return index;
    }
    if (!first_) {
      first_ = base;
      Changes changes(loops_);
      base.accept(&changes);
      if (changes.found()) is_numberable_ = false;
    }
    const std::optional<int64_t> constant = constant_of(base);
    if (!constant) {
      is_numberable_ = false;
      return index;
    }
    std::set<int64_t>& constants = is_store ? stored_ : loaded_;
    for (int lane = 0; lane < whole.type().lanes(); ++lane)
      constants.insert(*constant + (stride == nullptr ? 0 : lane * *stride));
    return index;
  }

 private:
  std::optional<Expr> first_;
  std::set<int64_t> stored_, loaded_;
  bool is_numberable_ = true;
};

/// The same array with its elements numbered from 0 on in the order of their constants.
class Number : public Accesses {
 public:
  Number(const std::string& array, const FindConstants& constants, const std::set<int64_t>& all)
      : Accesses(array), constants_(constants) {
    for (const int64_t constant : all) numbers_.emplace(constant, numbers_.size());
  }

  /// False: the lanes of a vector would no longer lie at equal distances.
  bool is_done() const { return is_done_; }

 protected:
  Expr at(const Expr& index, bool /*is_store*/) override {
    const Expr whole = expanded(index);
    const Ramp* ramp = whole.as<Ramp>();
    if (ramp == nullptr) return number_of(*constants_.constant_of(whole));
    const int64_t first = *constants_.constant_of(ramp->base);
    const int64_t stride = *Halide::Internal::as_const_int(ramp->stride);
    const int begin = number_of(first);
    const int step = ramp->lanes > 1 ? number_of(first + stride) - begin : 1;
    for (int lane = 0; lane < ramp->lanes; ++lane)
      if (number_of(first + lane * stride) != begin + lane * step) is_done_ = false;
    return Ramp::make(begin, step, ramp->lanes);
  }

 private:
  int number_of(int64_t constant) const { return static_cast<int>(numbers_.at(constant)); }

  const FindConstants& constants_;
  std::map<int64_t, size_t> numbers_;
  bool is_done_ = true;
};

class NumberAccumulators : public IRMutator {
 public:
  explicit NumberAccumulators(std::shared_ptr<AccumulatorArrays> arrays)
      : arrays_(std::move(arrays)) {}

 private:
  using IRMutator::visit;

  Stmt visit(const For* loop) override {
    const bool was_in_block = in_block_;
    const bool was_in_thread = in_thread_;
    in_block_ = in_block_ || loop->for_type == ForType::GPUBlock;
    in_thread_ = in_thread_ || is_thread_loop(loop);
    Stmt result = IRMutator::visit(loop);
    in_block_ = was_in_block;
    in_thread_ = was_in_thread;
    return result;
  }

  Stmt visit(const Allocate* array) override {
    const bool is_private = array->memory_type != Halide::MemoryType::GPUShared;
    if (!in_block_ || in_thread_ || !is_private) return IRMutator::visit(array);
    const Stmt body = mutate(array->body);
    FindConstants constants(array->name);
    constants.mutate(body);
    if (const auto found = constants.found()) {
      Number number(array->name, constants, *found);
      const Stmt numbered = number.mutate(body);
      if (number.is_done()) {
        ++arrays_->numbered;
        return Allocate::make(array->name, array->type, array->memory_type,
                              {static_cast<int>(found->size())}, array->condition, numbered,
                              array->new_expr, array->free_function);
      }
    }
    ++arrays_->refused;
    return Allocate::make(array->name, array->type, array->memory_type, array->extents,
                          array->condition, body, array->new_expr, array->free_function);
  }

  std::shared_ptr<AccumulatorArrays> arrays_;
  bool in_block_ = false;
  bool in_thread_ = false;
};

}  // namespace

std::shared_ptr<const AccumulatorArrays> number_accumulators(Halide::Pipeline& pipeline) {
  auto arrays = std::make_shared<AccumulatorArrays>();
  pipeline.add_custom_lowering_pass(new NumberAccumulators(arrays));
  return arrays;
}

}  // namespace opbench
