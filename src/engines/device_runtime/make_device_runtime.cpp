// Writes Halide's runtime for kernels of a kind of device as an object: `make-device-runtime opencl
// FILE`. All its symbols are weak, so that an engine's own functions take their place.
#include <halide14/Halide.h>

#include <cstdio>
#include <string>

int main(int count, char** words) {
  if (count != 3 || std::string(words[1]) != "opencl") {
    std::fputs("usage: make-device-runtime opencl FILE\n", stderr);
    return 2;
  }
  Halide::Target target = Halide::get_host_target();
  target = Halide::Target(target.os, target.arch, target.bits,
                          {Halide::Target::OpenCL, Halide::Target::UserContext});
  Halide::compile_standalone_runtime(words[2], target);
  return 0;
}
