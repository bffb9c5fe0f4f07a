/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_COMPILERS_H
#define CUSIM_COMPILERS_H

/* The control interfaces of the simulated compilers: a libnvrtc.so.12 and a libnvJitLink.so.12, each of which exports the controls
 * with its own prefix beside NVIDIA's functions. Tests dlopen the files and look these up. All are thread-safe. A call here is
 * never counted or failed. docs/simulated-compilers.md says what the compilers make of a source. */

#include "cusim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* _reset puts a library back as it was when loaded: faults off, counts and records empty, version and forwarding as the environment
 * says (CUSIM_NVRTC_VERSION and CUSIM_NVJITLINK_VERSION, "12.9"; CUSIM_NVRTC_FORWARD and CUSIM_NVJITLINK_FORWARD, a path). Programs
 * and links stay alive. */
CUSIM_API void cusim_nvrtc_reset(void);
CUSIM_API void cusim_nvjitlink_reset(void);

/* _set_version sets the version that the library tells, 13.0 at first. Before 13.0 nvJitLink has fewer error codes, and NVRTC knows
 * older architectures. */
CUSIM_API void cusim_nvrtc_set_version(int major, int minor);
CUSIM_API void cusim_nvjitlink_set_version(int major, int minor);

/* _forward makes calls go on to the real library of that path, for programs and links made from now on. They are counted, recorded
 * and failed all the same. NULL ends it. Returns 1, or 0 if the library cannot be loaded or is none. */
CUSIM_API int cusim_nvrtc_forward(const char *path);
CUSIM_API int cusim_nvjitlink_forward(const char *path);

/* _fail makes calls of `function` (NULL: any that can fail) fail with `result` and do nothing: the `nth` from now, counted from 1,
 * and, if `sticky`, all after it. Several may be armed at once. With _fail_after they do their work first: a destroy that fails
 * after it destroyed, for example. _fail_nothing disarms all, and forgets the failures. */
CUSIM_API void cusim_nvrtc_fail(const char *function, uint64_t nth, int result, int sticky);
CUSIM_API void cusim_nvjitlink_fail(const char *function, uint64_t nth, int result, int sticky);
CUSIM_API void cusim_nvrtc_fail_after(const char *function, uint64_t nth, int result, int sticky);
CUSIM_API void cusim_nvjitlink_fail_after(const char *function, uint64_t nth, int result, int sticky);
CUSIM_API void cusim_nvrtc_fail_nothing(void);
CUSIM_API void cusim_nvjitlink_fail_nothing(void);

/* _failures_injected counts the failures caused since the last _fail_nothing. _failed_call gives the name of the function that
 * failure `index` hit, from 0; NULL if there were fewer. */
CUSIM_API uint64_t cusim_nvrtc_failures_injected(void);
CUSIM_API uint64_t cusim_nvjitlink_failures_injected(void);
CUSIM_API const char *cusim_nvrtc_failed_call(uint64_t index);
CUSIM_API const char *cusim_nvjitlink_failed_call(uint64_t index);

/* _call_count counts the calls of `function` (NULL: of all). */
CUSIM_API uint64_t cusim_nvrtc_call_count(const char *function);
CUSIM_API uint64_t cusim_nvjitlink_call_count(const char *function);

/* _options writes the options of the last nvrtcCompileProgram or nvJitLinkCreate, a line each, and returns the length it wanted. */
CUSIM_API size_t cusim_nvrtc_options(char *text, size_t size);
CUSIM_API size_t cusim_nvjitlink_options(char *text, size_t size);

/* _live_count counts the programs, or links, that were created and not destroyed. */
CUSIM_API size_t cusim_nvrtc_live_count(void);
CUSIM_API size_t cusim_nvjitlink_live_count(void);

/* _violations counts uses of a program or link that is not alive, and links destroyed on another thread than made them: they are
 * refused, where the real library has undefined behaviour, or was seen to crash.
 * The list has a line for each; it returns the length it wanted. */
CUSIM_API uint64_t cusim_nvrtc_violations(void);
CUSIM_API uint64_t cusim_nvjitlink_violations(void);
CUSIM_API size_t cusim_nvrtc_violation_list(char *text, size_t size);
CUSIM_API size_t cusim_nvjitlink_violation_list(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
