// selvedge: run
// expect: exit 0
// seeds: 3
// native: same
//
// errno after failing calls, its texts, and that it belongs to the thread.
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *other(void *unused) {
    errno = 33;
    return unused;
}

int main(void) {
    errno = 0;
    FILE *missing = fopen("no-such-directory/no-such-file", "r");
    printf("%d %d %s\n", missing == NULL, errno == ENOENT, strerror(errno));
    errno = 0;
    strtol("999999999999999999999", NULL, 10);
    printf("%d %s\n", errno == ERANGE, strerror(ERANGE));
    printf("%s; %s; %s\n", strerror(EINVAL), strerror(EACCES), strerror(0));
    char buffer[64];
    printf("%d %s\n", strerror_r(EBUSY, buffer, sizeof buffer) != 0, strerror(EBUSY));

    errno = 7;
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    printf("%d\n", errno);

    errno = 0;
    volatile double minus_one = -1;
    double root = sqrt(minus_one);
    printf("%d %d\n", isnan(root) != 0, errno == EDOM);
    errno = ENOENT;
    perror("perror says");
    printf("%d\n", remove("no-such-file-either") == -1 && errno == ENOENT);
    return 0;
}
