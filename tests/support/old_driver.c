/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a driver from before CUDA 12.0 looks like from outside: it has no cuGetProcAddress_v2. */

__attribute__((visibility("default"))) int cuDriverGetVersion(int *version);

int cuDriverGetVersion(int *version) {
    *version = 11040;
    return 0;
}
