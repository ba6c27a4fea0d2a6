#pragma once

#include <memory>
#include <string>

#include "base/errors/error.h"
#include "watching/series/paired_runs.h"

namespace opbench {

/// A program that answers paired runs: it gets a question a line on its stdin and prints an answer
/// a line (docs/how-to/watch-regressions.md). It ends with this object.
class PairedProgram {
 public:
  /// Starts it with the shell. `kSystem` when it cannot be started.
  static Result<std::shared_ptr<PairedProgram>> start(const std::string& command);
  PairedProgram(const PairedProgram&) = delete;
  PairedProgram& operator=(const PairedProgram&) = delete;
  ~PairedProgram();

  /// `kInvalidInput` when it ended, or answers what is no answer; its `error` is the answer's
  /// failure.
  Result<PairedAnswer> ask(const PairedQuestion& question);

 private:
  PairedProgram() = default;
  Result<std::string> next_line();
  Error ended();

  std::string command_;
  int pid_ = -1;
  int socket_ = -1;
  std::string unread_;
};

}  // namespace opbench
