# SPDX-License-Identifier: MIT OR Apache-2.0
# CUCORE_SANITIZE holds for the library, the simulated driver and the tests alike: a race between two of them is a race too.
if(CUCORE_SANITIZE)
    add_compile_options(-fsanitize=${CUCORE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CUCORE_SANITIZE})
endif()
