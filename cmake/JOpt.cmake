# The compile rules of the project, in one place: every library and tool is
# declared with the functions below and sets no flags of its own. The rules do not
# reach programs that link the libraries.

# Of the machine that builds; a toolchain file may have set it.
if(NOT JOPT_LLVM_TOOLS)
  set(JOPT_LLVM_TOOLS ${LLVM_TOOLS_BINARY_DIR})
endif()
set(LLVM_TABLEGEN_EXE ${JOPT_LLVM_TOOLS}/llvm-tblgen)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Symbols stay visible, since plugins take theirs from the tool; nobody puts
# others in their place, so calls may still be inlined. Shared objects hide what
# they link with --exclude-libs.
set(JOPT_COMPILE_OPTIONS
  -Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition
  -ffunction-sections -fdata-sections
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
if(JOPT_WERROR)
  list(APPEND JOPT_COMPILE_OPTIONS -Werror)
endif()
set(JOPT_LINK_OPTIONS -Wl,--gc-sections)
if(JOPT_FUZZ)
  # Coverage counters in every library; the targets add the fuzzer's main.
  list(APPEND JOPT_COMPILE_OPTIONS -fsanitize=fuzzer-no-link)
  list(APPEND JOPT_LINK_OPTIONS -fsanitize=fuzzer-no-link)
endif()
if(JOPT_SANITIZE)
  list(APPEND JOPT_COMPILE_OPTIONS
    -fsanitize=${JOPT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize=vptr)
  list(APPEND JOPT_LINK_OPTIONS -fsanitize=${JOPT_SANITIZE})
else()
  # Nothing unwinds through jopt: tables for that would be 6 % of the agent.
  # Debuggers and profilers do, so RelWithDebInfo keeps the tables.
  list(APPEND JOPT_COMPILE_OPTIONS
    $<$<CONFIG:Release,MinSizeRel>:-fno-unwind-tables>
    $<$<CONFIG:Release,MinSizeRel>:-fno-asynchronous-unwind-tables>)
  # A tool for any Debian-like machine needs libc and nothing else.
  if(JOPT_STATIC_RUNTIME)
    list(APPEND JOPT_LINK_OPTIONS -static-libstdc++ -static-libgcc)
  endif()
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
  list(APPEND JOPT_COMPILE_OPTIONS ${profile})
  list(APPEND JOPT_LINK_OPTIONS ${profile})
endif()

# What a source that includes jopt's headers needs. Plugins link nothing else.
add_library(joptHeaders INTERFACE)
add_library(jopt::Headers ALIAS joptHeaders)
set_target_properties(joptHeaders PROPERTIES EXPORT_NAME Headers)
target_compile_features(joptHeaders INTERFACE cxx_std_17)
target_include_directories(joptHeaders INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(joptHeaders INTERFACE jopt::LLVMHeaders)
install(TARGETS joptHeaders EXPORT jopt)

# jopt_rules(<target>): compiles and links it by the rules above.
function(jopt_rules target)
  target_compile_options(${target} PRIVATE ${JOPT_COMPILE_OPTIONS})
  target_link_options(${target} PRIVATE ${JOPT_LINK_OPTIONS})
  target_link_libraries(${target} PUBLIC joptHeaders)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
endfunction()

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
    target_compile_options(${from} PRIVATE ${options})
    jopt_rules(${from})
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

# jopt_page(<target> <page.html> <output.inc> [<part>...])
# The bytes of a page with what all pages share (lib/Support/Page.css, Page.js,
# Page.html) and with its own parts. Output is relative to the build's include
# folder.
function(jopt_page target page out)
  set(output ${PROJECT_BINARY_DIR}/include/${out})
  get_filename_component(dir ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${dir})
  set(shared ${PROJECT_SOURCE_DIR}/lib/Support)
  set(embed ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE parts)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D INPUT=${CMAKE_CURRENT_SOURCE_DIR}/${page}
            -D SHARED=${shared} -D "PARTS=${parts}" -D OUTPUT=${output}
            -P ${embed}
    DEPENDS ${page} ${parts} ${shared}/Page.html ${shared}/Page.css
            ${shared}/Page.js ${embed}
    COMMENT "Generating ${out}" VERBATIM)
  add_custom_target(${target} DEPENDS ${output})
endfunction()

# A unity build (CMAKE_UNITY_BUILD) compiles the sources of one folder together.
# Folders stay apart, since the front-ends of probes use the same names.
function(jopt_unite target)
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH folder)
    if(folder)
      set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    else()
      set(folder own)
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()

# jopt_library(<name> SOURCES ... [LINK ...] [DEPENDS ...] [SMALL])
# The library jopt<name> of the folder lib/<name>, for others jopt::<name>. LINK
# names the libraries it may use: only those above it in docs/Architecture.md.
# SMALL: no class file's time depends on it, but the size of the agent does.
function(jopt_library name)
  cmake_parse_arguments(ARG "SMALL" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(jopt${name} STATIC ${ARG_SOURCES})
  add_library(jopt::${name} ALIAS jopt${name})
  set(options)
  if(ARG_SMALL)
    set(options $<$<CONFIG:Release>:-Os>)
  endif()
  target_compile_options(jopt${name} PRIVATE ${options})
  jopt_rules(jopt${name})
  jopt_precompile(jopt${name} "${options}")
  target_link_libraries(jopt${name} PUBLIC ${ARG_LINK} jopt::LLVMSupport)
  if(ARG_DEPENDS)
    add_dependencies(jopt${name} ${ARG_DEPENDS})
  endif()
  set_target_properties(jopt${name} PROPERTIES EXPORT_NAME ${name})
  jopt_unite(jopt${name} ${ARG_SOURCES})
  install(TARGETS jopt${name} EXPORT jopt
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  set_property(GLOBAL APPEND PROPERTY JOPT_INSTALLED jopt${name})
  set_property(GLOBAL APPEND PROPERTY JOPT_LIBRARIES jopt${name})
endfunction()

# jopt_export_symbols(<tool>)
# The tool carries the whole of every library but the agent, and of LLVMSupport, and
# exports them to the plugins it loads. Two copies of the C++ library live side by
# side, as a plugin brings the shared one.
function(jopt_export_symbols tool)
  # Debian builds Support with an SMT solver that nobody here wants to link.
  set(support ${PROJECT_BINARY_DIR}/lib/libLLVMSupportWhole.a)
  add_custom_command(OUTPUT ${support}
    COMMAND ${CMAKE_COMMAND} -E copy
            ${LLVM_LIBRARY_DIRS}/libLLVMSupport.a ${support}
    COMMAND ${CMAKE_AR} d ${support} Z3Solver.cpp.o
    COMMENT "LLVMSupport for plugins" VERBATIM)
  add_custom_target(${tool}_support DEPENDS ${support})
  add_dependencies(${tool} ${tool}_support)
  get_property(libraries GLOBAL PROPERTY JOPT_LIBRARIES)
  list(REMOVE_ITEM libraries joptAgent)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE whole)
  target_link_libraries(${tool} PRIVATE ${libraries})
  set_target_properties(${tool} PROPERTIES ENABLE_EXPORTS ON)
  target_link_options(${tool} PRIVATE
    LINKER:--exclude-libs,libstdc++.a:libgcc.a:libgcc_eh.a
    LINKER:--whole-archive ${whole} ${support} LINKER:--no-whole-archive)
endfunction()

# find_package(jopt): in the build tree (-Djopt_DIR=<build>/cmake) and installed.
include(CMakePackageConfigHelpers)
set(config ${PROJECT_BINARY_DIR}/cmake)
configure_file(${PROJECT_SOURCE_DIR}/cmake/joptConfig.cmake.in
  ${config}/joptConfig.cmake @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/JOptDependencies.cmake ${config} COPYONLY)
write_basic_package_version_file(${config}/joptConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
export(EXPORT jopt NAMESPACE jopt:: FILE ${config}/joptTargets.cmake)
set(config_home ${CMAKE_INSTALL_LIBDIR}/cmake/jopt)
install(FILES ${config}/joptConfig.cmake ${config}/joptConfigVersion.cmake
              ${config}/JOptDependencies.cmake
  DESTINATION ${config_home} COMPONENT dev)
install(EXPORT jopt NAMESPACE jopt:: FILE joptTargets.cmake
  DESTINATION ${config_home} COMPONENT dev)
# Schemas of probe files, for editors; what builds take.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/share/probekit
                  ${PROJECT_SOURCE_DIR}/share/builds
                  ${PROJECT_SOURCE_DIR}/share/fleet
                  ${PROJECT_SOURCE_DIR}/share/live
  DESTINATION ${CMAKE_INSTALL_DATADIR}/jopt COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/jopt
                  ${PROJECT_BINARY_DIR}/include/jopt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "*.def")
