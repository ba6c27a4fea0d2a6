// Writes Halide's runtime for kernels of a kind of device as an object: `make-device-runtime opencl
// FILE`. All its symbols are weak, so that an engine's own functions take their place.
#include <halide14/Halide.h>

#include <cstdio>
#include <map>
#include <string>

int main(int count, char** words) {
  const std::map<std::string, Halide::Target::Feature> kinds = {{"opencl", Halide::Target::OpenCL},
                                                                {"cuda", Halide::Target::CUDA}};
  if (count != 3 || !kinds.contains(words[1])) {
    std::fputs("usage: make-device-runtime opencl|cuda FILE\n", stderr);
    return 2;
  }
  Halide::Target target = Halide::get_host_target();
  target = Halide::Target(target.os, target.arch, target.bits,
                          {kinds.at(words[1]), Halide::Target::UserContext});
  Halide::compile_standalone_runtime(words[2], target);
  return 0;
}
