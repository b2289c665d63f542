# How the jars are made. For `jar --date` a JDK of 17 or later.
find_package(Java 17 REQUIRED COMPONENTS Development)

# By name: newer compilers have warnings that this code does not know. Release 8
# is one itself.
set(JOPT_JAVAC ${Java_JAVAC_EXECUTABLE}
  -Xlint:unchecked,rawtypes,cast,deprecation,fallthrough,-options)
if(JOPT_WERROR)
  list(APPEND JOPT_JAVAC -Werror)
endif()

# jopt_jar(<target> <name> [NOT_INSTALLED] SOURCES ... [OPTIONS ...] [JARS <name>...]
#          [MODULE <module>] [THEN ...] [LAST ...] [ENTRIES ...] [OUTPUT ...]
#          [DEPENDS ...])
# lib/<name>.jar of class files that Java 8 reads, compiled with OPTIONS against
# JARS, which have targets of their own. With MODULE also the description
# module/module-info.java, where only Java 9 and later look for it, and
# manifest.txt. THEN is a command that adds to the folder ./classes, LAST one that
# uses it and makes OUTPUT. ENTRIES are options of `jar`. A jar that is NOT_INSTALLED
# is no part of `all`.
function(jopt_jar target name)
  cmake_parse_arguments(ARG "NOT_INSTALLED" "MODULE"
    "SOURCES;OPTIONS;JARS;THEN;LAST;ENTRIES;OUTPUT;DEPENDS" ${ARGN})
  set(classes ${CMAKE_CURRENT_BINARY_DIR}/classes)
  set(jar ${PROJECT_BINARY_DIR}/lib/${name}.jar)
  list(TRANSFORM ARG_JARS REPLACE "(.+)" "${PROJECT_BINARY_DIR}/lib/\\1.jar")
  list(JOIN ARG_JARS ":" path)
  set(against)
  set(below)
  if(path)
    set(against -cp "${path}")
    set(below --module-path "${path}")
  endif()
  foreach(step THEN LAST)
    set(${step})
    if(ARG_${step})
      set(${step} COMMAND ${ARG_${step}})
    endif()
  endforeach()
  set(module)
  if(ARG_MODULE)
    set(description ${CMAKE_CURRENT_SOURCE_DIR}/module/module-info.java)
    set(manifest ${CMAKE_CURRENT_SOURCE_DIR}/manifest.txt)
    set(module COMMAND ${JOPT_JAVAC} --release 9 ${below}
      --patch-module ${ARG_MODULE}=${classes}
      -d ${classes}/META-INF/versions/9 ${description})
    list(APPEND ARG_ENTRIES --manifest ${manifest})
    list(APPEND ARG_DEPENDS ${description} ${manifest})
  endif()
  # Entries carry a fixed time.
  add_custom_command(OUTPUT ${jar} ${ARG_OUTPUT}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${classes}
    COMMAND ${JOPT_JAVAC} --release 8 ${ARG_OPTIONS} ${against} -d ${classes} ${ARG_SOURCES}
    ${module}
    ${THEN}
    COMMAND ${Java_JAR_EXECUTABLE} --create --file ${jar}
            --date=1980-01-01T00:00:02+00:00 ${ARG_ENTRIES} -C ${classes} .
    ${LAST}
    DEPENDS ${ARG_SOURCES} ${ARG_JARS} ${ARG_DEPENDS}
    COMMENT "Building ${name}.jar" VERBATIM)
  if(ARG_NOT_INSTALLED)
    add_custom_target(${target} DEPENDS ${jar} ${ARG_OUTPUT})
  else()
    add_custom_target(${target} ALL DEPENDS ${jar} ${ARG_OUTPUT})
    jopt_install_jar(${target} ${jar})
  endif()
endfunction()
