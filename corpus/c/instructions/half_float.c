// selvedge: run
// expect: exit 0
// native: same
//
// _Float16: rounding of every operation, overflow to infinity, subnormals, bits.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint16_t bits(_Float16 value) {
    uint16_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static void show(const char *label, _Float16 value) { printf("%s %g %04x\n", label, (double)value, bits(value)); }

int main(void) {
    volatile _Float16 third = (_Float16)1 / (_Float16)3, large = 60000;
    show("third", third);
    show("sum", third + third);
    show("product", (_Float16)(third * large));
    show("overflow", (_Float16)(large + large));
    show("negated", -third);
    show("tiny", (_Float16)6e-8f);
    show("exact", (_Float16)2048 + (_Float16)1);
    show("from int", (_Float16)12345);
    show("from double", (_Float16)3.14159265);
    printf("%d %d %d\n", third < large, third == large, (int)(third * 100));
    _Float16 array[4] = {1, 2, 3, 4}, sum = 0;
    for (int i = 0; i < 4; i++)
        sum += array[i] * array[i];
    show("dot", sum);
    return 0;
}
