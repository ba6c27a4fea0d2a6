# One static library a module. A module sees only the headers of the modules it USES, and may use
# only modules added before it, so the order in the root file is the architecture.
function(opbench_module name)
  cmake_parse_arguments(M "" "" "USES;LINKS;TABLE" ${ARGN})
  foreach(m IN LISTS M_USES)
    if(NOT TARGET opbench_${m})
      message(FATAL_ERROR "module '${name}' uses '${m}', which is not below it")
    endif()
  endforeach()
  set(dir ${PROJECT_SOURCE_DIR}/src/${name})
  set(root ${PROJECT_BINARY_DIR}/include/${name})  # holds one link: opbench/<name> -> src/<name>
  file(MAKE_DIRECTORY ${root}/opbench)
  file(CREATE_LINK ${dir} ${root}/opbench/${name} SYMBOLIC)
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${dir} ${dir}/*.h)
  list(TRANSFORM headers PREPEND ${root}/opbench/${name}/)
  foreach(kind IN LISTS M_TABLE)
    opbench_table(${name} ${kind} table)
    list(APPEND sources ${table})
  endforeach()
  if(NOT sources)
    set(sources ${PROJECT_BINARY_DIR}/generated/${name}_empty.cpp)
    file(CONFIGURE OUTPUT ${sources} CONTENT "" @ONLY)
  endif()
  add_library(opbench_${name} STATIC ${sources})
  target_sources(opbench_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
  list(TRANSFORM M_USES PREPEND opbench_)
  target_link_libraries(opbench_${name} PUBLIC opbench_flags ${M_USES} PRIVATE ${M_LINKS})
endfunction()

# Writes <kind>_table.cpp from the files src/<module>/<x>_<kind>.cpp: each defines
# `<Kind>Def <x>_<kind>()`, and a file with a wrong name is a link error that names it.
function(opbench_table module kind out)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src/${module}
       ${PROJECT_SOURCE_DIR}/src/${module}/*_${kind}.cpp)
  list(SORT files)
  string(SUBSTRING ${kind} 0 1 initial)
  string(TOUPPER ${initial} initial)
  string(SUBSTRING ${kind} 1 -1 rest)
  set(def ${initial}${rest}Def)
  set(declarations "")
  set(calls "")
  foreach(file IN LISTS files)
    get_filename_component(function ${file} NAME_WE)
    string(APPEND declarations "${def} ${function}();\n")
    string(APPEND calls "      ${function}(),\n")
  endforeach()
  set(table ${PROJECT_BINARY_DIR}/generated/${kind}_table.cpp)
  set(text "// Generated from the file names in src/${module}.
#include \"opbench/${module}/${kind}.h\"
namespace opbench {
${declarations}
const Table<${def}>& ${kind}_table() {
  static const Table<${def}> table(\"${kind}\", {
${calls}  });
  return table;
}
}  // namespace opbench
")
  file(CONFIGURE OUTPUT ${table} CONTENT "${text}" @ONLY)
  set(${out} ${table} PARENT_SCOPE)
endfunction()

# One test executable a module, linked to that module alone, so a test cannot reach upward either.
# Tests are compiled more often than they run: with few optimizations, and what nearly all of them
# include is read once, for the first module's.
function(opbench_test module)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${module}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${module} ${sources})
  target_link_libraries(test_${module} PRIVATE opbench_${module} GTest::gmock GTest::gtest_main ${ARGN})
  target_compile_options(test_${module} PRIVATE -O1)
  if(TARGET test_base AND NOT module STREQUAL base)
    target_precompile_headers(test_${module} REUSE_FROM test_base)
  else()
    target_precompile_headers(test_${module} PRIVATE
      <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <filesystem> <string> <vector>)
  endif()
  target_compile_definitions(test_${module} PRIVATE
    OPBENCH_TEST_FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures"
    OPBENCH_BINARY_DIR="${PROJECT_BINARY_DIR}/bin")
  add_test(NAME unit.${module} COMMAND test_${module})
endfunction()
