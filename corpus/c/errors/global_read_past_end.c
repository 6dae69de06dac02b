// selvedge: run
// expect: violation memory line 10
//
// A read behind a global array: the month is one too large.
#include <stdio.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int length(int month) {
    return days[month]; // fault: months count from zero here
}

int main(void) {
    int total = 0;
    for (int month = 1; month <= 12; month++)
        total += length(month);
    printf("%d\n", total);
    return 0;
}
