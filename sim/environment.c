/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "environment.h"

#include "cusim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* "cuStreamDestroy:1:719", or "*" for any function */
static void arm(const char *fault, int sticky) {
    char function[64];
    unsigned long long nth = 0;
    int result = 0;
    if (sscanf(fault, "%63[^:]:%llu:%d", function, &nth, &result) == 3) /* NOLINT(cert-err34-c): a test's own words */
        cusim_fail(strcmp(function, "*") == 0 ? NULL : function, nth, result, sticky);
    else
        (void)fprintf(stderr, "cusim: CUSIM_CONTROL has a fault that is not function:nth:result: %s\n", fault);
}

static void find(const char *what) {
    if (strcmp(what, "unwritten") == 0)
        cusim_find_unwritten(1);
    else if (strcmp(what, "races") == 0)
        cusim_find_races(1);
    else
        (void)fprintf(stderr, "cusim: CUSIM_CONTROL has find=%s, which is not unwritten or races\n", what);
}

/* "120": compute capability 12.0 */
static void set_architecture(const char *text) {
    int number = atoi(text); /* NOLINT(cert-err34-c) */
    if (!cusim_set_compute_capability(number / 10, number % 10))
        (void)fprintf(stderr, "cusim: CUSIM_CONTROL has an architecture that is not simulated: %s\n", text);
}

static void obey(const char *order, const char *value) {
    if (strcmp(order, "version") == 0)
        cusim_set_driver_version(atoi(value)); /* NOLINT(cert-err34-c) */
    else if (strcmp(order, "devices") == 0)
        cusim_set_device_count(atoi(value)); /* NOLINT(cert-err34-c) */
    else if (strcmp(order, "arch") == 0)
        set_architecture(value);
    else if (strcmp(order, "hide") == 0)
        cusim_hide(value);
    else if (strcmp(order, "steps") == 0)
        cusim_set_step_limit(strtoull(value, NULL, 10));
    else if (strcmp(order, "workers") == 0)
        cusim_set_workers(atoi(value)); /* NOLINT(cert-err34-c) */
    else if (strcmp(order, "find") == 0)
        find(value);
    else if (strcmp(order, "fail") == 0 || strcmp(order, "fail_always") == 0)
        arm(value, strcmp(order, "fail_always") == 0);
    else
        (void)fprintf(stderr, "cusim: CUSIM_CONTROL has an unknown order: %s\n", order);
}

void environment_apply(void) {
    const char *given = getauxval(AT_SECURE) ? NULL : getenv("CUSIM_CONTROL");
    char *orders = given ? strdup(given) : NULL;
    char *rest = NULL;
    for (char *order = orders ? strtok_r(orders, " ", &rest) : NULL; order; order = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(order, '=');
        if (value)
            *value++ = '\0';
        obey(order, value ? value : "");
    }
    free(orders);
}

__attribute__((constructor)) static void apply_when_loaded(void) {
    environment_apply();
}
