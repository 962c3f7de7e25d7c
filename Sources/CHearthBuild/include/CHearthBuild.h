#ifndef CHEARTHBUILD_H
#define CHEARTHBUILD_H

/// The commit and the platform that this program was built from, or "unreleased".
const char *hearth_build(void);

/// How many arguments main has, with the name of the program; 0 where that is not known.
int hearth_argument_count(void);

/// One of them; NULL where there is none.
const char *hearth_argument(int index);

#endif
