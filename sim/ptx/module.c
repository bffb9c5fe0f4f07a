/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/listing.h"
#include "ptx/parse.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptx_reserve(void *items, size_t count, size_t *capacity, size_t item_size) {
    void *grown;
    if (count < *capacity) {
        return true;
    }
    size_t larger = *capacity ? *capacity * 2 : 16;
    while (larger <= count) {
        larger *= 2;
    }
    memcpy(&grown, items, sizeof grown);
    grown = larger > SIZE_MAX / item_size ? NULL : realloc(grown, larger * item_size);
    if (!grown) {
        return false;
    }
    memcpy(items, &grown, sizeof grown);
    *capacity = larger;
    return true;
}

uint64_t ptx_align(uint64_t offset, uint64_t alignment) {
    return (offset + alignment - 1) & ~(alignment - 1);
}

bool ptx_fail(ptx_parser *parser, ptx_result result, unsigned line, const char *format, ...) {
    if (parser->result == PTX_OK && parser->log_size) {
        const int prefix = snprintf(parser->log, parser->log_size, "ptx line %u: ", line);
        va_list arguments;
        va_start(arguments, format);
        if (prefix >= 0 && (size_t)prefix < parser->log_size) {
            vsnprintf(parser->log + prefix, parser->log_size - (size_t)prefix, format, arguments);
        }
        va_end(arguments);
    }
    if (parser->result == PTX_OK) {
        parser->result = result;
    }
    return false;
}

bool ptx_out_of_memory(ptx_parser *parser) {
    return ptx_fail(parser, PTX_NO_MEMORY, parser->token.line, "out of memory");
}

static int by_address(const void *left, const void *right) {
    const uint64_t a = ((const ptx_variable *)left)->address;
    const uint64_t b = ((const ptx_variable *)right)->address;
    return (a > b) - (a < b);
}

static ptx_result parse(ptx_module *module, size_t size, unsigned architecture, char *log, size_t log_size) {
    if (size > INT_MAX) { /* so that a word's size is a precision for printf */
        snprintf(log, log_size, "ptx of more than %d bytes", INT_MAX);
        return PTX_INVALID;
    }
    ptx_parser parser = {.module = module, .architecture = architecture, .log = log, .log_size = log_size};
    parser.lexer = (ptx_lexer){.at = module->text, .end = module->text + size, .line = 1};
    ptx_parse_module(&parser);
    free(parser.symbols.items);
    free(parser.functions.items);
    free(parser.pending);
    if (module->variable_count) {
        qsort(module->variables, module->variable_count, sizeof *module->variables, by_address);
    }
    return parser.result;
}

ptx_result ptx_load(ptx_module **module, const char *text, size_t size, unsigned architecture, char *log, size_t log_size) {
    ptx_module *made = calloc(1, sizeof *made);
    if (log_size) {
        log[0] = '\0';
    }
    if (!made) {
        return PTX_NO_MEMORY;
    }
    made->text = malloc(size ? size : 1);
    made->form_uses = calloc(ptx_form_count(), sizeof *made->form_uses);
    if (!made->text || !made->form_uses) {
        ptx_unload(made);
        return PTX_NO_MEMORY;
    }
    if (size) {
        memcpy(made->text, text, size);
    }
    const ptx_result result = parse(made, size, architecture, log, log_size);
    if (result != PTX_OK) {
        ptx_unload(made);
        return result;
    }
    *module = made;
    return PTX_OK;
}

static void free_call(ptx_call *call) {
    free(call->returns.items);
    free(call->arguments.items);
    free(call);
}

void ptx_free_function(ptx_function *function) {
    for (size_t i = 0; i < function->call_count; i++) {
        free_call(function->calls[i]);
    }
    for (size_t i = 0; i < function->table_count; i++) {
        free(function->tables[i]->items);
        free(function->tables[i]);
    }
    free(function->calls);
    free(function->tables);
    free(function->places);
    free(function->returns.items);
    free(function->parameters.items);
    free(function->code);
    free(function->slots);
    free(function->fills);
    free(function);
}

void ptx_unload(ptx_module *module) {
    if (!module) {
        return;
    }
    for (size_t i = 0; i < module->function_count; i++) {
        ptx_free_function(module->functions[i]);
    }
    for (size_t i = 0; i < module->variable_count; i++) {
        free(module->variables[i].allocation);
    }
    free(module->functions);
    free(module->variables);
    free(module->files);
    free(module->form_uses);
    free(module->text);
    free(module);
}

uint64_t ptx_function_address(const ptx_function *function) {
    return PTX_CODE_WINDOW + UINT64_C(16) * function->index;
}

static bool is_named(const char *text, size_t size, const char *name) {
    return size == strlen(name) && memcmp(text, name, size) == 0;
}

ptx_kernel *ptx_find(ptx_module *module, const char *name) {
    for (size_t i = 0; i < module->function_count; i++) {
        ptx_function *function = module->functions[i];
        if (function->is_entry && is_named(function->name, function->name_size, name)) {
            return function;
        }
    }
    return NULL;
}

size_t ptx_kernel_count(const ptx_module *module) {
    size_t count = 0;
    for (size_t i = 0; i < module->function_count; i++) {
        count += module->functions[i]->is_entry;
    }
    return count;
}

ptx_kernel *ptx_kernel_at(const ptx_module *module, size_t index) {
    for (size_t i = 0; i < module->function_count; i++) {
        if (module->functions[i]->is_entry && index-- == 0) {
            return module->functions[i];
        }
    }
    return NULL;
}

void ptx_copy_name(const ptx_kernel *kernel, char *name, size_t size) {
    snprintf(name, size, "%.*s", (int)kernel->name_size, kernel->name);
}

uint32_t ptx_shared_size(const ptx_kernel *kernel) {
    return kernel->module->shared_size;
}

uint32_t ptx_local_size(const ptx_kernel *kernel) {
    return kernel->local_size;
}

uint64_t ptx_find_variable(const ptx_module *module, const char *name, uint64_t *size) {
    for (size_t i = 0; i < module->variable_count; i++) {
        const ptx_variable *variable = &module->variables[i];
        if (is_named(variable->name, variable->name_size, name)) {
            *size = variable->size;
            return variable->address;
        }
    }
    return 0;
}

size_t ptx_parameter_count(const ptx_kernel *kernel) {
    return kernel->parameters.count;
}

size_t ptx_parameter_offset(const ptx_kernel *kernel, size_t index) {
    return index < kernel->parameters.count ? kernel->parameters.items[index].offset : 0;
}

size_t ptx_parameter_size(const ptx_kernel *kernel, size_t index) {
    return index < kernel->parameters.count ? kernel->parameters.items[index].size : 0;
}

uint32_t ptx_max_threads(const ptx_kernel *kernel) {
    return kernel->max_threads;
}
