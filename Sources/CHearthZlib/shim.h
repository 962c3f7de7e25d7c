#ifndef HEARTH_ZLIB_SHIM_H
#define HEARTH_ZLIB_SHIM_H

#include <zlib.h>

#endif
