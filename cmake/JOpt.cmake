# The compile rules of the project, in one place: every library and tool is
# declared with the functions below and sets no flags of its own.

set(LLVM_TABLEGEN_EXE ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_library(jopt_flags INTERFACE)
target_include_directories(jopt_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_include_directories(jopt_flags SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(JOPT_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(jopt_flags INTERFACE ${JOPT_LLVM_DEFINITIONS})
# Symbols stay visible, since plugins take theirs from the tool; nobody puts
# others in their place, so calls may still be inlined. Shared objects hide what
# they link with --exclude-libs.
target_compile_options(jopt_flags INTERFACE
  -Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition
  -ffunction-sections -fdata-sections
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>)
if(JOPT_WERROR)
  target_compile_options(jopt_flags INTERFACE -Werror)
endif()
target_link_options(jopt_flags INTERFACE -Wl,--gc-sections)
if(JOPT_FUZZ)
  # Coverage counters in every library; the targets add the fuzzer's main.
  target_compile_options(jopt_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(jopt_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(JOPT_SANITIZE)
  target_compile_options(jopt_flags INTERFACE
    -fsanitize=${JOPT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize=vptr)
  target_link_options(jopt_flags INTERFACE -fsanitize=${JOPT_SANITIZE})
else()
  # Nothing unwinds through jopt: tables for that would be 6 % of the agent.
  target_compile_options(jopt_flags INTERFACE
    -fno-unwind-tables -fno-asynchronous-unwind-tables)
  # A tool for any Debian-like machine needs libc and nothing else.
  target_link_options(jopt_flags INTERFACE -static-libstdc++ -static-libgcc)
endif()

# Code is laid out, inlined and split by what ran in training: utils/build-profiled
# makes both builds. Data of a source are found by the name of its object file in
# the build folder, so they may be from another folder or machine; what training
# did not reach is compiled as it is without a profile.
if(JOPT_PROFILE STREQUAL "generate")
  # Of threads too, whose counts are not lost.
  set(profile -fprofile-generate=${JOPT_PROFILE_DIR}
    -fprofile-update=prefer-atomic)
elseif(JOPT_PROFILE STREQUAL "use")
  # Functions of generated headers, whose paths are others then, have none.
  set(profile -fprofile-use=${JOPT_PROFILE_DIR} -fprofile-correction
    -fprofile-partial-training -Wno-missing-profile -Wno-coverage-mismatch)
elseif(NOT JOPT_PROFILE STREQUAL "off")
  message(FATAL_ERROR "JOPT_PROFILE is off, generate or use")
endif()
if(profile)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR
     CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
    message(FATAL_ERROR "JOPT_PROFILE needs GCC 12 or later")
  endif()
  list(APPEND profile -fprofile-prefix-path=${PROJECT_BINARY_DIR})
  target_compile_options(jopt_flags INTERFACE ${profile})
  target_link_options(jopt_flags INTERFACE ${profile})
endif()

# LLVMSupport is named as an archive: LLVM's own CMake would bring in the
# 129 MB shared library.
# The linker notes that a shared library is needed before it drops the code that
# needed it: where one is static, it is taken.
find_library(ZLIB_ARCHIVE NAMES libz.a z REQUIRED)
find_library(ZSTD_ARCHIVE NAMES libzstd.a zstd REQUIRED)
add_library(jopt_llvm_support INTERFACE)
target_link_libraries(jopt_llvm_support INTERFACE
  ${LLVM_LIBRARY_DIRS}/libLLVMSupport.a ${LLVM_LIBRARY_DIRS}/libLLVMDemangle.a
  Threads::Threads ${CMAKE_DL_LIBS} ${ZLIB_ARCHIVE} ${ZSTD_ARCHIVE})

# With JOPT_PCH the headers that most sources include are read once for all
# libraries that are compiled alike.
function(jopt_precompile target options)
  set(from jopt_pch)
  if(options)
    set(from jopt_pch_small)
  endif()
  if(NOT JOPT_PCH)
    return()
  endif()
  if(NOT TARGET ${from})
    set(source ${PROJECT_BINARY_DIR}/${from}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${from} OBJECT ${source})
    target_link_libraries(${from} PRIVATE jopt_flags jopt_llvm_support)
    target_compile_options(${from} PRIVATE ${options})
    target_precompile_headers(${from} PRIVATE
      ${PROJECT_SOURCE_DIR}/cmake/precompiled.h)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${from})
endfunction()

# jopt_tablegen(<target> <file.td> <generator-flag> <output.inc>)
# Output is relative to the build's include folder.
function(jopt_tablegen target td flag out)
  set(output ${PROJECT_BINARY_DIR}/include/${out})
  get_filename_component(dir ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${dir})
  file(GLOB_RECURSE deps CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.td)
  add_custom_command(OUTPUT ${output}
    COMMAND ${LLVM_TABLEGEN_EXE} ${flag} -I ${LLVM_INCLUDE_DIRS}
            -I ${PROJECT_SOURCE_DIR}/include
            ${PROJECT_SOURCE_DIR}/${td} -o ${output}
    DEPENDS ${deps} COMMENT "Generating ${out}" VERBATIM)
  add_custom_target(${target} DEPENDS ${output})
endfunction()

# jopt_generate(<target> <file.td> <script.py> <output.inc> [<argument>...])
# What jopt's own script makes of the table as JSON: it is given the JSON's path,
# the arguments, and the output, which is relative to the build's include folder.
function(jopt_generate target td script out)
  set(output ${PROJECT_BINARY_DIR}/include/${out})
  cmake_path(REPLACE_EXTENSION output json OUTPUT_VARIABLE json)
  get_filename_component(dir ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${dir})
  file(GLOB_RECURSE deps CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.td)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/utils/gen_*.py)
  add_custom_command(OUTPUT ${output} ${json}
    COMMAND ${LLVM_TABLEGEN_EXE} --dump-json -I ${PROJECT_SOURCE_DIR}/include
            ${PROJECT_SOURCE_DIR}/${td} -o ${json}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/${script} ${json}
            ${ARGN} ${output}
    DEPENDS ${deps} ${scripts} COMMENT "Generating ${out}" VERBATIM)
  add_custom_target(${target} DEPENDS ${output})
endfunction()

# jopt_page(<target> <page.html> <output.inc>)
# The bytes of a page with what all pages share (lib/Support/Page.css, Page.js,
# Page.html). Output is relative to the build's include folder.
function(jopt_page target page out)
  set(output ${PROJECT_BINARY_DIR}/include/${out})
  get_filename_component(dir ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${dir})
  set(shared ${PROJECT_SOURCE_DIR}/lib/Support)
  set(embed ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D INPUT=${CMAKE_CURRENT_SOURCE_DIR}/${page}
            -D SHARED=${shared} -D OUTPUT=${output} -P ${embed}
    DEPENDS ${page} ${shared}/Page.html ${shared}/Page.css ${shared}/Page.js
            ${embed}
    COMMENT "Generating ${out}" VERBATIM)
  add_custom_target(${target} DEPENDS ${output})
endfunction()

# jopt_library(<name> SOURCES ... [LINK ...] [DEPENDS ...] [SMALL])
# The library jopt<name> of the folder lib/<name>. LINK names the libraries it
# may use: only those above it in docs/Architecture.md. SMALL: no class file's time
# depends on it, but the size of the agent does.
function(jopt_library name)
  cmake_parse_arguments(ARG "SMALL" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(jopt${name} STATIC ${ARG_SOURCES})
  set(options)
  if(ARG_SMALL)
    set(options $<$<CONFIG:Release>:-Os>)
  endif()
  target_compile_options(jopt${name} PRIVATE ${options})
  jopt_precompile(jopt${name} "${options}")
  target_link_libraries(jopt${name} PUBLIC jopt_flags ${ARG_LINK} jopt_llvm_support)
  if(ARG_DEPENDS)
    add_dependencies(jopt${name} ${ARG_DEPENDS})
  endif()
  install(TARGETS jopt${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT archives)
endfunction()

# jopt_export_symbols(<tool> LIBS ...)
# The tool carries the whole of LIBS and of LLVMSupport, and exports them to the
# plugins it loads. Two copies of the C++ library live side by side, as a plugin
# brings the shared one.
function(jopt_export_symbols tool)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  # Debian builds Support with an SMT solver that nobody here wants to link.
  set(support ${PROJECT_BINARY_DIR}/lib/libLLVMSupportWhole.a)
  add_custom_command(OUTPUT ${support}
    COMMAND ${CMAKE_COMMAND} -E copy
            ${LLVM_LIBRARY_DIRS}/libLLVMSupport.a ${support}
    COMMAND ${CMAKE_AR} d ${support} Z3Solver.cpp.o
    COMMENT "LLVMSupport for plugins" VERBATIM)
  add_custom_target(${tool}_support DEPENDS ${support})
  add_dependencies(${tool} ${tool}_support)
  set(whole)
  foreach(lib ${ARG_LIBS})
    list(APPEND whole $<TARGET_FILE:${lib}>)
  endforeach()
  set_target_properties(${tool} PROPERTIES ENABLE_EXPORTS ON)
  target_link_options(${tool} PRIVATE
    LINKER:--exclude-libs,libstdc++.a:libgcc.a:libgcc_eh.a
    LINKER:--whole-archive ${whole} ${support} LINKER:--no-whole-archive)
endfunction()

# What plugins compile against: find_package(jopt) in the build tree
# (-Djopt_DIR=<build>/cmake) or installed.
set(JOPT_CONFIG_INCLUDE_DIRS
  "${PROJECT_SOURCE_DIR}/include;${PROJECT_BINARY_DIR}/include")
configure_file(${PROJECT_SOURCE_DIR}/cmake/joptConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/joptConfig.cmake @ONLY)
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/cmake/jopt /)
set(JOPT_CONFIG_INCLUDE_DIRS
  "\${CMAKE_CURRENT_LIST_DIR}/${to_prefix}${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/joptConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/installed/joptConfig.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/installed/joptConfig.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jopt COMPONENT dev)
# Schemas of probe files, for editors; what builds take.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/share/probekit
                  ${PROJECT_SOURCE_DIR}/share/builds
  DESTINATION ${CMAKE_INSTALL_DATADIR}/jopt COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/jopt
                  ${PROJECT_BINARY_DIR}/include/jopt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "*.def")
