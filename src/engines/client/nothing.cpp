#include "engines/client/nothing.h"

#include <fcntl.h>
#include <sys/mman.h>

namespace opbench {

int open_nothing() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  return nothing >= 0 ? nothing : ::memfd_create("nothing", MFD_CLOEXEC);
}

}  // namespace opbench
