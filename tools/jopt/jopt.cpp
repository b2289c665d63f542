#include "jopt/Bytecode/Decoder.h"
int main() { return 0; }
