// The halide engine: packages on the CPU.
#include "engines/package_engine/package_engine.h"

int main() { return opbench::serve_packages({.name = "halide"}); }
