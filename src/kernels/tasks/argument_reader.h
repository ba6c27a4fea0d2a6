#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/argument.h"

namespace opbench {

/// Reads the arguments of a task one after the other. The first that is not as wanted is
/// remembered and reported by `finish`; what is read from then on is 1, so that reading can go on.
/// Integers have at most 32 bits.
class ArgumentReader {
 public:
  explicit ArgumentReader(const std::vector<Argument>& arguments) : arguments_(arguments) {}

  /// Extents of a tensor, all at least 1, in one of the numbers of dimensions. `type` gets its data
  /// type if given.
  std::vector<int64_t> tensor(const std::string& name, const std::vector<size_t>& ranks,
                              std::string* type = nullptr);

  /// A list of integers of one of the lengths; a single integer counts as a list of one.
  std::vector<int64_t> integers(const std::string& name, const std::vector<size_t>& lengths);
  int64_t integer(const std::string& name);

  /// True, false, 1 or 0. False when the arguments have ended, as older logs lack it.
  bool optional_flag(const std::string& name);

  /// Passes over one argument if there is one: labels and types that no space depends on.
  void skip();
  bool is_at_end() const { return next_ >= arguments_.size(); }

  /// Remembers that an argument already read is not as wanted.
  void refuse(const std::string& name, const std::string& wanted);

  /// `kInvalidInput` for the first argument that is missing, wrong, or one too many.
  Result<void> finish() const;

 private:
  const Argument* take(const std::string& name);
  void fault(const std::string& message);

  const std::vector<Argument>& arguments_;
  size_t next_ = 0;
  std::optional<Error> fault_;
};

}  // namespace opbench
