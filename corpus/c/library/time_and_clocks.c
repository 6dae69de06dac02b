// selvedge: run
// expect: exit 0
// native: same
//
// Clocks go forward and conversions of fixed times are exact; nothing depends on the hour of the run.
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    struct timespec first, second;
    int status = clock_gettime(CLOCK_MONOTONIC, &first);
    status |= clock_gettime(CLOCK_MONOTONIC, &second);
    int forward = second.tv_sec > first.tv_sec || (second.tv_sec == first.tv_sec && second.tv_nsec >= first.tv_nsec);
    printf("%d %d %d\n", status, forward, first.tv_nsec >= 0 && first.tv_nsec < 1000000000);
    time_t now = time(NULL), again;
    printf("%d %d\n", time(&again) >= now, again >= now);
    struct timeval wall;
    printf("%d %d\n", gettimeofday(&wall, NULL), wall.tv_usec >= 0 && wall.tv_usec < 1000000);
    printf("%d %d\n", clock() >= 0, difftime(10, 4) == 6.0);

    time_t fixed = 1234567890;
    struct tm parts;
    gmtime_r(&fixed, &parts);
    printf("%d-%d-%d %d:%d:%d %d %d\n", parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min,
           parts.tm_sec, parts.tm_wday, parts.tm_yday);
    char text[64];
    size_t length = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %A %b", &parts);
    printf("%zu %s\n", length, text);
    time_t epoch = 0;
    struct tm *start = gmtime(&epoch);
    printf("%d %d %d\n", start->tm_year, start->tm_mday, start->tm_wday);
    struct tm leap = {.tm_year = 100, .tm_mon = 1, .tm_mday = 30};
    time_t normal = timegm(&leap);
    printf("%ld %d %d\n", (long)normal, leap.tm_mon, leap.tm_mday);
    return 0;
}
