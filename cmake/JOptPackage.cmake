# Packages: `cmake --build build --target packages` makes a .deb and a tarball in
# build/packages. A second .deb is for plugins and for programs with jopt in them.
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT tools)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright
  COMPONENT tools)
# Those of the libraries that are in the page of reports.
install(DIRECTORY third_party/viewer/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/viewer
  COMPONENT tools FILES_MATCHING PATTERN "LICENSE.*" PATTERN "NOTICE.*")
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools
  FILES_MATCHING PATTERN "*.md")
install(DIRECTORY share/editors/vim/ COMPONENT tools
  DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles)
install(DIRECTORY share/editors/vscode DESTINATION ${CMAKE_INSTALL_DATADIR}/jopt
  COMPONENT tools)

# Manual pages and completions follow from what the tools say of themselves.
set(manual ${PROJECT_BINARY_DIR}/manual)
set(tools jopt jopt-data jopt-tf jopt-reduce)
set(pages)
set(programs)
set(emulator)
if(CMAKE_CROSSCOMPILING_EMULATOR)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
  set(emulator --emulator=${emulator})
endif()
foreach(tool ${tools})
  list(APPEND programs $<TARGET_FILE:${tool}>)
  list(APPEND pages ${manual}/man/man1/${tool}.1)
endforeach()
add_custom_command(OUTPUT ${pages}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/utils/gen_manual.py
          ${emulator} ${PROJECT_VERSION} ${manual} ${programs}
  DEPENDS ${tools} utils/gen_manual.py COMMENT "Manual pages and completions"
  VERBATIM)
add_custom_target(jopt-manual ALL DEPENDS ${pages})
install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT tools)
set_property(GLOBAL APPEND PROPERTY JOPT_INSTALLED jopt-manual)

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_PACKAGE_NAME jopt)
set(CPACK_PACKAGE_VENDOR jopt)
set(CPACK_PACKAGE_CONTACT "jopt <jopt@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "probes, coverage and traces for Java class files")
set(CPACK_PACKAGE_DESCRIPTION "An opt for Java class files: lifts them into an IR, \
runs passes over them and writes verified bytecode. Puts probes into classes and \
archives, or into classes as a JVM loads them; records coverage and traces.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_COMPONENTS_ALL tools dev)
set(CPACK_THREADS 0)

# One tarball of both; without libLLVM, a JDK or a place of its own it works.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/JOptPackageOptions.cmake)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_FILE_NAME
  jopt-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME jopt)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION java)
if(CMAKE_CROSSCOMPILING)
  # Debian's tool knows the libraries of this machine alone.
  file(STRINGS ${CMAKE_SYSROOT}/usr/include/features.h glibc
    REGEX "define[ \t]+__GLIBC(_MINOR)?__[ \t]")
  string(REGEX REPLACE "[^;0-9]+" "" glibc "${glibc}")
  list(JOIN glibc "." glibc)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "libc6 (>= ${glibc})")
else()
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
endif()
# Fragments of probe files are compiled by javac; all else needs no JDK.
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "default-jdk-headless | java-sdk-headless")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "python3")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME jopt-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "jopt (= ${PROJECT_VERSION}), llvm-19-dev, \
libdeflate-dev, libexpat1-dev, libsqlite3-dev, libzstd-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION
  "Libraries, headers and CMake rules, for plugins and for programs with jopt in them.")

# Neither tests nor benchmarks are built for a package.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
get_property(installed GLOBAL PROPERTY JOPT_INSTALLED)
add_custom_target(packages
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
  USES_TERMINAL VERBATIM COMMENT "Making packages")
add_dependencies(packages ${installed})
