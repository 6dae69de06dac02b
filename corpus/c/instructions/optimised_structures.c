// selvedge: run
// expect: exit 0
// native: same
// cflags: -O2
//
// What -O2 makes of small structures, switches and comparisons: lookup tables, selects, three-way compares, freeze.
#include <stdio.h>
#include <stdlib.h>

struct date { short year; signed char month, day; };

__attribute__((noinline)) static int days(int month) {
    switch (month) {
    case 2: return 28;
    case 4: case 6: case 9: case 11: return 30;
    case 1: case 3: case 5: case 7: case 8: case 10: case 12: return 31;
    default: return 0;
    }
}

__attribute__((noinline)) static struct date following(struct date date) {
    if (++date.day > days(date.month)) {
        date.day = 1;
        if (++date.month > 12) {
            date.month = 1;
            date.year++;
        }
    }
    return date;
}

static int compare(const void *x, const void *y) {
    const struct date *a = x, *b = y;
    if (a->year != b->year)
        return a->year < b->year ? -1 : 1;
    if (a->month != b->month)
        return (a->month > b->month) - (a->month < b->month);
    return (a->day > b->day) - (a->day < b->day);
}

__attribute__((noinline)) static const char *season(int month) {
    static const char *const names[] = {"winter", "spring", "summer", "autumn"};
    return names[month % 12 / 3];
}

int main(void) {
    struct date dates[12], today = {2026, 11, 15};
    for (int i = 0; i < 12; i++) {
        dates[(i * 5) % 12] = today;
        for (int j = 0; j <= i * 7; j++)
            today = following(today);
    }
    qsort(dates, 12, sizeof dates[0], compare);
    for (int i = 0; i < 12; i++)
        printf("%d-%02d-%02d %s\n", dates[i].year, dates[i].month, dates[i].day, season(dates[i].month));
    return 0;
}
