#include "kernels/schedules/codegen/prefetch.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <utility>

// Compiled without type information: that of Halide's classes is in variables of its library,
// which is not linked.

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Internal::Block;
using Halide::Internal::Call;
using Halide::Internal::Evaluate;
using Halide::Internal::For;
using Halide::Internal::IfThenElse;
using Halide::Internal::IRMutator;
using Halide::Internal::IRVisitor;
using Halide::Internal::Let;
using Halide::Internal::LetStmt;
using Halide::Internal::Load;
using Halide::Internal::Stmt;
using Halide::Internal::Variable;

constexpr int kLine = 64;
constexpr int kPrefetchAhead = 64 * kLine;

/// Where a loop's body reads a buffer, as indices of floats: one for each cache line.
class Reads : public IRVisitor {
 public:
  explicit Reads(const std::string& buffer) : buffer_(buffer) {}
  const std::vector<Expr>& lines() const { return lines_; }
  bool has_loop() const { return has_loop_; }

 private:
  using IRVisitor::visit;

  void visit(const For* loop) override {
    has_loop_ = true;
    IRVisitor::visit(loop);
  }

  template <class Node>
  void visit_let(const Node* let) {
    lets_.emplace_back(let->name, let->value);
    IRVisitor::visit(let);
    lets_.pop_back();
  }
  void visit(const Let* let) override { visit_let(let); }
  void visit(const LetStmt* let) override { visit_let(let); }

  /// The index in terms of what is known before the body.
  Expr outside(Expr index) const {
    for (auto let = lets_.rbegin(); let != lets_.rend(); ++let)
      index = Halide::Internal::substitute(let->first, let->second, index);
    return index;
  }

  void visit(const Load* load) override {
    IRVisitor::visit(load);
    if (load->name != buffer_) return;
    const auto* ramp = load->index.as<Halide::Internal::Ramp>();
    const Expr index = outside(ramp != nullptr ? ramp->base : load->index);
    if (index.type().is_vector()) return;  // elements far apart
    const auto is_beside = [&](const Expr& line) {
      const Expr between = Halide::Internal::simplify(index - line);
      const int64_t* floats = Halide::Internal::as_const_int(between);
      return floats != nullptr && std::abs(*floats) < kLine / 4;
    };
    if (std::ranges::none_of(lines_, is_beside)) lines_.push_back(index);
  }

  std::string buffer_;
  std::vector<std::pair<std::string, Expr>> lets_;  ///< around the expression that is visited
  std::vector<Expr> lines_;
  bool has_loop_ = false;
};

class Prefetch : public IRMutator {
 public:
  explicit Prefetch(const BufferStream& stream) : stream_(stream) {}

 private:
  using IRMutator::visit;

  Stmt visit(const For* loop) override {
    const Expr outer = is_first_;
    for (const std::string& variable : stream_.again) {
      if (loop->name.ends_with("." + variable)) {
        const Expr is_first = Variable::make(Halide::Int(32), loop->name) == loop->min;
        is_first_ = is_first_.defined() ? is_first_ && is_first : is_first;
      }
    }
    Stmt changed = changed_loop(loop);
    is_first_ = outer;
    return changed;
  }

  /// With `is_first_` of the loops around it and of its own.
  Stmt changed_loop(const For* loop) {
    Reads reads(stream_.buffer);
    loop->body.accept(&reads);
    if (reads.has_loop() || reads.lines().empty()) return IRMutator::visit(loop);
    std::vector<Stmt> fetches;
    for (const Expr& line : reads.lines()) fetches.push_back(fetch(line));
    Stmt ahead = Block::make(fetches);
    if (is_first_.defined()) ahead = IfThenElse::make(is_first_, ahead);
    const Stmt body = Block::make(ahead, loop->body);
    return For::make(loop->name, loop->min, loop->extent, loop->for_type, loop->device_api, body);
  }

  Stmt fetch(const Expr& line) const {
    const Expr start = Variable::make(Halide::Handle(), stream_.buffer);
    const Expr offset = Halide::cast<int64_t>(line) * 4 + kPrefetchAhead;
    return Evaluate::make(
        Call::make(Halide::Int(32), "opbench_prefetch", {start, offset}, Call::Extern));
  }

  BufferStream stream_;
  Expr is_first_;  ///< nothing outside of the loops that read all again
};

}  // namespace

void prefetch_stream(Halide::Pipeline& pipeline, const BufferStream& stream) {
  pipeline.add_custom_lowering_pass(new Prefetch(stream));
}

}  // namespace opbench
