// selvedge: run
// expect: exit 0
// stdout: 1 1 1
// stdout: mine 0, another user's -1 1, not there -1 1

// What a process may use, and who owns files: a user cannot give them away.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
    struct rlimit limit;
    int known = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= limit.rlim_max;
    int enough = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= 1 << 20;
    int unknown = getrlimit(1000, &limit) == -1 && errno == EINVAL;
    printf("%d %d %d\n", known, enough, unknown);
    const char *name = "limits_and_owners.tmp";
    close(open(name, O_CREAT | O_WRONLY, 0600));
    int mine = chown(name, getuid(), (gid_t)-1);
    int given = chown(name, getuid() + 1, (gid_t)-1);
    int refused = errno == EPERM;
    int gone = chown("limits_and_owners.none", getuid(), getgid());
    printf("mine %d, another user's %d %d, not there %d %d\n", mine, given, refused, gone, errno == ENOENT);
    return unlink(name);
}
