# cmake -D FROM=F -D TO=T -P RenamePackage.cmake
# Writes the sources of package jopt.probes in F as those of com.yourkit.probes.
# Packages below jopt.probes are shared and keep their names.
file(GLOB sources ${FROM}/*.java)
foreach(source ${sources})
  cmake_path(GET source FILENAME name)
  file(READ ${source} text)
  string(REPLACE "package jopt.probes;" "package com.yourkit.probes;" text
         "${text}")
  file(WRITE ${TO}/${name} "${text}")
endforeach()
