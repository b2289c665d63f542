# Where things are installed. PREFIX/<lib>/jopt is laid out as a build folder is,
# bin beside lib, so tools and agent find what they need from where they are
# themselves. In the places where people look there are links to it.
set(JOPT_HOME ${CMAKE_INSTALL_LIBDIR}/jopt)

# jopt_install_link(<folder> <file>): <folder>/NAME leads to <file>, both relative
# to the prefix.
function(jopt_install_link folder file)
  file(RELATIVE_PATH to /${folder} /${file})
  cmake_path(GET file FILENAME name)
  set(link ${PROJECT_BINARY_DIR}/links/${folder}/${name})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/links/${folder})
  file(CREATE_LINK ${to} ${link} SYMBOLIC)
  install(FILES ${link} DESTINATION ${folder} COMPONENT tools)
endfunction()

# jopt_install_tool(<target>): a program.
function(jopt_install_tool target)
  install(TARGETS ${target} RUNTIME DESTINATION ${JOPT_HOME}/bin COMPONENT tools)
  jopt_install_link(${CMAKE_INSTALL_BINDIR} ${JOPT_HOME}/bin/${target})
  set_property(GLOBAL APPEND PROPERTY JOPT_INSTALLED ${target})
endfunction()

# jopt_install_jar(<target> <path>)
function(jopt_install_jar target path)
  cmake_path(GET path FILENAME name)
  install(FILES ${path} DESTINATION ${JOPT_HOME}/lib COMPONENT tools)
  jopt_install_link(${CMAKE_INSTALL_DATADIR}/java ${JOPT_HOME}/lib/${name})
  set_property(GLOBAL APPEND PROPERTY JOPT_INSTALLED ${target})
endfunction()
