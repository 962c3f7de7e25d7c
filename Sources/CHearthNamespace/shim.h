#ifndef HEARTH_NAMESPACE_SHIM_H
#define HEARTH_NAMESPACE_SHIM_H

#ifdef __linux__
// sched.h declares these for _GNU_SOURCE only, which Swift's module of the C library does not set.
extern int unshare(int flags);

static const int hearth_new_user = 0x10000000;
static const int hearth_new_net = 0x40000000;
static const int hearth_new_mounts = 0x00020000;
#endif

#endif
