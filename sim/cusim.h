/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_H
#define CUSIM_H

/* The control interface of the simulated CUDA driver: exported by the simulated libcuda.so.1 beside the driver API. Tests
 * dlopen that file and look these up. All are thread-safe. A call here is never logged, counted or failed.
 *
 * A program that cannot call these sets the environment variable CUSIM_CONTROL, read when the driver is loaded (and ignored in
 * privileged processes), to orders with spaces between: version=12040 devices=1 arch=120 hide=cuKernelGetParamInfo
 * fail=cuStreamDestroy:1:719 (cusim_fail with that function, nth and result; * is any function) fail_always=cuMemAlloc:2:2 (the
 * same, sticky) steps=100000000 (cusim_set_step_limit) workers=4 (cusim_set_workers) find=unwritten find=races
 * (cusim_find_unwritten, cusim_find_races).
 *
 * "Fallible calls" are those of every driver function that can fail, in the order in which they happen in the process. */

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CUSIM_API __attribute__((visibility("default")))
#else
#define CUSIM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* cusim_reset puts the driver back as it was when loaded: faults and hooks off, everything visible, log and counts empty, live
 * objects and memory discarded, the calling thread's context stack empty. Streams must be idle and no other thread may use the
 * driver. */
CUSIM_API void cusim_reset(void);

/* cusim_set_driver_version sets what cuDriverGetVersion says (1000 * major + 10 * minor); functions newer than it are not found. */
CUSIM_API void cusim_set_driver_version(int version);

/* cusim_set_device_count sets how many devices there are, 0 to 8; 2 at first. With 0, cuInit says NO_DEVICE. */
CUSIM_API void cusim_set_device_count(int count);

/* cusim_set_compute_capability sets that of all devices, 9.0 at first, and with it what depends on it: attributes, and the PTX
 * that can be loaded. Returns 1, or 0 for one that is not simulated: 7.5, 8.0, 8.6, 8.7, 8.9, 9.0, 10.0, 10.3, 11.0, 12.0 and 12.1
 * are. */
CUSIM_API int cusim_set_compute_capability(int major, int minor);

/* cusim_hide makes `function` (its base name, e.g. "cuKernelGetParamInfo") not found by cuGetProcAddress; cusim_show undoes it. */
CUSIM_API void cusim_hide(const char *function);
CUSIM_API void cusim_show(const char *function);

/* cusim_fail makes calls of `function` (NULL: any fallible call) fail with `result` (a CUresult) and do nothing: the `nth` from
 * now, counted from 1, and, if `sticky`, all after it. Several may be armed at once. cusim_fail_nothing disarms all. */
CUSIM_API void cusim_fail(const char *function, uint64_t nth, int result, int sticky);
CUSIM_API void cusim_fail_nothing(void);

/* cusim_fail_after makes calls of `function` fail with `result` although they did their work, counted as for cusim_fail: a
 * destroy that fails after it destroyed, for example. */
CUSIM_API void cusim_fail_after(const char *function, uint64_t nth, int result, int sticky);

/* cusim_hook runs `hook` with `data` on the calling thread, once, before a call of `function` (NULL: any fallible call): the `nth`
 * from now, counted from 1. It may use the driver and this interface. Several may be set; cusim_unhook takes back those that did
 * not run. */
CUSIM_API void cusim_hook(const char *function, uint64_t nth, void (*hook)(void *data), void *data);
CUSIM_API void cusim_unhook(void);

/* cusim_sticky_fault makes the contexts that a device has answer as they do after a kernel's fault: nearly every call gives
 * `result` (700 is an illegal address) until they are destroyed. */
CUSIM_API void cusim_sticky_fault(int device, int result);

/* cusim_callback_thread_calls counts the driver calls made inside host functions and stream callbacks: all were refused. */
CUSIM_API uint64_t cusim_callback_thread_calls(void);

/* cusim_failures_injected counts the failures that cusim_fail and cusim_fail_after have caused. */
CUSIM_API uint64_t cusim_failures_injected(void);

/* cusim_fallible_calls counts the fallible calls made so far. */
CUSIM_API uint64_t cusim_fallible_calls(void);

/* cusim_call_count counts the calls of `function` (NULL: of all driver functions). */
CUSIM_API uint64_t cusim_call_count(const char *function);

/* The call log. Entry `index`, from 0 in order of time, as a line: "cuStreamDestroy(0x5581) = 0". Copies at most `size` bytes
 * with the NUL, and returns 1, or 0 if there is no such entry. The log keeps the first 2^20 calls. cusim_log_clear empties the
 * log and zeroes the counts of calls. */
CUSIM_API size_t cusim_log_size(void);
CUSIM_API int cusim_log_entry(size_t index, char *text, size_t size);
CUSIM_API void cusim_log_clear(void);

/* cusim_live_count counts the objects alive of a kind: "context", "stream", "event", "memory", "host memory", "registered memory",
 * "library", "module" (those of cuModuleLoadData), "pool" (default pools are not counted), "link", "graph", or of all kinds for
 * NULL. A retained primary context is alive.
 * cusim_live_list writes a line for each, "stream 0x5581 of context 0x5580", and returns the length it wanted. */
CUSIM_API size_t cusim_live_count(const char *kind);
CUSIM_API size_t cusim_live_list(char *text, size_t size);

/* cusim_violations counts uses of the driver that the real one punishes with undefined behaviour, and that this one refused: a
 * freed or foreign handle, memory freed twice or while unfinished work of another stream uses it, a dead context pushed, an
 * address outside live memory. The list has a line for each; it returns the length it wanted. */
CUSIM_API uint64_t cusim_violations(void);
CUSIM_API size_t cusim_violation_list(char *text, size_t size);

/* cusim_hold keeps work put on a stream (a CUstream) from now on waiting; cusim_release lets it run, in order, on the calling
 * thread. Synchronising with held work returns CUDA_ERROR_NOT_READY and counts as a violation: on a real device it would wait
 * for ever. */
CUSIM_API void cusim_hold(void *stream);
CUSIM_API void cusim_release(void *stream);

/* cusim_log_callback_count counts the lines given to callbacks of cuLogsRegisterCallback. */
CUSIM_API uint64_t cusim_log_callback_count(void);

/* ---- kernels ---- */

/* cusim_set_step_limit ends each launch that runs more instructions than that, of all its threads together, with
 * CUDA_ERROR_LAUNCH_TIMEOUT; 0, as at first, lets them run for ever. */
CUSIM_API void cusim_set_step_limit(uint64_t instructions);

/* cusim_set_workers sets how many host threads run the blocks of a launch; 1 at first, which makes launches repeatable. */
CUSIM_API void cusim_set_workers(int threads);

/* cusim_find_unwritten makes it a fault of a kernel (CUDA_ERROR_LAUNCH_FAILED) to read memory that nobody wrote: device memory
 * allocated while this is on, and shared memory. */
CUSIM_API void cusim_find_unwritten(int on);

/* cusim_find_races makes it a fault of a kernel (CUDA_ERROR_LAUNCH_FAILED) that threads of a block use the same shared memory,
 * one of them to store, with no barrier between. */
CUSIM_API void cusim_find_races(int on);

/* cusim_instructions_run counts the PTX instructions that all launches have run. */
CUSIM_API uint64_t cusim_instructions_run(void);

#ifdef __cplusplus
}
#endif

#endif
