#ifndef HEARTH_CSQLITE_SHIM_H
#define HEARTH_CSQLITE_SHIM_H

#include <sqlite3.h>

// Swift cannot call sqlite3_config, which takes variable arguments.

/// Has SQLite count its memory no longer, which takes a lock for each piece. Only before its first
/// use; later it changes nothing.
static inline int hearth_sqlite_stop_counting_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
