# Install rules: headers, libraries, the command, Fortran sources, CMake package, pkg-config files, licences, documents,
# examples. All of it may be moved afterwards.

set(header_dir "${CMAKE_INSTALL_INCLUDEDIR}/asdfkit")
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/asdfkit")
if(WIN32)
  set(runtime_dir "${CMAKE_INSTALL_BINDIR}")
else()
  set(runtime_dir "${CMAKE_INSTALL_LIBDIR}")
endif()

install(FILES "${PROJECT_SOURCE_DIR}/include/asdf.h" DESTINATION "${header_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bindings/cpp/" DESTINATION "${header_dir}" FILES_MATCHING PATTERN "*.hpp")

# The interface as data, for generators of bindings.
install(FILES "${PROJECT_SOURCE_DIR}/include/asdfkit-api.json" DESTINATION "${CMAKE_INSTALL_DATADIR}/asdfkit")

# A folder that fpm takes as a package.
set(fortran_dir "${CMAKE_INSTALL_DATADIR}/asdfkit/fortran")
install(FILES "${PROJECT_SOURCE_DIR}/bindings/fortran/fpm.toml" DESTINATION "${fortran_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bindings/fortran/src" DESTINATION "${fortran_dir}")

set(library_files ${static_file} ${import_file} ${shared_links})
list(TRANSFORM library_files PREPEND "${library_dir}/")
install(FILES ${library_files} DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(PROGRAMS "${library_dir}/${shared_file}" DESTINATION "${runtime_dir}")

if(ASDFKIT_BUILD_COMMAND)
  install(PROGRAMS "${command_file}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY "${command_pages}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
  install(FILES "${command_pages}/completions/asdfkit.bash"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME asdfkit)
  install(FILES "${command_pages}/completions/asdfkit.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  install(FILES "${command_pages}/completions/_asdfkit" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

# What is installed holds no debug information.
if(CMAKE_STRIP AND NOT WIN32)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/strip.cmake.in" "${PROJECT_BINARY_DIR}/strip.cmake" @ONLY)
  install(SCRIPT "${PROJECT_BINARY_DIR}/strip.cmake")
endif()

set(document_dir "${CMAKE_INSTALL_DOCDIR}")
foreach(document README.md CHANGELOG.md SECURITY.md LICENSE-APACHE LICENSE-MIT THIRD-PARTY-LICENSES.md)
  install(FILES "${PROJECT_SOURCE_DIR}/${document}" DESTINATION "${document_dir}")
endforeach()
# Files beside the pages that these link to.
foreach(file CONTRIBUTING.md tests/README.md include/asdf.h include/asdfkit-api.json src/lib.rs bindings/cpp/asdf.hpp
    bindings/fortran/src/asdfkit.f90 bindings/julia/AsdfKit/README.md bindings/python/README.md bindings/r/README.md
    bindings/r/asdfkit/DESCRIPTION)
  get_filename_component(place "${file}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/${file}" DESTINATION "${document_dir}/${place}")
endforeach()
foreach(directory docs examples-c examples)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${directory}" DESTINATION "${document_dir}")
endforeach()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/asdfkit-config.cmake.in" "${PROJECT_BINARY_DIR}/asdfkit-config.cmake"
  INSTALL_DESTINATION "${package_dir}"
  PATH_VARS header_dir runtime_dir fortran_dir CMAKE_INSTALL_LIBDIR)
configure_file("${PROJECT_SOURCE_DIR}/cmake/asdfkit-config-version.cmake.in"
  "${PROJECT_BINARY_DIR}/asdfkit-config-version.cmake" @ONLY)
install(
  FILES "${PROJECT_BINARY_DIR}/asdfkit-config.cmake"
        "${PROJECT_BINARY_DIR}/asdfkit-config-version.cmake"
        "${PROJECT_BINARY_DIR}/asdfkit-targets.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/asdfkit-fortran.cmake"
  DESTINATION "${package_dir}")

# In the .pc files everything hangs on the place of the file itself, unless the directories are absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(kind IN ITEMS lib include data)
  string(TOUPPER "CMAKE_INSTALL_${kind}DIR" directory)
  set(pc_${kind}dir "${${directory}}")
  if(NOT IS_ABSOLUTE "${pc_${kind}dir}")
    set(pc_${kind}dir "\${prefix}/${pc_${kind}dir}")
  endif()
endforeach()

include(cmake/install-fortran.cmake)
foreach(package asdfkit asdfkit-fortran)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in" "${PROJECT_BINARY_DIR}/${package}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${package}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
