// library: ck_fifo (libck-dev)
#include "both.h"
#include <ck_fifo.h>

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t stub, entry;
static int item;

static void *produce(void *argument) {
  ck_fifo_spsc_enqueue(&fifo, &entry, &item);
  return argument;
}

static void *consume(void *argument) {
  void *got = &item;
  ck_fifo_spsc_dequeue(&fifo, &got);
  assert(got == &item);
  return argument;
}

int main(void) {
  ck_fifo_spsc_init(&fifo, &stub);
  both(produce, consume);
}
