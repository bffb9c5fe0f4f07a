# SPDX-License-Identifier: MIT OR Apache-2.0
# Each examples/x.c is a program of its own: build/<preset>/examples/x, target example_x.
file(GLOB CUCORE_EXAMPLES CONFIGURE_DEPENDS examples/*.c)
foreach(source ${CUCORE_EXAMPLES})
    cmake_path(GET source STEM name)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE cucore cucore_warnings ${CMAKE_DL_LIBS} m)
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
endforeach()
