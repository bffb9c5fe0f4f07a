/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_FILE_H
#define CUSIM_FILE_H

#include <stddef.h>

/* file_read gives the bytes of a file with a NUL behind them, for the caller to free; NULL if it cannot be read, or is empty. */
char *file_read(const char *path, size_t *size);

#endif
