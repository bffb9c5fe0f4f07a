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
# Where nothing was given as absolute, the prefix follows the file: `cmake --install --prefix` works, and so does moving.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(CUCORE_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH CUCORE_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
    string(REGEX REPLACE "/$" "" CUCORE_PC_PREFIX "\${pcfiledir}/${CUCORE_PC_PREFIX}")
endif()

# cucore_install_pkgconfig(name): cmake/<name>.pc.in, filled in.
function(cucore_install_pkgconfig name)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
