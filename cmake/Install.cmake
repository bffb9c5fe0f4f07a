# SPDX-License-Identifier: MIT OR Apache-2.0
# The library for those who link it: by hand, with pkg-config, or with find_package(cucore) and cucore::cucore or cucore::cucore_static.
include(CMakePackageConfigHelpers)

set(CUCORE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/cucore)
install(TARGETS cucore cucore_static EXPORT cucore LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
                                                   ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${CUCORE_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cucore_v1)

install(EXPORT cucore NAMESPACE cucore:: FILE cucoreTargets.cmake DESTINATION ${CUCORE_PACKAGE_DIR})
configure_package_config_file(cmake/cucoreConfig.cmake.in cucoreConfig.cmake INSTALL_DESTINATION ${CUCORE_PACKAGE_DIR}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(cucoreConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cucoreConfig.cmake ${PROJECT_BINARY_DIR}/cucoreConfigVersion.cmake
        DESTINATION ${CUCORE_PACKAGE_DIR})

include(cmake/PkgConfig.cmake)
cucore_install_pkgconfig(cucore)

# The simulated driver has the real one's file name, so its folder must not be one that the loader searches.
if(CUCORE_INSTALL_SIM)
    set(CUCORE_SIM_DIR ${CMAKE_INSTALL_LIBDIR}/cucore-sim)
    install(TARGETS cusim LIBRARY DESTINATION ${CUCORE_SIM_DIR} NAMELINK_SKIP)
    install(TARGETS cusim_nvrtc cusim_nvjitlink LIBRARY DESTINATION ${CUCORE_SIM_DIR}/compilers NAMELINK_SKIP)
    install(FILES sim/cusim.h sim/cusim_compilers.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cucore-sim)
    cucore_install_pkgconfig(cucore-sim)
endif()
