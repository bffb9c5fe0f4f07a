# SPDX-License-Identifier: MIT OR Apache-2.0
# cucore_hardening: what distributions expect of a shared library, as far as this compiler and machine know it.
include(CheckCCompilerFlag)

add_library(cucore_hardening INTERFACE)
target_link_options(cucore_hardening INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(branch_protection -mbranch-protection=standard)
else()
    set(branch_protection -fcf-protection)
endif()
foreach(flag -fno-semantic-interposition -fstack-protector-strong -fstack-clash-protection ${branch_protection})
    string(MAKE_C_IDENTIFIER "CUCORE_HAS${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
        target_compile_options(cucore_hardening INTERFACE ${flag})
    endif()
endforeach()

# Fortification needs an optimising build, and hides from sanitizers what it checks itself.
if(NOT CUCORE_SANITIZE)
    target_compile_options(cucore_hardening INTERFACE
                           $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>)
endif()
