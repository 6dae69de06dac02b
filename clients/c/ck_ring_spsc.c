// library: ck_ring (libck-dev)
#include "both.h"
#include <ck_ring.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int item;

static void *produce(void *argument) {
  assert(ck_ring_enqueue_spsc(&ring, buffer, &item));
  return argument;
}

static void *consume(void *argument) {
  void *got = &item;
  ck_ring_dequeue_spsc(&ring, buffer, &got);
  assert(got == &item);
  return argument;
}

int main(void) {
  ck_ring_init(&ring, 4);
  both(produce, consume);
}
