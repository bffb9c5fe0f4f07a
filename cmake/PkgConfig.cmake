# SPDX-License-Identifier: MIT OR Apache-2.0
# A path that the packager gave as absolute stays so; others hang on ${prefix}, so that the file can be moved.
function(cucore_pkgconfig_path out directory)
    if(IS_ABSOLUTE "${directory}")
        set(${out} "${directory}" PARENT_SCOPE)
    else()
        set(${out} "\${prefix}/${directory}" PARENT_SCOPE)
    endif()
endfunction()

cucore_pkgconfig_path(CUCORE_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
cucore_pkgconfig_path(CUCORE_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/cucore.pc.in cucore.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cucore.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
