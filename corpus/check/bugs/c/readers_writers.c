// selvedge: check
// expect: violation deadlock
// selvedge: check --cflags=-DFIXED
// expect: verified
//
// A read-write lock that lets waiting writers go first, so that readers do not starve them. A reader that reads again
// inside its own reading waits for a writer, which waits for that reader.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writers, waiting_writers;
static int pages = 1;

static void begin_reading(void) {
    pthread_mutex_lock(&lock);
    while (writers > 0 || waiting_writers > 0)
        pthread_cond_wait(&changed, &lock);
    readers++;
    pthread_mutex_unlock(&lock);
}

static void end_reading(void) {
    pthread_mutex_lock(&lock);
    readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *write_page(void *unused) {
    pthread_mutex_lock(&lock);
    waiting_writers++;
    while (readers > 0 || writers > 0)
        pthread_cond_wait(&changed, &lock);
    waiting_writers--;
    writers++;
    pthread_mutex_unlock(&lock);
    pages++;
    pthread_mutex_lock(&lock);
    writers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static int count_pages(void) {
#ifdef FIXED
    return pages;
#else
    begin_reading();
    int result = pages;
    end_reading();
    return result;
#endif
}

static void *read_pages(void *unused) {
    begin_reading();
    int last = count_pages();
    end_reading();
    assert(last > 0);
    return unused;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&reader, NULL, read_pages, NULL);
    pthread_create(&writer, NULL, write_page, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    assert(pages == 2);
    return 0;
}
