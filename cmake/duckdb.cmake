# DuckDB::duckdb: the header, and for every function of it a jump through a table that
# load_duckdb() fills. Linking libduckdb.so costs each start of a program 10 ms, whether or not it
# touches the store.
set(duckdb_header ${PROJECT_SOURCE_DIR}/node_modules/duckdb/duckdb.h)
if(NOT EXISTS ${duckdb_header})
  message(FATAL_ERROR "${duckdb_header} is missing: run ./dev setup")
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  message(FATAL_ERROR "the npm package of DuckDB is for x86_64, this is ${CMAKE_SYSTEM_PROCESSOR}")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${duckdb_header})
file(STRINGS ${duckdb_header} duckdb_lines REGEX "^DUCKDB_C_API [^;]*duckdb_[a-z0-9_]+\\(")
set(names "")
set(jumps "")
set(at 0)
foreach(line IN LISTS duckdb_lines)
  string(REGEX MATCH "(duckdb_[a-z0-9_]+)\\(" ignored "${line}")
  set(name ${CMAKE_MATCH_1})
  string(APPEND names "    \"${name}\",\n")
  string(APPEND jumps
    "    \".globl ${name}\\n.hidden ${name}\\n.type ${name}, @function\\n\"\n"
    "    \"${name}: jmp *opbench_duckdb_table+${at}(%rip)\\n\"\n")
  math(EXPR at "${at} + 8")
endforeach()
set(duckdb_jumps ${PROJECT_BINARY_DIR}/generated/duckdb_jumps.cpp)
file(CONFIGURE OUTPUT ${duckdb_jumps} @ONLY CONTENT "// Generated from duckdb.h.
extern \"C\" {
extern const char* const opbench_duckdb_names[];
const char* const opbench_duckdb_names[] = {
${names}    nullptr};
extern void* opbench_duckdb_table[];
__attribute__((visibility(\"hidden\"))) void* opbench_duckdb_table[sizeof(opbench_duckdb_names) / 8];
}
asm(\".text\\n\"
${jumps});
")
add_library(duckdb_jumps STATIC ${duckdb_jumps})
target_include_directories(duckdb_jumps SYSTEM PUBLIC ${PROJECT_SOURCE_DIR}/node_modules/duckdb)
target_link_libraries(duckdb_jumps PUBLIC ${CMAKE_DL_LIBS})
add_library(DuckDB::duckdb ALIAS duckdb_jumps)
