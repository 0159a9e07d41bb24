# `cmake --install` gives a library for find_package(talus) and pkg-config, and the program.
include(CMakePackageConfigHelpers)
install(TARGETS talus_engine EXPORT talusTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/talus ${CMAKE_BINARY_DIR}/include/talus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET talus_cli)
  install(TARGETS talus_cli DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY gallery DESTINATION ${CMAKE_INSTALL_DATADIR}/talus)  # what `talus reproduce` reads
endif()
install(EXPORT talusTargets NAMESPACE talus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/talus)
configure_package_config_file(cmake/talusConfig.cmake.in ${CMAKE_BINARY_DIR}/talusConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/talus)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/talusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/talusConfig.cmake ${CMAKE_BINARY_DIR}/talusConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/talus)
# Relative, so that `cmake --install --prefix` and a moved tree give a talus.pc that is right.
file(RELATIVE_PATH talus_pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/talus.pc.in ${CMAKE_BINARY_DIR}/talus.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/talus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
