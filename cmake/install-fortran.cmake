# Content of asdfkit-fortran.pc: the sources of the modules in the order of compilation, and flags for compiled modules if
# ASDFKIT_INSTALL_FORTRAN_MODULES is on. Each file holds the module of its name.

set(source_dir "${PROJECT_SOURCE_DIR}/bindings/fortran/src")
file(GLOB waiting RELATIVE "${source_dir}" CONFIGURE_DEPENDS "${source_dir}/*.f90")
set(fortran_sources "")
while(waiting)
  set(blocked "")
  foreach(source IN LISTS waiting)
    file(STRINGS "${source_dir}/${source}" uses REGEX "^ *use +asdfkit")
    list(TRANSFORM uses REPLACE "^ *use +([a-z0-9_]+).*" "\\1.f90")
    list(REMOVE_ITEM uses ${fortran_sources} "${source}")
    if(uses)
      list(APPEND blocked "${source}")
    else()
      list(APPEND fortran_sources "${source}")
    endif()
  endforeach()
  if(blocked STREQUAL waiting)
    message(FATAL_ERROR "These Fortran modules use each other, or a module that does not exist: ${blocked}")
  endif()
  set(waiting "${blocked}")
endwhile()

list(TRANSFORM fortran_sources PREPEND "${source_dir}/" OUTPUT_VARIABLE absolute_sources)
list(TRANSFORM fortran_sources PREPEND "\${sourcedir}/" OUTPUT_VARIABLE pc_sources)
list(JOIN pc_sources " " pc_sources)

# The sources are named relative to their directory: gfortran stores the name of a source in its object. The target
# asdfkit_fortran would store a path of this machine.
if(ASDFKIT_INSTALL_FORTRAN_MODULES)
  asdfkit_fortran_compiler(compiler)
  set(built_modules "${PROJECT_BINARY_DIR}/installed-modules/${compiler}")
  set(built_archive "${built_modules}/${CMAKE_STATIC_LIBRARY_PREFIX}asdfkit_fortran${CMAKE_STATIC_LIBRARY_SUFFIX}")
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_Fortran_FLAGS} ${CMAKE_Fortran_FLAGS_RELEASE} ${CMAKE_Fortran_COMPILE_OPTIONS_PIC}")
  separate_arguments(module_flags NATIVE_COMMAND "${CMAKE_Fortran_MODDIR_FLAG}\"${built_modules}\"")
  set(compile_commands "")
  set(objects "")
  foreach(source IN LISTS fortran_sources)
    set(object "${built_modules}/${source}${CMAKE_Fortran_OUTPUT_EXTENSION}")
    list(APPEND compile_commands
      COMMAND "${CMAKE_Fortran_COMPILER}" ${flags} ${module_flags} -c "${source}" -o "${object}")
    list(APPEND objects "${object}")
  endforeach()
  add_custom_command(OUTPUT "${built_archive}"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${built_modules}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${built_modules}"
    ${compile_commands}
    COMMAND "${CMAKE_AR}" qc "${built_archive}" ${objects}
    COMMAND "${CMAKE_RANLIB}" "${built_archive}"
    WORKING_DIRECTORY "${source_dir}"
    DEPENDS ${absolute_sources}
    COMMENT "Compiling the Fortran modules to install"
    VERBATIM)
  add_custom_target(asdfkit_installed_modules ALL DEPENDS "${built_archive}")

  install(DIRECTORY "${built_modules}/" DESTINATION "${CMAKE_INSTALL_LIBDIR}/asdfkit/${compiler}"
    FILES_MATCHING REGEX "\\.(mod|smod)$|asdfkit_fortran\\${CMAKE_STATIC_LIBRARY_SUFFIX}$")
  set(pc_modules "moduledir=\${libdir}/asdfkit/${compiler}\n")
  set(pc_module_flags "Cflags: -I\${moduledir}\nLibs: -L\${moduledir} -lasdfkit_fortran\n")
endif()
