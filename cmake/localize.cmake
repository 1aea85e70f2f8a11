# Makes the static library one object whose only global names are those of the header, so that a program can hold another
# zstd or another library of Rust:
#
#   cmake -DBUILT=… -DSHARED=… -DRESULT=… -DLINKER=… -DOBJCOPY=… -DNM=… -DAR=… -P localize.cmake
#
# The names are those that the shared library exports.
get_filename_component(directory "${RESULT}" DIRECTORY)
set(object "${directory}/asdfkit.o")
execute_process(COMMAND "${NM}" -D --defined-only "${SHARED}" OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "asdf_[a-z0-9_]+" names "${table}")
set(roots "")
foreach(name IN LISTS names)
  list(APPEND roots -u ${name})
endforeach()
if(NOT roots)
  message(FATAL_ERROR "${SHARED} exports no names")
endif()
execute_process(COMMAND "${LINKER}" -r ${roots} "${BUILT}" -o "${object}" COMMAND_ERROR_IS_FATAL ANY)
# Rust's own objects hold code of LLVM beside that of the machine, which nothing reads.
execute_process(
  COMMAND "${OBJCOPY}" --remove-section=.llvmbc --remove-section=.llvmcmd --wildcard --keep-global-symbol=asdf_*
          "${object}"
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE "${RESULT}")
execute_process(COMMAND "${AR}" rcs "${RESULT}" "${object}" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE "${object}")
