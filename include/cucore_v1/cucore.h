/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_CUCORE_H
#define CUCORE_V1_CUCORE_H

/* All of libcucore. types.h states the rules that every declaration follows. */

#include "types.h"

#include "callback.h"
#include "compiler.h"
#include "context.h"
#include "device.h"
#include "driver.h"
#include "event.h"
#include "kernel.h"
#include "launch.h"
#include "library.h"
#include "linker.h"
#include "live_list.h"
#include "memory.h"
#include "object_code.h"
#include "program.h"
#include "status.h"
#include "stream.h"
#include "warning.h"

#endif
