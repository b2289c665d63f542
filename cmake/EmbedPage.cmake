# cmake -D INPUT=F -D SHARED=FOLDER -D PARTS=FILES -D OUTPUT=O -P EmbedPage.cmake
# Writes a page as the bytes of a C array, with what pages share in place of the
# lines @PAGE.html@, @PAGE.css@ and @PAGE.js@, and files of its own, which stand
# beside it or below, in place of lines with their names.
file(READ ${INPUT} page)
foreach(part html css js)
  file(READ ${SHARED}/Page.${part} text)
  string(REPLACE "@PAGE.${part}@\n" "${text}" page "${page}")
endforeach()
foreach(part ${PARTS})
  cmake_path(GET part FILENAME name)
  file(READ ${part} text)
  string(REPLACE "@${name}@\n" "${text}" page "${page}")
endforeach()
string(HEX "${page}" hex)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "${bytes}\n")
