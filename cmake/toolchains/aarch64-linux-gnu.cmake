# For aarch64 on another Debian machine: g++-aarch64-linux-gnu compiles, and
# utils/get-sysroot arm64 fetches what it compiles against. Programs run by qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(cache $ENV{XDG_CACHE_HOME})
if(NOT cache)
  set(cache $ENV{HOME}/.cache)
endif()
set(JOPT_SYSROOT ${cache}/jopt/sysroots/arm64 CACHE PATH
  "Packages of the other machine, unpacked")
if(NOT EXISTS ${JOPT_SYSROOT}/usr/include)
  message(FATAL_ERROR "${JOPT_SYSROOT} is no sysroot: run utils/get-sysroot arm64")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JOPT_SYSROOT)
set(CMAKE_SYSROOT ${JOPT_SYSROOT})
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${JOPT_SYSROOT})

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# LLVM's tools are those of this machine.
set(JOPT_LLVM_TOOLS /usr/lib/llvm-19/bin)
