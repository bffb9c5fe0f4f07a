/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* cucore-info: what libcucore finds on this machine, on one page. */
#include "page.h"

#include <cucore_v1/cucore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOUND = 0, NO_DEVICE = 1, BAD_USAGE = 2 };

/* A version as CUDA counts it, and a compiler's. */
static void put_version(struct page *page, int32_t major, int32_t minor) {
    char text[32];
    (void)snprintf(text, sizeof text, "%d.%d", (int)major, (int)minor);
    page_text(page, "version", text);
}

/* Why something is not there: the status, which it releases, and its notes. */
static void put_failure(struct page *page, cucore_status *status) {
    page_text(page, "error", cucore_status_message(status, NULL));
    page_open(page, "tried", true);
    for (size_t i = 0; i < cucore_status_note_count(status); i++)
        page_text(page, NULL, cucore_status_message(cucore_status_note(status, i), NULL));
    page_close(page);
    cucore_status_release(status);
}

static bool put_driver(struct page *page) {
    int32_t version = 0;
    cucore_status *status = NULL;
    page_open(page, "driver", false);
    bool found = cucore_driver_version(&version, &status) == CUCORE_OK;
    page_choice(page, "found", found);
    if (found) {
        put_version(page, version / 1000, version % 1000 / 10);
        page_text(page, "path", cucore_driver_path(NULL));
    } else {
        put_failure(page, status);
    }
    page_close(page);
    return found;
}

static void put_compiler(struct page *page, const char *name, int32_t compiler) {
    int32_t major = 0;
    int32_t minor = 0;
    cucore_status *status = NULL;
    page_open(page, name, false);
    bool found = cucore_compiler_version(compiler, &major, &minor, &status) == CUCORE_OK;
    page_choice(page, "found", found);
    if (found) {
        put_version(page, major, minor);
        page_text(page, "path", cucore_compiler_path(compiler, NULL));
    } else {
        put_failure(page, status);
    }
    page_close(page);
}

/* Each ends a failed call by what failed, in the place of what was asked for. */
static void put_attribute(struct page *page, const cucore_device *device, int32_t attribute, const char *name, const char *unit) {
    int32_t value = 0;
    cucore_status *status = NULL;
    if (cucore_device_attribute(device, attribute, &value, &status) == CUCORE_OK)
        page_number(page, name, (uint64_t)(uint32_t)value, unit);
    else
        page_text(page, name, cucore_status_message(status, NULL));
    cucore_status_release(status);
}

static void put_support(struct page *page, const cucore_device *device, int32_t attribute, const char *name) {
    int32_t value = 0;
    cucore_status *status = NULL;
    if (cucore_device_attribute(device, attribute, &value, &status) == CUCORE_OK)
        page_choice(page, name, value);
    else
        page_text(page, name, cucore_status_message(status, NULL));
    cucore_status_release(status);
}

/* The amount of memory is a context's to say, which is made for that and given up again. */
static void put_memory(struct page *page, cucore_device *device) {
    uint64_t available = 0;
    uint64_t total = 0;
    cucore_status *status = NULL;
    if (cucore_device_memory_info(device, &available, &total, &status) == CUCORE_OK) {
        page_number(page, "memory", total, "bytes");
        page_number(page, "available", available, "bytes");
    } else {
        page_text(page, "memory", cucore_status_message(status, NULL));
    }
    cucore_status_release(status);
}

static void put_uuid(struct page *page, const cucore_device *device) {
    const uint8_t *bytes = cucore_device_uuid(device);
    char text[64] = "GPU-";
    for (int i = 0; i < 16; i++) {
        const char *dash = i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%02x", dash, (unsigned int)bytes[i]);
    }
    page_text(page, "uuid", text);
}

static void put_device(struct page *page, cucore_device *device) {
    page_open(page, NULL, false);
    page_text(page, "name", cucore_device_name(device, NULL));
    page_text(page, "architecture", cucore_device_arch(device, NULL));
    put_uuid(page, device);
    page_text(page, "pci", cucore_device_pci_bus_id(device, NULL));
    put_memory(page, device);
    put_attribute(page, device, CUCORE_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, "multiprocessors", NULL);
    put_attribute(page, device, CUCORE_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, "shared per block", "bytes");
    put_support(page, device, CUCORE_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, "memory pools");
    put_support(page, device, CUCORE_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, "cooperative launch");
    put_support(page, device, CUCORE_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, "cluster launch");
    page_close(page);
}

/* One after the other, and each given up before the next is opened. Returns how many there are; none if that is not known. */
static int32_t put_devices(struct page *page) {
    int32_t count = 0;
    cucore_status *status = NULL;
    if (cucore_device_count(&count, &status) != CUCORE_OK) {
        page_open(page, "devices", false);
        put_failure(page, status);
        page_close(page);
        return 0;
    }
    page_open(page, "devices", true);
    for (int32_t i = 0; i < count; i++) {
        cucore_device *device = cucore_device_open(i, &status);
        if (device)
            put_device(page, device);
        else
            page_text(page, NULL, cucore_status_message(status, NULL));
        cucore_device_release(device);
        cucore_context_release_primary(i, NULL);
        cucore_status_release(status);
    }
    page_close(page);
    return count;
}

/* Those that the library reads (docs/process-state.md), and those of the driver's that change what is found. */
static void put_environment(struct page *page) {
    static const char *const names[] = {
        "CUCORE_DRIVER_LIBRARY", "CUCORE_NVRTC_LIBRARY", "CUCORE_NVJITLINK_LIBRARY", "CUCORE_WHEELS", "CUDA_HOME", "CUDA_PATH",
        "LD_LIBRARY_PATH",       "CUDA_VISIBLE_DEVICES", "CUDA_MPS_PIPE_DIRECTORY",  "CUSIM_CONTROL",
    };
    page_open(page, "environment", false);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value)
            page_text(page, names[i], value);
    }
    page_close(page);
}

static int put_all(bool json) {
    struct page page = page_begin(json);
    page_text(&page, "libcucore", cucore_version_text());
    int32_t devices = 0;
    if (put_driver(&page))
        devices = put_devices(&page);
    put_compiler(&page, "nvrtc", CUCORE_COMPILER_NVRTC);
    put_compiler(&page, "nvjitlink", CUCORE_COMPILER_NVJITLINK);
    put_environment(&page);
    page_end(&page);
    return devices > 0 ? FOUND : NO_DEVICE;
}

static const char usage[] =
    "usage: cucore-info [--json | --help | --version]\n"
    "Prints what libcucore finds: the driver, the devices, the compilers, the environment variables in force.\n"
    "Ends with 0 if there is a device, 1 if there is none, 2 for a wrong option.\n";

int main(int count, char **arguments) {
    const char *option = count > 1 ? arguments[1] : "";
    bool json = strcmp(option, "--json") == 0;
    int result = FOUND;
    if (count > 2 || (count == 2 && !json && strcmp(option, "--help") != 0 && strcmp(option, "--version") != 0)) {
        fputs(usage, stderr);
        return BAD_USAGE;
    }
    if (strcmp(option, "--help") == 0)
        fputs(usage, stdout);
    else if (strcmp(option, "--version") == 0)
        printf("cucore-info %s\n", cucore_version_text());
    else
        result = put_all(json);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("cucore-info: cannot write\n", stderr);
        return BAD_USAGE;
    }
    return result;
}
