# What jopt's libraries link besides each other, as targets jopt::NAME. jopt's own
# build reads this file, and so does find_package(jopt) in the project that calls it.

# LLVM's version file accepts its own minor version only. It is asked for one all
# the same: where several LLVMs are installed, that finds the right one.
find_package(LLVM 19.1 QUIET CONFIG HINTS ${JOPT_LLVM_HINT})
if(NOT LLVM_FOUND)
  find_package(LLVM REQUIRED CONFIG HINTS ${JOPT_LLVM_HINT})
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL 19)
  message(FATAL_ERROR "jopt needs LLVM 19. ${LLVM_DIR} has ${LLVM_PACKAGE_VERSION}: "
    "set LLVM_DIR to another")
endif()
find_package(Threads REQUIRED)

# jopt_dependency(<name> <library> <header> [<library>...])
# jopt::<name>, an archive where JOPT_STATIC_RUNTIME is on. A library that is
# missing stops only those that link it: a plugin links none.
function(jopt_dependency name library header)
  if(TARGET jopt::${name})
    return()
  endif()
  set(variable JOPT_${name}_LIBRARY)
  if(JOPT_STATIC_RUNTIME)
    set(variable JOPT_${name}_ARCHIVE)
    set(library lib${library}.a)
  endif()
  find_library(${variable} ${library})
  find_path(JOPT_${name}_INCLUDE_DIR ${header})
  add_library(jopt::${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(jopt::${name} INTERFACE ${JOPT_${name}_INCLUDE_DIR})
  target_link_libraries(jopt::${name} INTERFACE ${${variable}} ${ARGN})
endfunction()
jopt_dependency(zlib z zlib.h)
jopt_dependency(zstd zstd zstd.h)
jopt_dependency(deflate deflate libdeflate.h)
jopt_dependency(expat expat expat.h)
jopt_dependency(sqlite sqlite3 sqlite3.h m)
# Headers alone.
if(NOT TARGET jopt::protozero)
  find_path(JOPT_protozero_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED)
  add_library(jopt::protozero INTERFACE IMPORTED GLOBAL)
  target_include_directories(jopt::protozero INTERFACE
    ${JOPT_protozero_INCLUDE_DIR})
endif()

if(NOT TARGET jopt::LLVMSupport)
  add_library(jopt::LLVMHeaders INTERFACE IMPORTED GLOBAL)
  separate_arguments(JOPT_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(jopt::LLVMHeaders INTERFACE ${JOPT_LLVM_DEFINITIONS})
  target_include_directories(jopt::LLVMHeaders INTERFACE ${LLVM_INCLUDE_DIRS})
  # Archives by their names: LLVM's own targets would bring in the shared library
  # of 129 MB.
  add_library(jopt::LLVMSupport INTERFACE IMPORTED GLOBAL)
  target_link_libraries(jopt::LLVMSupport INTERFACE jopt::LLVMHeaders
    ${LLVM_LIBRARY_DIRS}/libLLVMSupport.a ${LLVM_LIBRARY_DIRS}/libLLVMDemangle.a
    ${CMAKE_THREAD_LIBS_INIT} ${CMAKE_DL_LIBS} jopt::zlib jopt::zstd)
endif()
