#include <string>
#include <vector>

#include "opbench/cli/program.h"

int main(int argc, char** argv) {
  return opbench::run_program({argv, argv + argc}, opbench::standard_terminal());
}
