/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "compile_options.h"

#include "base/argument.h"

#include <stdlib.h>
#include <string.h>

static int32_t make_room(const cucore_call *call, cucore_compile_options *options) {
    if (options->count < options->room)
        return CUCORE_OK;
    size_t room = options->room ? 2 * options->room : 8;
    char **texts = realloc(options->texts, room * sizeof *texts);
    if (!texts) {
        cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for %zu options", room);
        return CUCORE_OUT_OF_MEMORY;
    }
    options->texts = texts;
    options->room = room;
    return CUCORE_OK;
}

/* Adds `prefix` followed by the text, which messages call `parameter`. */
static int32_t add(const cucore_call *call, cucore_compile_options *options, const char *prefix, const char *data, size_t size,
                   const char *parameter) {
    int32_t code = cucore_expect_given_text(call, data, size, parameter);
    if (!code)
        code = make_room(call, options);
    if (code)
        return code;
    size_t prefix_size = strlen(prefix);
    char *text = malloc(prefix_size + size + 1);
    if (!text)
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for an option");
    memcpy(text, prefix, prefix_size);
    memcpy(text + prefix_size, data, size);
    text[prefix_size + size] = '\0';
    options->texts[options->count++] = text;
    return CUCORE_OK;
}

int32_t cucore_compile_options_add(const cucore_call *call, cucore_compile_options *options, const char *data, size_t size) {
    return add(call, options, "", data, size, "an option");
}

int32_t cucore_compile_options_begin(const cucore_call *call, cucore_compile_options *options, const char *arch_option,
                                     const cucore_text *arch, const cucore_device *device) {
    *options = (cucore_compile_options){0};
    if (arch->data || arch->size)
        return add(call, options, arch_option, arch->data, arch->size, "options->arch");
    if (!device)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                           ": device is NULL and options->arch is not given; one must name the architecture");
    return add(call, options, arch_option, device->arch, strlen(device->arch), "the device's arch");
}

int32_t cucore_compile_options_add_all(const cucore_call *call, cucore_compile_options *options, const cucore_text *texts,
                                       size_t count) {
    int32_t code = count ? cucore_expect_pointer(call, texts, "options->options") : CUCORE_OK;
    for (size_t i = 0; i < count && !code; i++) {
        char name[CUCORE_ELEMENT_NAME];
        code = add(call, options, "", texts[i].data, texts[i].size, cucore_name_element(name, "options->options", i));
    }
    return code;
}

void cucore_compile_options_free(cucore_compile_options *options) {
    for (size_t i = 0; i < options->count; i++)
        free(options->texts[i]);
    free(options->texts);
}
