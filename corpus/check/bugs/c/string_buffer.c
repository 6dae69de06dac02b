// selvedge: check
// expect: violation assertion line 22
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// Every operation of a string buffer takes its lock. Appending one buffer to another asks for the length and copies in
// two operations, and the text may shrink in between.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct buffer {
    pthread_mutex_t lock;
    int length;
    char text[16];
};

static struct buffer greeting = {PTHREAD_MUTEX_INITIALIZER, 5, "hello"};
static struct buffer message = {PTHREAD_MUTEX_INITIALIZER, 0, ""};

static void copy_locked(struct buffer *from, int count, char *to) {
    assert(count <= from->length);
    memcpy(to, from->text, count);
}

#ifndef FIXED
static int length_of(struct buffer *buffer) {
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length;
    pthread_mutex_unlock(&buffer->lock);
    return length;
}

static void copy(struct buffer *from, int count, char *to) {
    pthread_mutex_lock(&from->lock);
    copy_locked(from, count, to);
    pthread_mutex_unlock(&from->lock);
}
#endif

static void append(struct buffer *to, struct buffer *from) {
    pthread_mutex_lock(&to->lock);
#ifdef FIXED
    pthread_mutex_lock(&from->lock);
    int count = from->length;
    copy_locked(from, count, to->text + to->length);
    pthread_mutex_unlock(&from->lock);
#else
    int count = length_of(from);
    copy(from, count, to->text + to->length);
#endif
    to->length += count;
    pthread_mutex_unlock(&to->lock);
}

static void truncate_to(struct buffer *buffer, int length) {
    pthread_mutex_lock(&buffer->lock);
    buffer->length = length;
    pthread_mutex_unlock(&buffer->lock);
}

static void *compose(void *unused) {
    append(&message, &greeting);
    return unused;
}

static void *erase(void *unused) {
    truncate_to(&greeting, 0);
    return unused;
}

int main(void) {
    pthread_t author, eraser;
    pthread_create(&author, NULL, compose, NULL);
    pthread_create(&eraser, NULL, erase, NULL);
    pthread_join(author, NULL);
    pthread_join(eraser, NULL);
    return 0;
}
