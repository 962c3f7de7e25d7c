#ifndef CHEARTHBUILD_H
#define CHEARTHBUILD_H

/// The commit and the platform that this program was built from, or "unreleased".
const char *hearth_build(void);

#endif
