/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_LOG_H
#define CUSIM_LOG_H

/* What the simulated driver writes down: calls, violations, and the driver's own words for cuLogsRegisterCallback. */

#include "call.h"
#include "text.h"

void log_call(const struct call *call, const struct argument *arguments, size_t count);
void log_violation(const char *function, const char *sentence);

/* log_put_into_words tells the registered callbacks why a call failed. The lock must not be held. */
void log_put_into_words(const struct call *call);

const struct lines *log_calls(void);
const struct lines *log_violations(void);
uint64_t log_words_count(void);
void log_clear_calls(void);
void log_reset(void);

#endif
