# Built-in models are made once and kept. zoo_version() tells those of other sources apart.
set(zoo ${PROJECT_SOURCE_DIR}/src/model/zoo)
file(GLOB_RECURSE zoo_sources CONFIGURE_DEPENDS ${zoo}/*.cpp ${zoo}/*.h)
set(zoo_version ${PROJECT_BINARY_DIR}/generated/zoo_version.cpp)
add_custom_command(OUTPUT ${zoo_version}
  COMMAND ${CMAKE_COMMAND} -D DIR=${zoo} -D OUT=${zoo_version}
          -P ${PROJECT_SOURCE_DIR}/cmake/zoo_version.cmake
  DEPENDS ${zoo_sources} ${PROJECT_SOURCE_DIR}/cmake/zoo_version.cmake VERBATIM)
target_sources(opbench_model_zoo PRIVATE ${zoo_version})
