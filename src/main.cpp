#include <string>
#include <vector>

#include "presentation/cli/command_line.h"

int main(int argc, char** argv) {
  return opbench::run_program({argv, argv + argc}, opbench::standard_terminal());
}
