#include "CHearthBuild.h"

// docker/release compiles this file once more, with the text. It is in C because Swift's compiler
// takes no values on its command line.
#ifndef HEARTH_BUILD
#define HEARTH_BUILD "unreleased"
#endif

const char *hearth_build(void) { return HEARTH_BUILD; }
