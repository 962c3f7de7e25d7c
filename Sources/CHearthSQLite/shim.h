#ifndef HEARTH_CSQLITE_SHIM_H
#define HEARTH_CSQLITE_SHIM_H

#include <sqlite3.h>

#if defined(__linux__)
#include <features.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Swift cannot call functions that take variable arguments.

/// Has SQLite count its memory no longer, which takes a lock for each piece. Only before its first
/// use; later it changes nothing.
static inline int hearth_sqlite_stop_counting_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Switches the triggers of a connection on or off. Its statements are prepared again.
static inline int hearth_sqlite_enable_triggers(sqlite3 *connection, int on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, on, (int *)0);
}

/// Has the C library give free memory back to the system. Its header is not part of Swift's Glibc.
static inline void hearth_give_memory_back(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

#endif
