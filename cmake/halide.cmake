# Halide::Halide: the header, and the library's functions as jumps, which load_halide() leads there.
# Linking it, and LLVM with it, costs each start of a program 20 ms, and only build workers compile.
# Its few variables are not there: a schedule that uses one does not link.
find_library(OPBENCH_LIB_Halide14 Halide14 REQUIRED)
find_path(OPBENCH_INCLUDE_Halide14 halide14/Halide.h REQUIRED)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${OPBENCH_LIB_Halide14})
execute_process(COMMAND ${CMAKE_NM} -D --defined-only ${OPBENCH_LIB_Halide14}
                OUTPUT_VARIABLE halide_symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T _ZNK?6Halide[A-Za-z0-9_]+" halide_functions "${halide_symbols}")
list(TRANSFORM halide_functions REPLACE " T " "")
opbench_loaded_library(halide ${halide_functions})
target_include_directories(halide_jumps SYSTEM PUBLIC ${OPBENCH_INCLUDE_Halide14})
# Else every file with the header has Halide look, at the program's start, for variables' names in
# its debug information.
target_compile_definitions(halide_jumps PUBLIC COMPILING_HALIDE)
add_library(Halide::Halide ALIAS halide_jumps)
