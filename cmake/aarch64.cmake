# SPDX-License-Identifier: MIT OR Apache-2.0
# For a machine of another kind: Debian's cross-compiler for aarch64. scripts/test-aarch64 fetches what the tests need of that kind.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# QEMU_LD_PREFIX tells it where the loader and libc are: the preset for tests sets it.
find_program(CUCORE_QEMU qemu-aarch64)
if(CUCORE_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${CUCORE_QEMU})
endif()

set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/../.tools/aarch64/root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
