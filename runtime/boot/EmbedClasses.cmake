# cmake -D FOLDER=F -D OUTPUT=O -P EmbedClasses.cmake
# Writes the class files of jopt.boot below F as `{"a/B", "\xca..."},` each, in the order of
# their names.
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/jopt/boot/*.class)
list(SORT files)
set(text "")
foreach(file ${files})
  file(READ ${FOLDER}/${file} hex HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
  string(REGEX REPLACE "\\.class$" "" name "${file}")
  string(APPEND text "{\"${name}\", \"${bytes}\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
