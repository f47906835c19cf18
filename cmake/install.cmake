# What `cmake --install` adds to the two libraries: headers, and files by which CMake and pkg-config find cuttle. The prefix may be moved.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/dsl/include/ ${PROJECT_SOURCE_DIR}/runtime/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cuttle)
install(EXPORT cuttle NAMESPACE cuttle:: FILE cuttle-targets.cmake DESTINATION ${config_folder})
install(FILES cmake/cuttle-config.cmake cmake/cuttle_embed_headers.cmake cmake/embed_header.cmake DESTINATION ${config_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cuttle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cuttle-config-version.cmake DESTINATION ${config_folder})

set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /${pkgconfig_folder} /)
configure_file(cmake/cuttle.pc.in cuttle.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cuttle.pc DESTINATION ${pkgconfig_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
