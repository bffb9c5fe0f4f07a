/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_EVENT_H
#define CUSIM_EVENT_H

#include "object.h"

struct record;

struct event {
    struct object object;
    unsigned int flags;
    struct record *record; /* the latest cuEventRecord, NULL before the first */
};

#endif
