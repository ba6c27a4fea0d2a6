#pragma once

namespace opbench {

/// Puts the calling thread before others that want its CPU, where the system allows it: each of
/// them that gets a turn disturbs what is timed. True if it does.
bool raise_priority();

/// The same for the session, where the system first shares CPUs among sessions (autogroups). Only
/// of a session that this process began: it ends with it.
bool raise_session();

/// Puts the calling thread before all that have no such turn, whatever their session, where the
/// system allows it: for one that sleeps nearly always and answers at once. Else raise_priority.
void take_turns_first();

/// The calling thread takes its turns first as long as this lives.
class FirstTurns {
 public:
  FirstTurns();
  FirstTurns(const FirstTurns&) = delete;
  FirstTurns& operator=(const FirstTurns&) = delete;
  ~FirstTurns();

 private:
  int policy_, priority_, nice_;  ///< before
};

}  // namespace opbench
