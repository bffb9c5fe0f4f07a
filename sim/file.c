/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "file.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_all(FILE *file, size_t *size) {
    if (fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long end = ftell(file);
    rewind(file);
    char *bytes = end > 0 ? calloc(1, (size_t)end + 1) : NULL;
    *size = bytes ? fread(bytes, 1, (size_t)end, file) : 0;
    return bytes;
}

char *file_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    char *bytes = read_all(file, size);
    (void)fclose(file);
    return bytes;
}
