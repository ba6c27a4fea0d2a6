#include "engines/package/kernel_listing.h"

#include "base/files/file.h"
#include "engines/client/logged_command.h"

namespace opbench {

Result<std::string> kernel_listing(const std::filesystem::path& object) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::filesystem::path output = folder.path() / "listing";
  for (const char* program : {"objdump", "llvm-objdump", "llvm-objdump-14"}) {
    const Result<int> code = run_logged(
        {.argv = {program, "-dr", "--no-show-raw-insn", object.string()}, .output = output});
    if (code && *code == 0) return read_file(output);
    static_cast<void>(write_file(output, ""));
  }
  return Error{ErrorCode::kEnvironment, "neither objdump nor llvm-objdump lists the kernel"};
}

}  // namespace opbench
