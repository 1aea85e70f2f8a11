# Install rules: header, libraries, CMake package, pkg-config file, licences, documents and examples. All of it may be
# moved afterwards.

set(header_dir "${CMAKE_INSTALL_INCLUDEDIR}/asdfkit")
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/asdfkit")
if(WIN32)
  set(runtime_dir "${CMAKE_INSTALL_BINDIR}")
else()
  set(runtime_dir "${CMAKE_INSTALL_LIBDIR}")
endif()

install(FILES "${PROJECT_SOURCE_DIR}/include/asdf.h" DESTINATION "${header_dir}")

set(library_files ${static_file} ${import_file} ${shared_links})
list(TRANSFORM library_files PREPEND "${library_dir}/")
install(FILES ${library_files} DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(PROGRAMS "${library_dir}/${shared_file}" DESTINATION "${runtime_dir}")

# What is installed holds no debug information.
if(CMAKE_STRIP AND NOT WIN32)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/strip.cmake.in" "${PROJECT_BINARY_DIR}/strip.cmake" @ONLY)
  install(SCRIPT "${PROJECT_BINARY_DIR}/strip.cmake")
endif()

set(document_dir "${CMAKE_INSTALL_DOCDIR}")
foreach(document README.md CHANGELOG.md SECURITY.md LICENSE-APACHE LICENSE-MIT THIRD-PARTY-LICENSES.md)
  install(FILES "${PROJECT_SOURCE_DIR}/${document}" DESTINATION "${document_dir}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples-c" DESTINATION "${document_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/asdfkit-config.cmake.in" "${PROJECT_BINARY_DIR}/asdfkit-config.cmake"
  INSTALL_DESTINATION "${package_dir}"
  PATH_VARS header_dir runtime_dir CMAKE_INSTALL_LIBDIR)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/asdfkit-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/asdfkit-config.cmake"
        "${PROJECT_BINARY_DIR}/asdfkit-config-version.cmake"
        "${PROJECT_BINARY_DIR}/asdfkit-targets.cmake"
  DESTINATION "${package_dir}")

# In the .pc file everything hangs on the place of the file itself, unless the directories are absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
  set(pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/asdfkit.pc.in" "${PROJECT_BINARY_DIR}/asdfkit.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/asdfkit.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
