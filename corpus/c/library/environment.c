// selvedge: run
// expect: exit 0
// stdout: unset 1
// stdout: set [value]
// stdout: kept [value]
// stdout: replaced [other]
// stdout: putenv [1]
// stdout: removed 1, bad name 1
// native: same
//
// The environment as the program changes it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char *show(const char *name) {
    const char *value = getenv(name);
    return value ? value : "(none)";
}

int main(void) {
    printf("unset %d\n", getenv("SELVEDGE_CORPUS_TEST") == NULL);
    setenv("SELVEDGE_CORPUS_TEST", "value", 0);
    printf("set [%s]\n", show("SELVEDGE_CORPUS_TEST"));
    setenv("SELVEDGE_CORPUS_TEST", "other", 0);
    printf("kept [%s]\n", show("SELVEDGE_CORPUS_TEST"));
    setenv("SELVEDGE_CORPUS_TEST", "other", 1);
    printf("replaced [%s]\n", show("SELVEDGE_CORPUS_TEST"));
    static char entry[] = "SELVEDGE_CORPUS_PUT=1";
    putenv(entry);
    printf("putenv [%s]\n", show("SELVEDGE_CORPUS_PUT"));
    unsetenv("SELVEDGE_CORPUS_TEST");
    int gone = getenv("SELVEDGE_CORPUS_TEST") == NULL;
    printf("removed %d, bad name %d\n", gone, setenv("A=B", "x", 1) == -1 && errno == EINVAL);
    return 0;
}
