// Called at each block of code that was compiled with -fsanitize-coverage=trace-pc-guard: now and then a delay.
#include <stdint.h>

void selvedge_noise(void) __attribute__((weak));

static __thread uint64_t state;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) { (void)start, (void)stop; }

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  if (!selvedge_noise) return;
  if (!state) state = (uint64_t)(uintptr_t)&state | 1;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  if (state % 32 == 0) selvedge_noise();
  (void)guard;
}
