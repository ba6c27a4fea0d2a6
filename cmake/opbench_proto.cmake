# The C++ of proto/*.proto, one library. Generated code is checked by none of our flags.
file(GLOB protos RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/proto/*.proto)
set(proto_root ${PROJECT_BINARY_DIR}/generated/cpp)  # holds proto/<name>.pb.h
file(MAKE_DIRECTORY ${proto_root})
set(proto_sources "")
foreach(proto IN LISTS protos)
  string(REGEX REPLACE "\\.proto$" ".pb" stem ${proto_root}/${proto})
  add_custom_command(OUTPUT ${stem}.cc ${stem}.h
    COMMAND protobuf::protoc --proto_path=${PROJECT_SOURCE_DIR} --cpp_out=${proto_root} ${proto}
    DEPENDS ${PROJECT_SOURCE_DIR}/${proto} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
  list(APPEND proto_sources ${stem}.cc ${stem}.h)
endforeach()
add_library(opbench_proto STATIC ${proto_sources})
target_link_libraries(opbench_proto PUBLIC protobuf::libprotobuf)
target_include_directories(opbench_proto SYSTEM PUBLIC ${proto_root})
