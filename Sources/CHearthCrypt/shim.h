#ifndef HEARTH_CCRYPT_SHIM_H
#define HEARTH_CCRYPT_SHIM_H

#include <crypt.h>

#endif
