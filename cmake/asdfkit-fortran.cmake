# Defines asdfkit::fortran: the Fortran modules as a static library. It is compiled from source in the build directory of
# the project that uses it, with the compiler of that project, because compilers do not read each other's modules.

# Sets `result` to the compiler and its major version, such as gfortran-12. Directories of modules have this name.
function(asdfkit_fortran_compiler result)
  set(names GNU gfortran IntelLLVM ifx Intel ifort LLVMFlang flang Flang flang NVHPC nvfortran)
  list(FIND names "${CMAKE_Fortran_COMPILER_ID}" index)
  if(index EQUAL -1)
    string(TOLOWER "${CMAKE_Fortran_COMPILER_ID}" name)
  else()
    math(EXPR index "${index} + 1")
    list(GET names ${index} name)
  endif()
  string(REGEX MATCH "^[0-9]+" major "${CMAKE_Fortran_COMPILER_VERSION}")
  set(${result} "${name}-${major}" PARENT_SCOPE)
endfunction()

# Gives asdfkit_fortran the options of the directory that change the kinds of the language, also those that the project
# adds after it defined the target: both must be compiled with the same ones. CMAKE_Fortran_FLAGS holds for all anyway.
function(asdfkit_pass_kinds)
  get_directory_property(options COMPILE_OPTIONS)
  list(FILTER options INCLUDE REGEX "^(-fdefault-(integer|real|double)-[0-9]+|-[ir]8|[-/]integer-size.*|[-/]real-size.*|[-/]4[IR]8)$")
  get_target_property(own asdfkit_fortran COMPILE_OPTIONS)
  list(REMOVE_ITEM options ${own})
  target_compile_options(asdfkit_fortran PRIVATE ${options})
endfunction()

# asdfkit_add_fortran(DIRECTORY): adds the target for the sources in DIRECTORY/src, if the project has enabled Fortran. A
# project that does not link to the target does not compile it. Without the directory there is no target.
function(asdfkit_add_fortran directory)
  if(TARGET asdfkit::fortran OR NOT CMAKE_Fortran_COMPILER_LOADED OR NOT EXISTS "${directory}")
    return()
  endif()
  asdfkit_fortran_compiler(compiler)
  set(module_dir "${CMAKE_CURRENT_BINARY_DIR}/asdfkit-fortran/${compiler}")
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/src/*.f90")
  add_library(asdfkit_fortran STATIC EXCLUDE_FROM_ALL ${sources})
  add_library(asdfkit::fortran ALIAS asdfkit_fortran)
  set_target_properties(asdfkit_fortran PROPERTIES
    Fortran_MODULE_DIRECTORY "${module_dir}"
    POSITION_INDEPENDENT_CODE ON)
  # gfortran warns about allocatable strings that are not uninitialized. The flags of the project may make this an error.
  target_compile_options(asdfkit_fortran PRIVATE $<$<Fortran_COMPILER_ID:GNU>:-w>)
  cmake_language(DEFER CALL asdfkit_pass_kinds)
  target_include_directories(asdfkit_fortran INTERFACE "$<BUILD_INTERFACE:${module_dir}>")
  target_link_libraries(asdfkit_fortran PUBLIC asdfkit::asdfkit)
endfunction()
