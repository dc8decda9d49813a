# What `cmake --install` leaves: the programs with their runtime folder, and find_package(gate) for
# people's own GoogleTest programs.
# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)
set(GATE_HOME ${CMAKE_INSTALL_LIBEXECDIR}/gate)   # programs look for `runtime` beside themselves

# Everything of ours and of third parties stays inside: a test program has its own GoogleTest.
file(GLOB launcher_sources CONFIGURE_DEPENDS gate/testing/*.cpp)
add_library(gate_launcher SHARED ${launcher_sources})
target_link_libraries(gate_launcher PRIVATE gate_core)
set_target_properties(gate_launcher PROPERTIES
  EXPORT_NAME launcher CXX_VISIBILITY_PRESET hidden
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/launcher.map)
target_link_options(gate_launcher PRIVATE
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/launcher.map)
target_include_directories(gate_launcher INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(TARGETS gate gate-worker RUNTIME DESTINATION ${GATE_HOME})
install(PROGRAMS $<TARGET_FILE_DIR:gate>/gate-publish DESTINATION ${GATE_HOME} OPTIONAL)
install(DIRECTORY ${CMAKE_BINARY_DIR}/runtime DESTINATION ${GATE_HOME})
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  file(RELATIVE_PATH program \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\"
       \"\${CMAKE_INSTALL_PREFIX}/${GATE_HOME}/gate\")
  file(CREATE_LINK \${program}
       \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/gate\" SYMBOLIC)")
install(TARGETS gate_launcher EXPORT gateTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT testing)
install(FILES gate/testing/testing.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gate
        COMPONENT testing)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gate)
install(EXPORT gateTargets NAMESPACE gate:: DESTINATION ${package_folder} COMPONENT testing)
configure_package_config_file(cmake/gateConfig.cmake.in ${CMAKE_BINARY_DIR}/gateConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS GATE_HOME)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gateConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/gateConfig.cmake ${CMAKE_BINARY_DIR}/gateConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT testing)
