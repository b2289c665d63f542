# cmake -D INPUT=F -D OUTPUT=O -P EmbedText.cmake
# Writes the text file as the bytes of a C array.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "${bytes}\n")
