# SPDX-License-Identifier: MIT OR Apache-2.0
# cucore_warnings: link a target to it (PRIVATE) to hold it to the project's warnings.
add_library(cucore_warnings INTERFACE)
target_compile_options(cucore_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                 $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
                                                 $<$<BOOL:${CUCORE_WERROR}>:-Werror>)
