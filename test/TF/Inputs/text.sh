# usage: text.sh FOLDER...
# Prints what the classes in each folder are, but for their constant pools, into
# FOLDER.text.
for folder in "$@"; do
  rm -rf "$folder.text"
  jopt -q -S "$folder" -o "$folder.text"
  find "$folder.text" -type f -exec sed -i -e '/^  pool {/,/^  }/d' -e 's/#[0-9]*//g' {} +
done
