# cmake -D INPUT=F -D SHARED=FOLDER -D OUTPUT=O -P EmbedPage.cmake
# Writes a page as the bytes of a C array, with what pages share in place of the
# lines @PAGE.html@, @PAGE.css@ and @PAGE.js@.
file(READ ${INPUT} page)
foreach(part html css js)
  file(READ ${SHARED}/Page.${part} text)
  string(REPLACE "@PAGE.${part}@\n" "${text}" page "${page}")
endforeach()
string(HEX "${page}" hex)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "${bytes}\n")
