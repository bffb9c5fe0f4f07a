# SPDX-License-Identifier: MIT OR Apache-2.0
# cucore_coverage: counts what runs of the library, by threads at once too; unoptimised, since the optimiser merges branches. The
# shared library exports __gcov_dump, for processes that end by _exit: tests/support/ending.h.
add_library(cucore_coverage INTERFACE)
if(CUCORE_COVERAGE)
    target_compile_options(cucore_coverage INTERFACE --coverage -fprofile-update=atomic -fprofile-abs-path -O0)
    target_link_options(cucore_coverage INTERFACE --coverage)
    set(export_counts -Wl,-u,__gcov_dump -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/coverage.map)
endif()
