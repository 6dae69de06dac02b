// selvedge: run
// expect: exit 0
// native: same
//
// Files through descriptors: open, write, lseek, read, dup, fstat, fdopen, unlink, and a pipe.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const name = "corpus-files-posix.tmp";

int main(void) {
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0)
        return 1;
    printf("%zd\n", write(file, "hello, world", 12));
    printf("%ld\n", (long)lseek(file, 7, SEEK_SET));
    char buffer[32] = {0};
    printf("%zd", read(file, buffer, sizeof buffer));
    printf(" %s\n", buffer);
    printf("%zd\n", read(file, buffer, sizeof buffer));
    struct stat status;
    printf("%d", fstat(file, &status));
    printf(" %ld %d\n", (long)status.st_size, S_ISREG(status.st_mode));
    close(file);
    printf("%zd %d\n", read(file, buffer, 1), errno == EBADF);
    printf("%d %d\n", access(name, F_OK), open("no-such-file", O_RDONLY));
    FILE *stream = fdopen(open(name, O_RDONLY), "r");
    fgets(buffer, sizeof buffer, stream);
    printf("%s\n", buffer);
    fclose(stream);
    printf("%d\n", unlink(name));

    int ends[2];
    printf("%d\n", pipe(ends));
    write(ends[1], "through", 7);
    close(ends[1]);
    memset(buffer, 0, sizeof buffer);
    printf("%zd", read(ends[0], buffer, 31));
    printf(" %s %zd\n", buffer, read(ends[0], buffer + 20, 1));
    close(ends[0]);
    fflush(stdout);
    write(1, "straight out\n", 13);
    return 0;
}
