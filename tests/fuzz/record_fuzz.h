#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/files/file.h"

namespace opbench {

/// Files of records of every format, damaged in ways that a seed decides, read and written again.
class RecordFuzz {
 public:
  /// Learns from the files of the folders, from our own ones in `fixtures`, and from what the
  /// codecs write.
  static Result<RecordFuzz> make(uint64_t seed, const std::string& fixtures,
                                 const std::vector<std::string>& folders = {});

  /// The file number `number`; equal for equal seeds.
  std::string input(uint64_t number) const;

  /// Reads the file to its end; what is read is written in every format and read again, which must
  /// give the same bytes. `kSystem` saying what did not hold.
  Result<void> run(const std::string& bytes) const;

  /// One value of so many bytes in every format: it must be an error and take little memory.
  Result<void> run_long_lines(int64_t bytes) const;

  size_t files() const { return files_.size(); }

 private:
  RecordFuzz(uint64_t seed, TemporaryFolder folder) : seed_(seed), folder_(std::move(folder)) {}

  uint64_t seed_;
  TemporaryFolder folder_;
  std::vector<std::string> files_;
};

}  // namespace opbench
