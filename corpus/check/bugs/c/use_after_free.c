// selvedge: check
// expect: violation memory line 29
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A session is closed while a request makes use of it. The request asks whether the session is open, but does not keep
// it open.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct session {
    atomic_int requests;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool open_for_requests = true;
static struct session *session;

static void *request(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
    if (open_for_requests)
        session->requests++;
    pthread_mutex_unlock(&lock);
#else
    if (open_for_requests)
        session->requests++;
#endif
    return unused;
}

static void *close_session(void *unused) {
    pthread_mutex_lock(&lock);
    open_for_requests = false;
    free(session);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    session = calloc(1, sizeof *session);
    pthread_t client, server;
    pthread_create(&client, NULL, request, NULL);
    pthread_create(&server, NULL, close_session, NULL);
    pthread_join(client, NULL);
    pthread_join(server, NULL);
    return 0;
}
