# SPDX-License-Identifier: MIT OR Apache-2.0
# What is built for users is the same, bit for bit, wherever the sources and the build folder lie: no path of either gets into it.
# Of two prefixes that fit, gcc takes the one given last: the build folder often lies in the sources. The linker is told too,
# since it compiles what is optimised as a whole.
foreach(map ${PROJECT_SOURCE_DIR}=. ${PROJECT_BINARY_DIR}=build)
    add_compile_options($<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-ffile-prefix-map=${map}>)
    add_link_options($<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-ffile-prefix-map=${map}>)
endforeach()
