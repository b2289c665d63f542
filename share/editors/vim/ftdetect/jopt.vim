" The text form of jopt's IR, and probes in lines, whose code is Java.
autocmd BufNewFile,BufRead *.jir setfiletype jir
autocmd BufNewFile,BufRead *.probes setfiletype java
