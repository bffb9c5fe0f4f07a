# SPDX-License-Identifier: MIT OR Apache-2.0
# Each examples/x.c or x.cpp is a program of its own: build/<preset>/examples/x, target example_x. Those in C++ need a compiler for it.
file(GLOB CUCORE_EXAMPLES CONFIGURE_DEPENDS examples/*.c)
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    file(GLOB CUCORE_CXX_EXAMPLES CONFIGURE_DEPENDS examples/*.cpp)
    list(APPEND CUCORE_EXAMPLES ${CUCORE_CXX_EXAMPLES})
endif()
foreach(source ${CUCORE_EXAMPLES})
    cmake_path(GET source STEM name)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE cucore cucore_warnings ${CMAKE_DL_LIBS} m)
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples
                                                         CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endforeach()
