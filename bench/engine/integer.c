/* Integer arithmetic and branches in registers: the longest Collatz chain below a limit. */
#include <stdint.h>

int main(void)
{
    uint32_t best = 0, best_start = 0;
    for (uint32_t start = 1; start < 30000; start++) {
        uint64_t n = start;
        uint32_t steps = 0;
        while (n != 1) {
            n = (n & 1) ? 3 * n + 1 : n >> 1;
            steps++;
        }
        if (steps > best) {
            best = steps;
            best_start = start;
        }
    }
    return best_start == 26623 ? 0 : 1;
}
