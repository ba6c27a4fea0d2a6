#include "prediction/why/machine_code.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/text/ascii.h"

namespace opbench {
namespace {

struct Instruction {
  int64_t address = 0;
  std::string name;      // vfmadd231ps
  std::string operands;  // %zmm25,%zmm26,%zmm24
  std::string relocation;
};

struct Function {
  std::string name;
  std::vector<Instruction> code;
};

std::optional<int64_t> integer_of(std::string_view text, int base) {
  const std::string copy(text);
  char* end = nullptr;
  const int64_t value = std::strtoll(copy.c_str(), &end, base);
  if (end == copy.c_str()) return std::nullopt;
  return value;
}

// `0000000000000010 <name>:`
std::optional<std::string> function_name(std::string_view line) {
  const size_t open = line.find(" <");
  if (open == std::string_view::npos || !line.ends_with(">:")) return std::nullopt;
  return std::string(line.substr(open + 2, line.size() - open - 4));
}

void add_line(std::string_view line, Function& function) {
  if (const size_t at = line.find("R_X86_64_"); at != std::string_view::npos) {
    const std::string_view words = trimmed(line.substr(at));
    const size_t space = words.find_first_of(" \t");
    if (space == std::string_view::npos || function.code.empty()) return;
    std::string_view symbol = trimmed(words.substr(space));
    const size_t addend = symbol.find_last_of("-+");
    if (addend != std::string_view::npos && addend > 0) symbol = symbol.substr(0, addend);
    function.code.back().relocation = symbol;
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const auto address = integer_of(trimmed(line.substr(0, colon)), 16);
  std::string_view words = trimmed(line.substr(colon + 1));
  if (const size_t remark = words.find(" #"); remark != std::string_view::npos) {
    words = trimmed(words.substr(0, remark));
  }
  if (!address || words.empty()) return;
  const size_t space = words.find_first_of(" \t");
  Instruction instruction{*address, std::string(words.substr(0, space)), {}, {}};
  if (space != std::string_view::npos) instruction.operands = trimmed(words.substr(space));
  function.code.push_back(std::move(instruction));
}

std::vector<Function> functions_of(std::string_view listing) {
  std::vector<Function> functions;
  while (!listing.empty()) {
    const size_t end = listing.find('\n');
    const std::string_view line = listing.substr(0, end);
    listing = end == std::string_view::npos ? std::string_view() : listing.substr(end + 1);
    if (auto name = function_name(line)) {
      functions.push_back({*name, {}});
    } else if (!functions.empty()) {
      add_line(line, functions.back());
    }
  }
  return functions;
}

bool has_word(std::string_view name, const auto& words) {
  return std::ranges::any_of(
      words, [&](const char* word) { return name.find(word) != std::string_view::npos; });
}

bool touches_vectors(const Instruction& one) {
  return one.operands.find("mm") < one.operands.size();
}

bool is_fused(std::string_view name) {
  constexpr std::array kWords = {"fmadd", "fmsub", "fnmadd", "fnmsub", "pdpbus", "pdpwss", "pmadd"};
  return has_word(name, kWords);
}

bool is_arithmetic(const Instruction& one) {
  constexpr std::array kWords = {"add", "sub", "mul", "div", "max", "min", "sqrt", "rcp", "dp"};
  constexpr std::array kMoves = {"mov", "broadcast", "perm", "shuf", "unpck", "cvt", "extract"};
  const std::string_view name = one.name;
  return touches_vectors(one) && has_word(name, kWords) && !has_word(name, kMoves);
}

// Of floating-point numbers. Packed integers have such ends, too: vpmaxsd, vpdpbusd.
bool is_scalar(std::string_view name) {
  if (name.starts_with("p") || name.starts_with("vp")) return false;
  return name.ends_with("ss") || name.ends_with("sd") || name.ends_with("sh");
}

int width_of(const Instruction& one) {
  if (is_scalar(one.name)) return one.name.ends_with("sd") ? 64 : 32;
  if (one.operands.find("%zmm") != std::string::npos) return 512;
  return one.operands.find("%ymm") != std::string::npos ? 256 : 128;
}

// A fixed place on the stack: other frames than those of loops over arrays have no index.
bool is_stack_place(const std::string& operands) {
  return operands.find("(%rsp)") != std::string::npos;
}

void count(const Instruction& one, HotLoop& loop) {
  ++loop.instructions;
  loop.text.push_back(one.operands.empty() ? one.name : one.name + " " + one.operands);
  if (!touches_vectors(one)) return;
  if (is_arithmetic(one)) {
    ++loop.arithmetic;
    loop.multiply_adds += is_fused(one.name) ? 1 : 0;
    loop.scalar += is_scalar(one.name) ? 1 : 0;
    loop.vector_bits = std::max(loop.vector_bits, width_of(one));
  }
  if (one.operands.find('(') == std::string::npos) return;
  ++loop.memory;
  if (!is_stack_place(one.operands)) return;
  (one.operands.ends_with(")") ? loop.stack_stores : loop.stack_loads) += 1;
}

struct Range {
  size_t first = 0, last = 0;  // instructions
  bool holds(const Range& other) const { return first <= other.first && other.last <= last; }
};

std::vector<Range> loops_of(const Function& function) {
  std::vector<Range> loops;
  for (size_t i = 0; i < function.code.size(); ++i) {
    const Instruction& one = function.code[i];
    if (!one.name.starts_with("j") || !one.relocation.empty()) continue;
    const auto target = integer_of(one.operands.substr(0, one.operands.find(' ')), 16);
    if (!target || *target > one.address) continue;
    const auto first = std::ranges::find(function.code, *target, &Instruction::address);
    if (first == function.code.end()) continue;
    loops.push_back({static_cast<size_t>(first - function.code.begin()), i});
  }
  return loops;
}

HotLoop loop_in(const Function& function, const Range& range) {
  HotLoop loop;
  loop.function = function.name;
  for (size_t i = range.first; i <= range.last; ++i) count(function.code[i], loop);
  return loop;
}

// How much it computes, with a factor for every loop around it: that runs it often.
double weight_of(const HotLoop& loop, size_t depth) {
  constexpr double kOften = 8;
  constexpr size_t kDeep = 4;
  double weight = 4 * loop.multiply_adds + loop.arithmetic + 0.1 * loop.memory;
  for (size_t i = 0; i < std::min(depth, kDeep); ++i) weight *= kOften;
  return weight;
}

void look_for_hot_loop(const Function& function, double& best, MachineCode& code) {
  const std::vector<Range> loops = loops_of(function);
  const auto offer = [&](HotLoop loop, size_t depth) {
    const double weight = weight_of(loop, depth);
    if (weight <= best) return;
    best = weight;
    code.hot = std::move(loop);
  };
  for (const Range& range : loops) {
    const auto holds = [&](const Range& other) {
      return range.holds(other) && (other.first != range.first || other.last != range.last);
    };
    const auto inside = [&](const Range& other) { return other.holds(range); };
    if (std::ranges::any_of(loops, holds)) continue;
    offer(loop_in(function, range), static_cast<size_t>(std::ranges::count_if(loops, inside)));
  }
  if (function.code.empty()) return;
  HotLoop whole = loop_in(function, {0, function.code.size() - 1});
  whole.is_loop = false;
  if (loops.empty()) offer(std::move(whole), 0);
}

// The closure and the number of tasks are arguments of the call: they are the last that the
// registers got before it.
void look_for_parallel(const Function& function, MachineCode& code) {
  ParallelLoop loop;
  for (const Instruction& one : function.code) {
    const bool is_count = one.operands.ends_with("%ecx");
    if (is_count && one.name.starts_with("mov") && one.operands.starts_with("$")) {
      loop.tasks = integer_of(std::string_view(one.operands).substr(1), 0);
    } else if (is_count && !one.name.starts_with("cmp") && !one.name.starts_with("test")) {
      loop.tasks.reset();
    }
    if (one.relocation.find("par_for") != std::string::npos && one.operands.ends_with("%rsi")) {
      loop.function = one.relocation;
    }
    if (one.name.starts_with("call") && one.relocation.starts_with("halide_do_par_for")) {
      code.parallel.push_back(std::exchange(loop, {}));
    }
  }
}

}  // namespace

MachineCode read_listing(std::string_view listing) {
  MachineCode code;
  double best = 0;
  for (const Function& function : functions_of(listing)) {
    look_for_hot_loop(function, best, code);
    look_for_parallel(function, code);
  }
  return code;
}

std::optional<int64_t> parallel_tasks(const MachineCode& code) {
  if (!code.hot) return std::nullopt;
  const auto loop = std::ranges::find(code.parallel, code.hot->function, &ParallelLoop::function);
  if (loop != code.parallel.end()) return loop->tasks;
  const bool is_task = code.hot->function.find("_par_for_") != std::string::npos;
  return is_task ? std::nullopt : std::optional<int64_t>(1);
}

}  // namespace opbench
