#include "CHearthBuild.h"
#include <stdlib.h>

static int count = 0;
static char **values = NULL;

#ifdef __GLIBC__
// Swift reads the arguments from /proc/self/cmdline, which not every system has: without them the
// program would do something else than it was asked to. The C library of Linux hands them to
// constructors, as it does to main.
__attribute__((constructor)) static void keep(int argc, char **argv, char **environment) {
  (void)environment;
  count = argc;
  values = argv;
}
#endif

int hearth_argument_count(void) { return count; }

const char *hearth_argument(int index) {
  return index >= 0 && index < count ? values[index] : NULL;
}
